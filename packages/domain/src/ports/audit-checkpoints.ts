// Signatures of checkpoints, by the signing keys of this service.
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CheckpointClaims } from '../audit/checkpoint.js'
import type { Unavailable } from '../errors.js'

export type CheckpointSigner = {
  readonly signCheckpoint: (claims: CheckpointClaims) => TE.TaskEither<Unavailable, string>
  /** Whether the present signing key signed the checkpoint. */
  readonly isByPresentKey: (jws: string) => boolean
}

export type CheckpointVerifier = {
  /** Whether a key of a ring, including retired ones, signed the checkpoint. */
  readonly isSignedCheckpoint: (jws: string) => T.Task<boolean>
}
