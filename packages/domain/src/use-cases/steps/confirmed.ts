import type * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../../errors.js'
import type { ConfirmReads } from '../../ports/confirm-reads.js'

/** An outcome that says that all is as requested already, when what was read for it is durable. */
export const confirmed =
  ({ confirmReads }: ConfirmReads) =>
  <Failure, Answer>(outcome: E.Either<Failure, Answer>): TE.TaskEither<Failure | Unavailable, Answer> =>
    pipe(
      confirmReads,
      TE.flatMapEither((): E.Either<Failure | Unavailable, Answer> => outcome),
    )
