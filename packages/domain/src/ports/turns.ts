// The order of operations on one thing. It is an optimization: each store refuses outdated versions by itself, but
// without an order most of many concurrent operations would give up.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { Pauses } from './pauses.js'

export type Turns = Pauses & {
  /** Runs the operation after the earlier ones of the same name; refused while too many wait for that name. */
  readonly serialize: (
    name: string,
  ) => <Failure, Value>(operation: TE.TaskEither<Failure, Value>) => TE.TaskEither<Failure | Unavailable, Value>
}
