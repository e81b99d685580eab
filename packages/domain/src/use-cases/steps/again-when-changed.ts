import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../errors.js'
import { unavailable } from '../../errors.js'
import type { ClientChanged } from '../../ports/client-registry.js'
import type { SessionChanged } from '../../ports/end-user-sessions.js'
import type { KeyRingChanged } from '../../ports/key-rings.js'

type Changed = ClientChanged | KeyRingChanged | SessionChanged

const attempts = 16

/**
 * Does all of it again, from the reading on, when somebody else changed what was read in between. So whoever lost with a
 * registration access token that the winner rotated is refused as anybody with an old one, by the same rule.
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

const isChanged = (failure: { readonly error: string }): failure is Changed =>
  ['client_changed', 'key_ring_changed', 'session_changed'].includes(failure.error)
