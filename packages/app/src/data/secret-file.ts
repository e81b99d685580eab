import {
  type Stats,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import type { Parse } from '../config/values.js'
import { errorCode, errorReason } from '../config/files.js'
import { gives, isOurs } from './process-user.js'

const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

const writeSynced = (path: string, text: string): void => {
  const file = openSync(path, 'wx', 0o600)
  fchmodSync(file, 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
}

type Publish = (draft: string, path: string) => void

const writeBy = (publish: Publish, path: string, text: string): E.Either<unknown, void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const written = E.tryCatch(() => {
    writeSynced(draft, text)
    publish(draft, path)
    syncDirectory(dirname(path))
  }, identity)
  rmSync(draft, { force: true })
  return written
}

const notWritten = (path: string, error: unknown): string =>
  `${path} cannot be written (${errorReason(error)}): correct data-dir or its permissions`

/** Writes the file completely or not at all. The link never replaces a file that another process has made meanwhile. */
export const writeSecretFile = (path: string, text: string): E.Either<string, void> => {
  const written = writeBy(linkSync, path, text)
  return E.isLeft(written) && errorCode(written.left) !== 'EEXIST'
    ? E.left(notWritten(path, written.left))
    : E.right(undefined)
}

/** The same, in place of the file that is there. */
export const replaceSecretFile = (path: string, text: string): E.Either<string, void> =>
  pipe(
    writeBy(renameSync, path, text),
    E.mapLeft((error) => notWritten(path, error)),
  )

const refusalOf = (path: string, stats: Stats): string | undefined => {
  if (stats.isDirectory()) return `${path} is a directory: name a file`
  if (gives(stats, 0o077)) return `${path} may be used by others than its owner: chmod 600 ${path}`
  return isOurs(stats)
    ? undefined
    : `${path} belongs to the user ${stats.uid}, who could change it: run this as that user, or chown ${path}`
}

// Checks the open file that is read, because a path can lead to another file later.
const textOf = (path: string): E.Either<string, string> => {
  const file = openSync(path, 'r')
  try {
    const refusal = refusalOf(path, fstatSync(file))
    return refusal === undefined ? E.right(readFileSync(file, 'utf8').trim()) : E.left(refusal)
  } finally {
    closeSync(file)
  }
}

/** The contents of the file, if it is well-formed, accessible to its owner only, and the owner is trusted. */
export const readSecretFile =
  <A>(parse: Parse<A>, remedy = 'restore it from a backup') =>
  (path: string): E.Either<string, A> =>
    pipe(
      E.tryCatch(
        () => textOf(path),
        (error) => `${path} cannot be read (${errorReason(error)}): ${remedy}, or correct its permissions`,
      ),
      E.flatten,
      E.flatMap((text) =>
        pipe(
          parse(text),
          E.mapLeft((rule) => `${path} must hold ${rule}: ${remedy}`),
        ),
      ),
    )
