// Work that one of several instances does at a time. A lease ends by itself, so that an instance that stopped holds up no other.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'

export type Lease = {
  readonly name: string
  /** The instance that holds it. */
  readonly holder: string
  /** The lease has ended at this time. */
  readonly until: EpochSeconds
}

export type Leases = {
  /**
   * Takes the lease, or sets another end where the holder has it already; false while another holder has it. Leases that have
   * ended at the given time may be forgotten.
   */
  readonly acquireLease: (lease: Lease, at: EpochSeconds) => TE.TaskEither<Unavailable, boolean>
  /** Ends the lease of this holder now; does nothing where another has it, or nobody. */
  readonly releaseLease: (name: string, holder: string) => TE.TaskEither<Unavailable, void>
}
