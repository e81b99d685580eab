import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { isAbsolute, resolve } from 'node:path'

/** The text of a file, or the reason why it cannot be read. */
export type ReadFile = (path: string) => E.Either<string, string>

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is unknown',
}

/** The reason of a system error in words, with its code. */
export const errorReason = (error: unknown): string => {
  const code = errorCode(error)
  return Object.hasOwn(words, code) ? `${words[code] ?? ''}, ${code}` : code
}

// A relative path is one from the working directory, which the service and a reload may not share with the reader.
export const readFile: ReadFile = (path) =>
  E.tryCatch(
    () => readFileSync(path, 'utf8'),
    (error) => (isAbsolute(path) ? errorReason(error) : `${errorReason(error)}: ${resolve(path)}`),
  )
