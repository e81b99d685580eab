// The issued initial access tokens by hash. ClientRegistry.addClient removes the one that it consumes.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { InitialAccessToken } from '../authorization/authorize-registrant.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable, UnknownClient } from '../errors.js'

export type InitialAccessTokens = {
  /**
   * Stores the token; tokens that have expired at the given time may be removed. Refused if the registration of its owner
   * has ended, also if the client_id is registered again; the removal of the owner removes it in the same step.
   */
  readonly addInitialAccessToken: (
    token: InitialAccessToken,
    at: EpochSeconds,
    audit?: AuditRow,
  ) => TE.TaskEither<UnknownClient | Unavailable, void>
  readonly findInitialAccessToken: (hash: TokenHash) => TE.TaskEither<Unavailable, O.Option<InitialAccessToken>>
  /** Tokens that have not expired at the given time, the first to expire first, at most `max`. */
  readonly listInitialAccessTokens: (
    at: EpochSeconds,
    most: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<InitialAccessToken>>
  /** Whether the token was stored; it can register no client any more. */
  readonly removeInitialAccessToken: (hash: TokenHash, audit?: AuditRow) => TE.TaskEither<Unavailable, boolean>
}
