// The pause before an operation that lost against another one, in this instance or in another, is repeated.
import type * as IO from 'fp-ts/lib/IO.js'
import type * as T from 'fp-ts/lib/Task.js'

export type Pauses = {
  /**
   * A random number from 0 up to 1, drawn anew for each pause, so that two operations do not collide again. It need not
   * be secret.
   */
  readonly drawFraction: IO.IO<number>
  /** Continues after so many milliseconds. */
  readonly pause: (milliseconds: number) => T.Task<void>
}
