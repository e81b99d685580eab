// The keys that are published: public halves alone, those of other signers included.
import type * as IO from 'fp-ts/lib/IO.js'
import type { JwkSet } from '../keys/public-jwk.js'

export type PublishedJwkSet = {
  /** RFC 7517 §5: the same object until the keys change. */
  readonly jwkSet: JwkSet
  /** RFC 9111 §5.2.2.1: for how many seconds from now a verifier may keep it. */
  readonly maxAge: number
}

export type JwkSetSource = { readonly publishedJwkSet: IO.IO<PublishedJwkSet> }
