import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../errors.js'
import type { Turns } from '../../ports/turns.js'
import { type Conflict, isConflict, retryOnConflict } from './retry-on-conflict.js'

/**
 * `retryOnConflict`, where many requests change one thing at once: one that was changed under it does it again in its turn, so
 * that only requests that have just arrived, and other instances, can change it once more.
 */
export const inTurnWhenChanged =
  (ports: Turns, name: string) =>
  <Failure extends { readonly error: string }, Answer>(
    first: TE.TaskEither<Failure | Conflict, Answer>,
    again = first,
  ): TE.TaskEither<Failure | Unavailable, Answer> =>
  () =>
    first().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      return isConflict(outcome.left) ? ports.inTurn(name)(retryOnConflict(ports)(again))() : E.left(outcome.left)
    })
