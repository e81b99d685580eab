import type * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** Runs steps one after the other. */
export const step =
  <Failure, Value>(run: () => E.Either<Failure, Value>): TE.TaskEither<Failure, Value> =>
  async () =>
    Promise.resolve().then(run)
