import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DataFiles } from '../config/database.js'
import { errorCode, errorReason } from '../config/files.js'
import { gives } from './process-user.js'

// Two first starts may make it at once.
const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

// One by one: the recursive mkdir of Node does not end where a directory cannot be made, for example at /proc/nowhere.
const make = (path: string): void => {
  if (existsSync(path)) return
  if (dirname(path) !== path) make(dirname(path))
  makeOne(path)
}

const refusalOf = (path: string, setting: string): string | undefined => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return `${path} is a file: correct ${setting}`
  return gives(stats, 0o022) ? `${path} may be changed by others than its owner: chmod go-w ${path}` : undefined
}

/** Makes the directory with its parents; refuses one in which other users could replace files. */
export const makeDirectory = (path: string, setting: string, name: string): E.Either<string, void> =>
  pipe(
    E.tryCatch(
      () => {
        make(path)
        return refusalOf(path, setting)
      },
      (error) => `the ${name} ${path} cannot be made (${errorReason(error)}): correct ${setting} or its permissions`,
    ),
    E.flatMap((refusal) => (refusal === undefined ? E.right(undefined) : E.left(refusal))),
  )

/**
 * Makes missing directories for the data and the database, with their parents; refuses a directory in which other users
 * could replace files.
 */
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
  return pipe(
    E.tryCatch(
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
    ),
  )
}
