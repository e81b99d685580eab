// The published keys: public halves only, including those of other signers.
import type * as IO from 'fp-ts/lib/IO.js'
import type { JwkSet } from '../keys/public-jwk.js'

export type PublishedJwkSet = {
  /** RFC 7517 §5: the same object until the keys change. */
  readonly jwkSet: JwkSet
  /** RFC 9111 §5.2.2.1: the seconds from now for which a verifier may cache it. */
  readonly maxAge: number
}

export type JwkSetSource = { readonly publishedJwkSet: IO.IO<PublishedJwkSet> }
