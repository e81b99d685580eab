import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Privileges } from './privileges.js'
import type { TokenHash } from './token-hash.js'

/**
 * RFC 7591 §1.2. The registration that consumes the token removes it, so that it registers at most one client. Only its
 * hash is stored.
 */
export type InitialAccessToken = {
  readonly hash: TokenHash
  readonly scope: string
  readonly privileges: Privileges
  readonly expires_at: EpochSeconds
}

export const isInForce =
  (at: EpochSeconds) =>
  (token: InitialAccessToken): boolean =>
    at < token.expires_at
