// Clients that the plans register, each with its client authentication.
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { registerOpenly } from '../../support/requests.js'
import type { Service } from '../../support/service.js'
import { type Json, type Registered, callback, signedOut } from '../../sign-in/support/provider.js'

export type Keys = { readonly privateKey: CryptoKey; readonly jwk: JWK }

export type Client = {
  readonly registered: Registered
  readonly id: string
  readonly redirectUri: string
  /** Adds what authenticates the client to the form of a token request; returns header fields of it. */
  readonly authenticate: (form: URLSearchParams) => Promise<Readonly<Record<string, string>>>
}

export const newKeys = async (): Promise<Keys> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), use: 'sig', alg: 'RS256' } }
}

const common = {
  client_name: 'Conformance',
  redirect_uris: [callback],
  response_types: ['code'],
  grant_types: ['authorization_code'],
  post_logout_redirect_uris: [signedOut],
}

export const registerClient = async (service: Service, metadata: Json): Promise<Registered> => {
  const { status, text, json, headers } = await registerOpenly(service, { ...common, ...metadata })
  assert.is(status, 201, text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  return { ...json, client_id: String(json['client_id']) }
}

const first = (uris: unknown): string => String(Array.isArray(uris) ? uris[0] : undefined)

const described = (registered: Registered) => ({
  registered,
  id: registered.client_id,
  redirectUri: first(registered['redirect_uris']),
})

/** RFC 6749 §2.3.1: by the header field Authorization. */
export const basicClient = async (service: Service, metadata: Json = {}): Promise<Client> => {
  const registered = await registerClient(service, { token_endpoint_auth_method: 'client_secret_basic', ...metadata })
  const pair = [registered.client_id, String(registered['client_secret'])].map(encodeURIComponent).join(':')
  const headers = { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  return { ...described(registered), authenticate: () => Promise.resolve(headers) }
}

/** RFC 6749 §2.3.1: in the form. */
export const postClient = async (service: Service, metadata: Json = {}): Promise<Client> => {
  const registered = await registerClient(service, { token_endpoint_auth_method: 'client_secret_post', ...metadata })
  return {
    ...described(registered),
    authenticate: (form) => {
      form.set('client_id', registered.client_id)
      form.set('client_secret', String(registered['client_secret']))
      return Promise.resolve({})
    },
  }
}

/** OpenID Core §9: by a JWT, whose audience is the token endpoint. */
const assertionBy = async (keys: Keys, clientId: string, audience: string): Promise<string> =>
  new SignJWT({ iss: clientId, sub: clientId, aud: audience, jti: randomUUID() })
    .setIssuedAt()
    .setExpirationTime('1m')
    .setProtectedHeader({ alg: 'RS256', kid: String(keys.jwk.kid) })
    .sign(keys.privateKey)

/** A client with private_key_jwt, whose keys are those that `keys` returns at the time of a request. */
export const privateKeyClient = async (
  service: Service,
  metadata: Json,
  keys: () => Keys,
  audience = `${service.base}/token`,
): Promise<Client> => {
  const method = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'RS256' }
  const set = 'jwks_uri' in metadata ? {} : { jwks: { keys: [keys().jwk] } }
  const registered = await registerClient(service, { ...method, ...set, ...metadata })
  return {
    ...described(registered),
    authenticate: async (form) => {
      form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      form.set('client_assertion', await assertionBy(keys(), registered.client_id, audience))
      return {}
    },
  }
}
