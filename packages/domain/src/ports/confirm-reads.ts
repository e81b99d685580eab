import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'

export type ConfirmReads = {
  /**
   * Succeeds when all that was read from the store before is as durable as an answered write. A database may show a write
   * that it loses afterwards: one that it did not answer, and that the standby which takes over does not have. So an answer
   * that all is as requested already, which writes nothing, is given after it; other reads are answered without it.
   */
  readonly confirmReads: TE.TaskEither<Unavailable, void>
}
