import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../../errors.js'
import type { ClientChanged } from '../../ports/client-registry.js'
import type { SessionChanged } from '../../ports/end-user-sessions.js'
import type { KeyRingChanged } from '../../ports/key-rings.js'
import type { Pauses } from '../../ports/turns.js'

/** The stored version changed between reading and replacing. */
export type Conflict = ClientChanged | KeyRingChanged | SessionChanged

const conflicts: Readonly<Record<Conflict['error'], true>> = {
  client_changed: true,
  key_ring_changed: true,
  session_changed: true,
}

export const isConflict = (failure: { readonly error: string }): failure is Conflict =>
  Object.hasOwn(conflicts, failure.error)

export const maxAttempts = 16

/** Milliseconds. */
const firstPause = 10
const maxPause = 250

/**
 * The pause in milliseconds after so many attempts: a random fraction of a bounded time that doubles with each attempt.
 */
export const pauseAfter = (attempts: number, fraction: number): number =>
  fraction * Math.min(maxPause, firstPause * 2 ** (attempts - 1))

/**
 * Repeats the operation, including its reads, after a conflict with another operation. So a request with a registration
 * access token that was rotated meanwhile is refused like any request with an old token.
 */
export const retryOnConflict =
  (ports: Pauses, attempts = 1) =>
  <Failure extends { readonly error: string }, Answer>(
    operation: TE.TaskEither<Failure | Conflict, Answer>,
  ): TE.TaskEither<Failure | Unavailable, Answer> =>
  () =>
    operation().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      if (!isConflict(outcome.left)) return E.left(outcome.left)
      if (attempts >= maxAttempts) return E.left(unavailable('what was read changes all the time'))
      return ports
        .pause(pauseAfter(attempts, ports.drawFraction()))()
        .then(retryOnConflict(ports, attempts + 1)(operation))
    })
