// Request objects that clients encrypted to the published key: RFC 9101 §6.1, OpenID Core §6.1.
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** It is no compact JWE, its text is not UTF-8, or none of the keys that were published opens it. */
export type UndecryptableObject = {
  readonly error: 'undecryptable_object'
  readonly reason: 'malformed' | 'not_encrypted' | 'no_key'
}

export type ObjectDecrypter = {
  /** The text inside: a JWS, or the claims as JSON. Whoever asks verifies it. */
  readonly decryptObject: (object: string) => TE.TaskEither<UndecryptableObject, string>
}
