import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { lstatSync } from 'node:fs'
import { errorCode, errorReason } from '../config/files.js'

/** Whether the file exists; a forbidden look-up does not count as missing. */
export const isThere = (path: string): E.Either<string, boolean> =>
  pipe(
    E.tryCatch(
      () => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
      (error) =>
        `${path} cannot be looked for (${errorReason(error)}): ` +
        (errorCode(error) === 'EACCES'
          ? 'start as the user that data-dir belongs to, or correct its permissions'
          : 'correct data-dir'),
    ),
  )
