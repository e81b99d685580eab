// Signatures for a server that composes its tokens itself, by the keys of this service.
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { SigningRefusal } from '../keys/permit-signing.js'
import type { PublicJwk } from '../keys/public-jwk.js'
import type { NoSuchRing } from './token-signer.js'

/** The public half of a key of a ring. */
export type SigningKey = { readonly kid: string; readonly jwk: PublicJwk }

export type JwsSigner = {
  /** The key that signs at present; undefined where no ring has the algorithm. */
  readonly signingKeyOf: (alg: string) => SigningKey | undefined
  /** Reads the stored keys if they were last read too long ago to sign by them. */
  readonly readyToSign: T.Task<void>
  /**
   * RFC 7515 §5.1: the signature of a signing input (header and payload in base64url, with a dot between), in base64url. The
   * header names the algorithm and the kid of the signing key; a payload with the claim exp must not live too long.
   */
  readonly signInput: (input: string) => TE.TaskEither<SigningRefusal | NoSuchRing | Unavailable, string>
}
