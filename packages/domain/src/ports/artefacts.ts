// The artefacts of the authorization server. Removing a client removes those of its registration for good, in the same
// step; the end of an end-user session removes those that name it.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable, UnknownClient, UnknownSession } from '../errors.js'
import type { Artefact, ArtefactKind, StoredArtefact } from '../provider/artefact.js'

/** It was used before, or there is none any more. */
export type AlreadyConsumed = { readonly error: 'already_consumed' }
export const alreadyConsumed: AlreadyConsumed = { error: 'already_consumed' }

export type Artefacts = {
  /**
   * Stores the artefact, or replaces one of the same kind and hash, whose uses it keeps. Refused if the registration that
   * it names has ended, also if the client_id is registered again, or if the store has no such session. Artefacts that
   * have expired at the time may be removed, at most maxForgotten of them.
   */
  readonly storeArtefact: (
    artefact: Artefact,
    at: EpochSeconds,
  ) => TE.TaskEither<UnknownClient | UnknownSession | Unavailable, void>
  /** The artefact, also if it has expired or was used. */
  readonly findArtefact: (kind: ArtefactKind, hash: TokenHash) => TE.TaskEither<Unavailable, O.Option<StoredArtefact>>
  readonly findArtefactByName: (
    kind: ArtefactKind,
    name: TokenHash,
  ) => TE.TaskEither<Unavailable, O.Option<StoredArtefact>>
  /** Succeeds exactly once for each artefact, whoever calls it at the same time. */
  readonly consumeArtefact: (
    kind: ArtefactKind,
    hash: TokenHash,
    at: EpochSeconds,
  ) => TE.TaskEither<AlreadyConsumed | Unavailable, void>
  /**
   * Uses a refresh token: decideRefreshTokenUse on the token and its predecessor, in one step. A refusal writes nothing.
   */
  readonly useRefreshToken: (
    hash: TokenHash,
    use: RefreshTokenUse,
  ) => TE.TaskEither<AlreadyConsumed | Unavailable, void>
  /** No effect if there is none. */
  readonly removeArtefact: (kind: ArtefactKind, hash: TokenHash) => TE.TaskEither<Unavailable, void>
  /** Removes the grant and all that ends with it. */
  readonly removeGrant: (grant: TokenHash) => TE.TaskEither<Unavailable, void>
}

export type RefreshTokenUse = {
  readonly at: EpochSeconds
  /** Seconds after its first use in which a refresh token may be used again, until a successor was used; 0 for none. */
  readonly grace: number
}
