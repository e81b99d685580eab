// Verifiers as applications use them; each keeps the set for as long as it may, and never fetches it sooner.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import jwksRsa from 'jwks-rsa'
import { type KeyObject, createPublicKey } from 'node:crypto'
import * as oauth from 'oauth4webapi'

/** Throws when the token does not verify. */
export type Verify = (token: string) => Promise<unknown>

export type Provider = { readonly issuer: string; readonly jwksUri: string; readonly maxAge: number }

/** jose: the whole set is kept; an unknown kid makes it fetch anew, but only when the set may be stale. */
export const joseVerifier = ({ issuer, jwksUri, maxAge }: Provider): Verify => {
  const stored = { cacheMaxAge: maxAge * 1000, cooldownDuration: maxAge * 1000 }
  const keys = createRemoteJWKSet(new URL(jwksUri), stored)
  return (token) => jwtVerify(token, keys, { issuer })
}

/** jwks-rsa, as express-jwt and passport-jwt use it: each key is kept for itself. */
export const jwksRsaVerifier = ({ issuer, jwksUri, maxAge }: Provider): Verify => {
  const client = jwksRsa({ jwksUri, cache: true, cacheMaxAge: maxAge * 1000 })
  const keyOf = async ({ kid }: { readonly kid?: string }): Promise<KeyObject> =>
    createPublicKey((await client.getSigningKey(kid)).getPublicKey())
  return (token) => jwtVerify(token, keyOf, { issuer })
}

/** oauth4webapi: keeps the set for 300 seconds, and fetches it anew for an unknown kid after 60. */
export const oauth4webapiVerifier = ({ issuer, jwksUri }: Provider, audience: string): Verify => {
  const server = { issuer, jwks_uri: jwksUri }
  return (token) => {
    const request = new Request('https://resource.example/', { headers: { authorization: `Bearer ${token}` } })
    return oauth.validateJwtAccessToken(server, request, audience, { [oauth.allowInsecureRequests]: true })
  }
}
