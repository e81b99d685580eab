// An export of all clients, and what stands for those that cannot be read; they are read while it runs.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { errorReason } from '../config/files.js'
import type { Output } from '../observing/log.js'
import { UnreadableClient } from './read-records.js'

/** How many clients were exported, and the ids of those that cannot be read. */
export type Exported = { readonly clients: number; readonly unreadable: ReadonlyArray<string> }

const flushAt = 65_536
const maxNamed = 100

const writeAll = async (
  clients: AsyncIterable<unknown>,
  write: (text: string) => unknown,
  onClient: () => void,
): Promise<Exported> => {
  const unreadable: Array<string> = []
  let written = 0
  let text = ''
  for await (const client of clients) {
    if (UnreadableClient.is(client)) {
      if (unreadable.length < maxNamed) unreadable.push(client.client_id)
      continue
    }
    written += 1
    text += `${JSON.stringify(client)}\n`
    onClient()
    if (text.length < flushAt) continue
    await write(text)
    text = ''
  }
  await write(text)
  return { clients: written, unreadable }
}

const failed = (error: unknown): string =>
  `the export is not complete (${errorReason(error)}): correct this, and run it again`

/** To the standard output. The clients after a text are read when it is written, so that no slow reader fills the memory. */
export const writeExport = (
  clients: AsyncIterable<unknown>,
  output: Output,
  onClient: () => void,
): TE.TaskEither<string, Exported> => {
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => output.write(text, (error) => (error ? reject(error) : resolve())))
  return TE.tryCatch(() => writeAll(clients, write, onClient), failed)
}

// The file has its name only when it is complete, and only its owner may read it.
const intoFile = async (path: string, clients: AsyncIterable<unknown>, onClient: () => void): Promise<Exported> => {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  try {
    const exported = await writeAll(clients, (text) => file.writeFile(text), onClient)
    await file.sync()
    await file.close()
    await rename(partial, path)
    return exported
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

/** To a new file. */
export const writeExportFile = (
  path: string,
  clients: AsyncIterable<unknown>,
  onClient: () => void,
): TE.TaskEither<string, Exported> =>
  existsSync(path)
    ? TE.left(`${path} exists: name a new file, or remove it`)
    : TE.tryCatch(() => intoFile(path, clients, onClient), failed)
