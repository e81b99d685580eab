// The order of operations on one thing. It is an optimization: each store refuses outdated versions by itself, but
// without an order most of many concurrent operations would give up.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type * as IO from 'fp-ts/lib/IO.js'
import type * as T from 'fp-ts/lib/Task.js'

// The pause before an operation that lost against another one, in this instance or in another, is repeated.
export type Pauses = {
  /**
   * A random number from 0 up to 1, drawn anew for each pause, so that two operations do not collide again. It need not
   * be secret.
   */
  readonly drawFraction: IO.IO<number>
  /** Continues after so many milliseconds. */
  readonly pause: (milliseconds: number) => T.Task<void>
}

export type Turns = Pauses & {
  /** Runs the operation after the earlier ones of the same name; refused while too many wait for that name. */
  readonly serialize: (
    name: string,
  ) => <Failure, Value>(operation: TE.TaskEither<Failure, Value>) => TE.TaskEither<Failure | Unavailable, Value>
}
