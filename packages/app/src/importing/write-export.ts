// The file of an export: it has its name only when it is complete, and only its owner may read it.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { errorReason } from '../config/files.js'
import type { ExportedLine } from './transfer-clients.js'

/** How many clients were exported, and the ids of those that cannot be read. */
export type Exported = { readonly clients: number; readonly unreadable: ReadonlyArray<string> }

type Sink = (text: string) => Promise<unknown>

const flushAt = 65_536
const maxNamed = 100

const writeAll = async (lines: AsyncIterable<ExportedLine>, sink: Sink, onClient: () => void): Promise<Exported> => {
  const unreadable: Array<string> = []
  let clients = 0
  let text = ''
  for await (const each of lines) {
    if ('unreadable' in each) {
      if (unreadable.length < maxNamed) unreadable.push(each.unreadable)
      continue
    }
    clients += 1
    text += `${each.line}\n`
    onClient()
    if (text.length < flushAt) continue
    await sink(text)
    text = ''
  }
  await sink(text)
  return { clients, unreadable }
}

const failed = (error: unknown): string =>
  `the export is not complete (${errorReason(error)}): correct this, and run it again`

/** To the standard output. */
export const writeExport = (
  lines: AsyncIterable<ExportedLine>,
  write: (text: string) => unknown,
  onClient: () => void,
): TE.TaskEither<string, Exported> =>
  TE.tryCatch(() => writeAll(lines, (text) => Promise.resolve(write(text)), onClient), failed)

const intoFile = async (path: string, lines: AsyncIterable<ExportedLine>, onClient: () => void): Promise<Exported> => {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const file: FileHandle = await open(partial, 'wx', 0o600)
  try {
    const exported = await writeAll(lines, (text) => file.writeFile(text), onClient)
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
  lines: AsyncIterable<ExportedLine>,
  onClient: () => void,
): TE.TaskEither<string, Exported> =>
  existsSync(path)
    ? TE.left(`${path} exists: name a new file, or remove it`)
    : TE.tryCatch(() => intoFile(path, lines, onClient), failed)
