// Request objects that clients encrypted to the published key: RFC 9101 §6.1, OpenID Core §6.1.
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** Not a compact JWE, no published key decrypts it, or its plaintext is not UTF-8. */
export type UndecryptableObject = {
  readonly error: 'undecryptable_object'
  readonly reason: 'malformed' | 'not_encrypted' | 'no_key'
}

export type ObjectDecrypter = {
  /** The plaintext: a JWS, or the claims as JSON. The caller verifies it. */
  readonly decryptObject: (object: string) => TE.TaskEither<UndecryptableObject, string>
}
