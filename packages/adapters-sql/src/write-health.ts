// Whether the store takes writes, by the outcome of those that were made: readiness is asked often, and writes nothing.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'

/** Milliseconds for which a failure counts although a write succeeds: a small one may find room on a full disk. */
const failureCounts = 5_000

export type WriteHealth = {
  /** The reason is for people, with the remedy. */
  readonly failed: (reason: string, detail: unknown) => void
  readonly succeeded: () => void
  readonly check: () => E.Either<Unavailable, void>
}

/** `now` is in milliseconds, of a clock that does not go back. */
export const createWriteHealth = (now: () => number = () => performance.now()): WriteHealth => {
  let failure: { readonly because: Unavailable; readonly at: number } | undefined
  return {
    failed: (reason, detail) => {
      failure = { because: { ...unavailable(detail), reason }, at: now() }
    },
    succeeded: () => {
      if (failure !== undefined && now() - failure.at > failureCounts) failure = undefined
    },
    check: () => (failure === undefined ? E.right(undefined) : E.left(failure.because)),
  }
}
