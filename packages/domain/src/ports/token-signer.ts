import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { SigningRefusal } from '../keys/permit-signing.js'
import type { UnsignedToken } from '../keys/unsigned-token.js'

/** No ring has the algorithm. */
export type NoSuchRing = { readonly error: 'no_such_ring'; readonly known: ReadonlyArray<string> }

export type TokenSigner = {
  /** RFC 7515 §7.1: the compact serialization, signed by the present signing key only. */
  readonly signToken: (token: UnsignedToken) => TE.TaskEither<SigningRefusal | NoSuchRing | Unavailable, string>
}
