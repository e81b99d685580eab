// Work that only one instance does at a time. A lease ends by itself, so that a crashed instance does not block the
// others.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'

export type Lease = {
  readonly name: string
  /** The instance that has the lease. */
  readonly holder: string
  /** The end of the lease. */
  readonly until: EpochSeconds
}

export type Leases = {
  /**
   * Takes the lease, or sets another end where the holder has it already; false while another holder has it. Leases
   * that have ended at the given time may be removed.
   */
  readonly acquireLease: (lease: Lease, at: EpochSeconds) => TE.TaskEither<Unavailable, boolean>
  /** Ends the lease of this holder now; no effect where the holder does not have it. */
  readonly releaseLease: (name: string, holder: string) => TE.TaskEither<Unavailable, void>
}
