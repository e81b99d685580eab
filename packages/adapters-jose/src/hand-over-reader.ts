import { asymmetricAlgorithms } from '@clientele/domain/client'
import { type LoginRefused, type SignedHandOver, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type JSONWebKeySet, compactVerify, createLocalJWKSet } from 'jose'
import { jsonObjectOf, readCompactToken } from './compact-token.js'
import { byMatchingKey } from './matching-key.js'

/** By which the responses of a login page are verified: its public keys, or a secret that both sides know. */
export type HandOverKey =
  { readonly kind: 'public'; readonly jwks: JSONWebKeySet } | { readonly kind: 'secret'; readonly secret: string }

export type HandOverReader = {
  /** Verifies the signature; the claims are not judged yet. */
  readonly readHandOver: (response: string) => TE.TaskEither<LoginRefused, SignedHandOver>
}

type Verify = (token: string) => Promise<Uint8Array>

// RFC 8725 §3.1 and §3.2: the key determines the algorithm, so that a public key never verifies an HMAC.
const verifierOf = (key: HandOverKey): Verify => {
  if (key.kind === 'public') {
    const algorithms = [...asymmetricAlgorithms]
    const keys = createLocalJWKSet(key.jwks)
    return (token) => byMatchingKey(keys, async (each) => (await compactVerify(token, each, { algorithms })).payload)
  }
  const secret = new TextEncoder().encode(key.secret)
  return async (token) => (await compactVerify(token, secret, { algorithms: ['HS256'] })).payload
}

const malformed = (): LoginRefused => loginRefused('the response of the login page must be a signed JWT')
const badSignature = (): LoginRefused =>
  loginRefused('the response of the login page is not signed with its configured key')

/** Reads the signed responses of a login page of the host. */
export const createHandOverReader = (key: HandOverKey): HandOverReader => {
  const verify = verifierOf(key)
  return {
    readHandOver: (response) =>
      pipe(
        TE.fromEither(readCompactToken(response)),
        TE.mapLeft(malformed),
        TE.filterOrElse(({ segments }) => segments === 3, malformed),
        TE.flatMap(({ text, typ }) =>
          pipe(
            TE.tryCatch(() => verify(text), badSignature),
            TE.flatMapEither((payload) => pipe(jsonObjectOf(payload), E.mapLeft(malformed))),
            TE.map((claims) => ({ typ, claims })),
          ),
        ),
      ),
  }
}
