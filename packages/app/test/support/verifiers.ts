// Verifiers as applications use them; each caches the set for its max-age, and never fetches it sooner.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import jwksRsa from 'jwks-rsa'
import { type KeyObject, createPublicKey } from 'node:crypto'
import * as oauth from 'oauth4webapi'

/** Throws if the token does not verify. */
export type Verify = (token: string) => Promise<unknown>

export type Provider = { readonly issuer: string; readonly jwksUri: string; readonly maxAge: number }

/** jose caches the whole set; after an unknown kid it fetches again, but only a set that may be stale. */
export const joseVerifier = ({ issuer, jwksUri, maxAge }: Provider): Verify => {
  const stored = { cacheMaxAge: maxAge * 1000, cooldownDuration: maxAge * 1000 }
  const keys = createRemoteJWKSet(new URL(jwksUri), stored)
  return (token) => jwtVerify(token, keys, { issuer })
}

/** jwks-rsa, as in express-jwt and passport-jwt: it caches each key separately. */
export const jwksRsaVerifier = ({ issuer, jwksUri, maxAge }: Provider): Verify => {
  const client = jwksRsa({ jwksUri, cache: true, cacheMaxAge: maxAge * 1000 })
  const keyOf = async ({ kid }: { readonly kid?: string }): Promise<KeyObject> =>
    createPublicKey((await client.getSigningKey(kid)).getPublicKey())
  return (token) => jwtVerify(token, keyOf, { issuer })
}

/** oauth4webapi caches the set for 300 seconds, and fetches it again for an unknown kid after 60. */
export const oauth4webapiVerifier = ({ issuer, jwksUri }: Provider, audience: string): Verify => {
  const server = { issuer, jwks_uri: jwksUri }
  return (token) => {
    const request = new Request('https://resource.example/', { headers: { authorization: `Bearer ${token}` } })
    return oauth.validateJwtAccessToken(server, request, audience, { [oauth.allowInsecureRequests]: true })
  }
}
