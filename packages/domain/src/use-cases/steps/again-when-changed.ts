import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../errors.js'
import { unavailable } from '../../errors.js'
import type { ClientChanged } from '../../ports/client-registry.js'
import type { SessionChanged } from '../../ports/end-user-sessions.js'
import type { KeyRingChanged } from '../../ports/key-rings.js'
import type { Turns } from '../../ports/turns.js'

type Changed = ClientChanged | KeyRingChanged | SessionChanged

const attempts = 16

const isChanged = (failure: { readonly error: string }): failure is Changed =>
  ['client_changed', 'key_ring_changed', 'session_changed'].includes(failure.error)

/**
 * Does all of it again, from the reading on, when another request changed what was read in between. So a request with a
 * registration access token that another one rotated is refused as any with an old token, by the same rule.
 */
export const againWhenChanged =
  <Failure extends { readonly error: string }, Answer>(
    operation: TE.TaskEither<Failure | Changed, Answer>,
    left = attempts - 1,
  ): TE.TaskEither<Failure | Unavailable, Answer> =>
  () =>
    operation().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      if (!isChanged(outcome.left)) return E.left(outcome.left)
      return left > 0
        ? againWhenChanged(operation, left - 1)()
        : E.left(unavailable('what was read changes all the time'))
    })

/**
 * The same, where many requests change one thing at once: one that was changed under it does it again in its turn, so that
 * only requests that have just arrived, and other instances, can change it once more.
 */
export const inTurnWhenChanged =
  ({ inTurn }: Turns, name: string) =>
  <Failure extends { readonly error: string }, Answer>(
    first: TE.TaskEither<Failure | Changed, Answer>,
    again = first,
  ): TE.TaskEither<Failure | Unavailable, Answer> =>
  () =>
    first().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      return isChanged(outcome.left) ? inTurn(name)(againWhenChanged(again))() : E.left(outcome.left)
    })
