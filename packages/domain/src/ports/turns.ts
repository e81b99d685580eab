// The order of operations on one thing. No promise rests on it, because each store refuses a version that is not the present
// one, whichever process wrote it; it lets each of many operations at once succeed, where all but a few would give up.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { Pauses } from './pauses.js'

export type Turns = Pauses & {
  /** Runs the operation when those before it under the same name are over; refused while too many wait under that name. */
  readonly inTurn: (
    name: string,
  ) => <Failure, Value>(operation: TE.TaskEither<Failure, Value>) => TE.TaskEither<Failure | Unavailable, Value>
}
