import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'

/** The text of a file, or why it cannot be read. */
export type ReadFile = (path: string) => E.Either<string, string>

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

export const readFile: ReadFile = (path) => E.tryCatch(() => readFileSync(path, 'utf8'), errorCode)
