import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../../errors.js'
import type { Turns } from '../../ports/turns.js'
import { type Conflict, isConflict, retryOnConflict } from './retry-on-conflict.js'

/**
 * `retryOnConflict` for things that many requests change at once: after a conflict, the operation waits for its turn,
 * so that it competes only with new requests and other instances.
 */
export const serializeOnConflict =
  (ports: Turns, name: string) =>
  <Failure extends { readonly error: string }, Answer>(
    first: TE.TaskEither<Failure | Conflict, Answer>,
    again = first,
  ): TE.TaskEither<Failure | Unavailable, Answer> =>
  () =>
    first().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      return isConflict(outcome.left) ? ports.serialize(name)(retryOnConflict(ports)(again))() : E.left(outcome.left)
    })
