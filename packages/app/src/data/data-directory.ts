// The data directory: its directories, its files with secrets, and the socket of the running service. Files of other
// users are not trusted.
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { randomBytes } from 'node:crypto'
import {
  type Stats,
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { DataFiles } from '../config/database.js'
import { errorCode, errorReason } from '../config/files.js'
import { geteuid } from 'node:process'
import type { Parse } from '../config/values.js'

// On Windows, files have neither a numeric owner nor a mode.
const hasOwners = geteuid !== undefined

/** Whether the user of this process, or root, owns the file. */
export const isOurs = ({ uid }: Stats): boolean => geteuid === undefined || uid === geteuid() || uid === 0

/** Whether the mode grants any of the bits to the group or to others. */
export const gives = ({ mode }: Stats, bits: number): boolean => hasOwners && (mode & bits & 0o077) !== 0

/** A refusal, where there is one; a failure of the look-up is one as well. */
const refuseIf = (refusal: () => string | undefined, onFailure: (error: unknown) => string): E.Either<string, void> =>
  pipe(
    E.tryCatch(refusal, onFailure),
    E.flatMap((refused) => (refused === undefined ? E.right(undefined) : E.left(refused))),
  )

// Directories.

// One by one: the recursive mkdir of Node does not end where a directory cannot be made, for example at /proc/nowhere.
const make = (path: string): void => {
  if (existsSync(path)) return
  if (dirname(path) !== path) make(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Two first starts may make it at once.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Makes the directory with its parents; refuses one in which other users could replace files. */
export const makeDirectory = (path: string, setting: string, name: string): E.Either<string, void> =>
  refuseIf(
    () => {
      make(path)
      const stats = statSync(path)
      if (!stats.isDirectory()) return `${path} is a file: correct ${setting}`
      return gives(stats, 0o022) ? `${path} may be changed by others than its owner: chmod go-w ${path}` : undefined
    },
    (error) => `the ${name} ${path} cannot be made (${errorReason(error)}): correct ${setting} or its permissions`,
  )

/** The same for missing directories of the data and of the database. */
export const makeDirectories = ({ directory, database }: DataFiles): E.Either<string, void> =>
  pipe(
    makeDirectory(directory, 'data-dir', 'data directory'),
    E.flatMap(() =>
      dirname(database) === directory
        ? E.right(undefined)
        : makeDirectory(dirname(database), 'database-url', 'directory of the database'),
    ),
  )

/** Whether the database exists; a missing database and a forbidden look-up are different refusals. */
export const findDatabase = ({ directory, database }: DataFiles): E.Either<string, void> => {
  const parent = dirname(database)
  const setting = parent === directory ? 'data-dir' : 'database-url'
  return E.tryCatch(
    () => void statSync(database),
    (error) => {
      switch (errorCode(error)) {
        case 'ENOENT':
          return `${database} does not exist: start the service once, or correct ${setting}`
        case 'ENOTDIR':
          return `${parent} is a file: correct ${setting}`
        default:
          return `${database} cannot be used (${errorReason(error)}): run the command as the user that runs the service`
      }
    },
  )
}

/** Whether the file exists; a forbidden look-up does not count as missing. */
export const isThere = (path: string): E.Either<string, boolean> =>
  E.tryCatch(
    () => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
    (error) =>
      `${path} cannot be looked for (${errorReason(error)}): ` +
      (errorCode(error) === 'EACCES'
        ? 'start as the user that data-dir belongs to, or correct its permissions'
        : 'correct data-dir'),
  )

// Files with secrets.

const writeSynced = (path: string, text: string): void => {
  const file = openSync(path, 'wx', 0o600)
  fchmodSync(file, 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
}

const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/** Writes the file completely or not at all. */
const writeBy = (
  publish: (draft: string, path: string) => void,
  path: string,
  text: string,
): E.Either<unknown, void> => {
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

/** Writes a new file. The link never replaces a file that another process has made meanwhile. */
export const writeSecretFile = (path: string, text: string): E.Either<string, void> =>
  pipe(
    writeBy(linkSync, path, text),
    E.orElse((error) => (errorCode(error) === 'EEXIST' ? E.right(undefined) : E.left(notWritten(path, error)))),
  )

/** The same, in place of the file that is there. */
export const replaceSecretFile = (path: string, text: string): E.Either<string, void> =>
  pipe(
    writeBy(renameSync, path, text),
    E.mapLeft((error) => notWritten(path, error)),
  )

const refusalOfSecret = (path: string, stats: Stats): string | undefined => {
  if (stats.isDirectory()) return `${path} is a directory: name a file`
  if (gives(stats, 0o077)) return `${path} may be used by others than its owner: chmod 600 ${path}`
  return isOurs(stats)
    ? undefined
    : `${path} belongs to the user ${stats.uid}, who could change it: run this as that user, or chown ${path}`
}

// Checks the open file that is read, because a path can lead to another file later.
const secretText = (path: string): E.Either<string, string> => {
  const file = openSync(path, 'r')
  try {
    const refusal = refusalOfSecret(path, fstatSync(file))
    return refusal === undefined ? E.right(readFileSync(file, 'utf8').trim()) : E.left(refusal)
  } finally {
    closeSync(file)
  }
}

/** The contents of the file, if it is well-formed, accessible to its owner only, and the owner is trusted. */
export const readSecretFile = <A>(
  path: string,
  parse: Parse<A>,
  remedy = 'restore it from a backup',
): E.Either<string, A> =>
  pipe(
    E.tryCatch(
      () => secretText(path),
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

// The socket by which commands reach the running service, accessible to its owner only.

const isPipe = (path: string): boolean => path.startsWith('\\\\')

/** Removes the socket of a crashed service. A failure is reported when the service listens. */
export const removeSocket = (path: string): void => {
  if (!isPipe(path)) E.tryCatch(() => rmSync(path, { force: true }), identity)
}

/** Makes the directory of the socket, with access for its owner only from the start, regardless of the umask. */
export const makeSocketDirectory = (path: string): void => {
  if (isPipe(path)) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  chmodSync(dirname(path), 0o700)
}

export const guardSocket = (path: string): void => {
  if (!isPipe(path)) chmodSync(path, 0o600)
}

/** The socket, if it exists and this user owns it. */
export const ownSocket = (path: string): E.Either<string, string> => {
  if (isPipe(path)) return E.right(path)
  const refused = refuseIf(
    () => {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (stats === undefined)
        return 'the data is in use by another command, or by a service that is just starting or stopping: try again'
      if (!stats.isSocket()) return `${path} is no socket: stop the service, and start it again`
      return isOurs(stats)
        ? undefined
        : `${path} belongs to the user ${stats.uid}, not to this one: run the command as the user that runs the service`
    },
    (error) => `${path} cannot be used (${errorReason(error)}): run the command as the user that runs the service`,
  )
  return E.map(() => path)(refused)
}
