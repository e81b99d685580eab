// What lies between two attempts of an operation that lost against another one, in this instance or in another.
import type * as IO from 'fp-ts/lib/IO.js'
import type * as T from 'fp-ts/lib/Task.js'

export type Pauses = {
  /** A number from 0 up to 1, drawn anew each time, so that two that lost do not come back together. It is no secret. */
  readonly drawFraction: IO.IO<number>
  /** Goes on after so many milliseconds. */
  readonly pause: (milliseconds: number) => T.Task<void>
}
