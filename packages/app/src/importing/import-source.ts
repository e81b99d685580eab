// The file of an import, which is read once or twice. Standard input is copied first where it is read twice.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorReason } from '../config/files.js'

export type ImportSource = {
  /** The text from its beginning; a second time only if that was requested. */
  readonly chunks: () => AsyncIterable<string>
  /** Whether the file is as it was when it was opened. */
  readonly isUnchanged: () => Promise<boolean>
  readonly close: () => Promise<void>
}

const chunkBytes = 65_536

async function* bytesOf(file: FileHandle, fromStart: boolean): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let position = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, fromStart ? position : null)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* textOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const each of bytes) yield decoder.decode(each, { stream: true })
  yield decoder.decode()
}

// Without a name, so that nothing of it is left when the process ends in any way.
const copied = async (file: FileHandle): Promise<FileHandle> => {
  const path = join(tmpdir(), `clientele-import-${randomUUID()}`)
  const { O_CREAT, O_EXCL, O_RDWR } = constants
  const copy = await open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
  await unlink(path)
  for await (const bytes of bytesOf(file, false)) await copy.writeFile(bytes)
  return copy
}

const stateOf = async (file: FileHandle): Promise<string> => {
  const { size, mtimeMs } = await file.stat()
  return `${size} ${mtimeMs}`
}

const opened = async (path: string, twice: boolean): Promise<ImportSource> => {
  const given = await open(path === '-' ? '/dev/stdin' : path, 'r')
  const isFile = (await given.stat()).isFile() && path !== '-'
  const file = isFile || !twice ? given : await copied(given)
  const state = await stateOf(file)
  return {
    chunks: () => textOf(bytesOf(file, isFile || twice)),
    isUnchanged: async () => (isFile ? (await stateOf(file)) === state : true),
    close: async () => {
      await file.close()
      if (file !== given) await given.close()
    },
  }
}

/** Opens the file, or standard input as -. */
export const openSource = (path: string, twice: boolean): TE.TaskEither<string, ImportSource> =>
  TE.tryCatch(
    () => opened(path, twice),
    (error) => `${path} cannot be read (${errorReason(error)})`,
  )
