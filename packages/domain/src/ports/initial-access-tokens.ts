// The initial access tokens that were issued, by their hashes. ClientRegistry.addClient removes the one that it spends.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'

export type InitialAccessTokens = {
  /** Keeps the token; those that had expired at the given time may be forgotten. */
  readonly addInitialAccessToken: (token: InitialAccessToken, at: EpochSeconds) => TE.TaskEither<Unavailable, void>
  readonly findInitialAccessToken: (hash: TokenHash) => TE.TaskEither<Unavailable, O.Option<InitialAccessToken>>
  /** Those that have not expired at the given time, the first to expire first, and so many at most. */
  readonly listInitialAccessTokens: (
    at: EpochSeconds,
    most: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<InitialAccessToken>>
  /** Whether there was one: it registers nothing any more. */
  readonly removeInitialAccessToken: (hash: TokenHash) => TE.TaskEither<Unavailable, boolean>
}
