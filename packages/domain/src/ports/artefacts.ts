// The artefacts of the authorization server. Removing a client removes those of its registration for good, in the same
// step; the end of an end-user session removes those that name it, also when an ended session is removed.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable, UnknownClient, UnknownSession } from '../errors.js'
import type { Artefact, ArtefactKind, StoredArtefact } from '../provider/artefact.js'
import type { AlreadyConsumed, RefreshTokenUse } from '../provider/refresh-token-use.js'

/** The grant that the artefact names was removed, or never stored. */
export type UnknownGrant = { readonly error: 'unknown_grant' }
export const unknownGrant: UnknownGrant = { error: 'unknown_grant' }

/** Why an artefact is not stored: that with which it would end has ended. */
export type RefusedArtefact = UnknownClient | UnknownSession | UnknownGrant

export type Artefacts = {
  /**
   * Stores the artefact, or replaces one of the same kind and hash, whose uses it keeps. Refused if the registration that
   * it names has ended, also if the client_id is registered again, or if the store has no such session or no such grant,
   * so that nothing outlives what it ends with. No use of the client: that its end-user sessions name it is one.
   * Artefacts that have expired at the time may be removed, at most maxForgotten of them; a grant and a predecessor are
   * stored for as long as what names them.
   */
  readonly storeArtefact: (artefact: Artefact, at: EpochSeconds) => TE.TaskEither<RefusedArtefact | Unavailable, void>
  /** The artefact, also if it has expired or was used. */
  readonly findArtefact: (kind: ArtefactKind, hash: TokenHash) => TE.TaskEither<Unavailable, O.Option<StoredArtefact>>
  /** Of several with the same name, the one that expires last. */
  readonly findArtefactByName: (
    kind: ArtefactKind,
    name: TokenHash,
  ) => TE.TaskEither<Unavailable, O.Option<StoredArtefact>>
  /** Succeeds exactly once for each artefact, also if several call it at once, and also if it has expired. */
  readonly consumeArtefact: (
    kind: ArtefactKind,
    hash: TokenHash,
    at: EpochSeconds,
  ) => TE.TaskEither<AlreadyConsumed | Unavailable, void>
  /**
   * Uses a refresh token: decideRefreshTokenUse on the token and its predecessor, in one step. A refusal writes nothing;
   * the caller removes the grant then.
   */
  readonly useRefreshToken: (
    hash: TokenHash,
    use: RefreshTokenUse,
  ) => TE.TaskEither<AlreadyConsumed | Unavailable, void>
  /** No effect if there is none; of a grant, the same as removeGrant. */
  readonly removeArtefact: (kind: ArtefactKind, hash: TokenHash) => TE.TaskEither<Unavailable, void>
  /** Removes the grant and all that ends with it; nothing that names it is stored afterwards. */
  readonly removeGrant: (grant: TokenHash) => TE.TaskEither<Unavailable, void>
}
