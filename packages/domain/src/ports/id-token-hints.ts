// Whether an id_token_hint is one of ours: RP-Initiated Logout §2. What its claims mean is decided in logout/.
import type * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { HintFault } from '../logout/no-way-back.js'

/** A JWT that a key of ours signed; nothing of it is judged yet, exp neither. */
export type SignedHint = {
  /** RFC 8725 §3.11: as it stands in the header of the JWS. */
  readonly typ: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

export type IdTokenHints = {
  /** Takes a JWS by any key that is still in a ring, retired ones too, or a JWE around one to an encryption key of ours. */
  readonly readIdTokenHint: (hint: string) => T.Task<E.Either<HintFault, SignedHint>>
}
