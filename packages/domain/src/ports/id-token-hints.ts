// Whether an id_token_hint is one of ours: RP-Initiated Logout §2. What its claims mean is decided in logout/.
import type * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { HintFault } from '../logout/no-way-back.js'
import type { SignedHint, UnverifiedHint } from '../logout/signed-hint.js'

/** The client_secret that must have signed it, or undefined where none counts. */
export type SecretOfHint = (unverified: UnverifiedHint) => T.Task<string | undefined>

export type IdTokenHints = {
  /**
   * Takes a JWS by any key that is still in a ring, retired ones too, or a JWE around one to an encryption key of ours. A JWS of
   * HS256, HS384 or HS512 is verified by the secret that is told, and by nothing else.
   */
  readonly readIdTokenHint: (hint: string, secretOf: SecretOfHint) => T.Task<E.Either<HintFault, SignedHint>>
}
