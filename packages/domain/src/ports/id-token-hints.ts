// The verification of an id_token_hint: RP-Initiated Logout §2. The domain's folder logout judges its claims.
import type * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { HintFault } from '../logout/post-logout-redirect-refusal.js'
import type { SignedHint, UnverifiedHint } from '../logout/id-token-hint.js'

/** The client_secret that must have signed the hint; undefined if there is none. */
export type SecretOfHint = (unverified: UnverifiedHint) => T.Task<string | undefined>

export type IdTokenHints = {
  /**
   * Accepts a JWS by a key of a ring, including retired ones, or a JWE around one, encrypted to a key of this service.
   * A JWS by HS256, HS384 or HS512 is verified only with the secret that `secretOf` returns.
   */
  readonly readIdTokenHint: (hint: string, secretOf: SecretOfHint) => T.Task<E.Either<HintFault, SignedHint>>
}
