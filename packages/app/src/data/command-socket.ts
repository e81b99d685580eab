// The socket by which commands reach the running service: in the data directory, accessible to its owner only.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Stats, chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { errorReason } from '../config/files.js'
import { isOurs } from './process-user.js'

const isPipe = (path: string): boolean => path.startsWith('\\\\')

/** Removes the socket of a crashed service. A failure is reported when the service listens. */
export const removeSocket = (path: string): void => {
  if (!isPipe(path)) E.tryCatch(() => rmSync(path, { force: true }), E.toError)
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

const refusalOf = (path: string, stats: Stats | undefined): string | undefined => {
  if (stats === undefined)
    return 'the data is in use by another command, or by a service that is just starting or stopping: try again'
  if (!stats.isSocket()) return `${path} is no socket: stop the service, and start it again`
  return isOurs(stats)
    ? undefined
    : `${path} belongs to the user ${stats.uid}, not to this one: run the command as the user that runs the service`
}

/** The socket, if it exists and this user owns it. */
export const ownSocket = (path: string): E.Either<string, string> => {
  if (platform() === 'win32') return E.right(path)
  return pipe(
    E.tryCatch(
      () => refusalOf(path, lstatSync(path, { throwIfNoEntry: false })),
      (error) => `${path} cannot be used (${errorReason(error)}): run the command as the user that runs the service`,
    ),
    E.flatMap((refusal) => (refusal === undefined ? E.right(path) : E.left(refusal))),
  )
}
