// A service whose metadata are compared with what it does, and a client of it.
import { asymmetricAlgorithms } from '@clientele/domain/client'
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair, importJWK } from 'jose'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Service } from '../../../src/compose.js'
import { post } from '../../cli/run.js'
import { masterToken } from '../../support/two-services.js'
import { Browser, consented, endUser, goThrough } from './browser.js'
import { callback } from './relying-party.js'

export type Json = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, string | undefined>>
export type Op = {
  readonly service: Service
  readonly metadata: Json
  /** The members that a test has compared with what is done. */
  readonly walked: Set<string>
  readonly bindsTokens: boolean
  /** OAuth 2.1 §4.1.1: also of a client that authenticates. No member of the metadata says so. */
  readonly requiresPkce: boolean
}

export type Algorithm = (typeof asymmetricAlgorithms)[number]
type Key = { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }
const keys = new Map<Algorithm, Key>()
for (const alg of asymmetricAlgorithms) keys.set(alg, await generateKeyPair(alg, { extractable: true }))

const keyOf = (alg: Algorithm): Key => {
  const key = keys.get(alg)
  if (key === undefined) throw new Error(alg)
  return key
}

const jwks = {
  keys: await Promise.all(
    [...keys].map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg })),
  ),
}

type Registered = Json & { readonly client_id: string; readonly client_secret?: string }

/** Every service takes it. */
export const client = {
  client_uri: 'https://rp.example/',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'implicit'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks,
}

export const registered = async ({ service }: Op, more: Json = {}): Promise<Registered> => {
  const answer = await post(`${service.url}/clients`, masterToken, { ...client, ...more })
  assert.ok(answer.status < 300, `${JSON.stringify(more)} ${await answer.clone().text()}`)
  return (await answer.json()) as Registered
}

export const register = async (op: Op, more: Json = {}): Promise<string> => (await registered(op, more)).client_id

/** What a registration would say, without one. */
export const tried = async ({ service }: Op, sent: Json): Promise<{ readonly status: number; readonly json: Json }> => {
  const answer = await post(`${service.url}/clients?dry_run=true`, masterToken, sent)
  return { status: answer.status, json: (await answer.json()) as Json }
}

/** What the metadata say by the member, which is walked then. */
export const said = ({ metadata, walked }: Op, name: string): unknown => {
  walked.add(name)
  return metadata[name]
}

export const listOf = (op: Op, name: string): ReadonlyArray<string> => {
  const list = said(op, `${name}_supported`)
  return Array.isArray(list) ? list.map(String) : []
}

export const formOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): Array<[string, string]> =>
      value === undefined ? [] : [[name, value]],
    ),
  )

export const sign = (alg: Algorithm, claims: Json, header: Json = {}): Promise<string> =>
  new SignJWT({ jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg, kid: alg, ...header })
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(keyOf(alg).privateKey)

const proofOf = async (alg: Algorithm, htm: string, htu: string, token?: string): Promise<string> => {
  const ath = token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') }
  return sign(
    alg,
    { htm, htu, ...ath },
    { kid: undefined, typ: 'dpop+jwt', jwk: await exportJWK(keyOf(alg).publicKey) },
  )
}

type Asking = { readonly dpop?: Algorithm | undefined; readonly headers?: Readonly<Record<string, string>> }

/** Every service lists one of them. */
export const algorithmOf = (op: Op): Algorithm =>
  listOf(op, 'token_endpoint_auth_signing_alg_values').includes('ES256') ? 'ES256' : 'PS256'

/** The answer of an endpoint to the client, which authenticates by its keys. */
export const asked = async (
  op: Op,
  path: string,
  client_id: string,
  fields: Fields,
  { dpop = op.bindsTokens ? 'ES256' : undefined, headers = {} }: Asking = {},
): Promise<Response> => {
  const { url } = op.service
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(dpop === undefined ? {} : { DPoP: await proofOf(dpop, 'POST', `${url}${path}`) }) },
    body: formOf({
      client_id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign(algorithmOf(op), { iss: client_id, sub: client_id, aud: url }),
      ...fields,
    }),
  })
}

export const ask = async (...given: Parameters<typeof asked>) => {
  const answer = await asked(...given)
  const text = await answer.text()
  return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as Json }
}

export const verifier = randomBytes(32).toString('base64url')

export const requestOf = (client_id: string, more: Fields = {}): Fields => ({
  client_id,
  redirect_uri: callback,
  response_type: 'code',
  scope: 'openid',
  nonce: 'nonce',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  ...more,
})

export const requires = (op: Op): boolean => said(op, 'require_pushed_authorization_requests') === true

/** The URL of an authorization request, or the error of a pushed one. */
export const urlOf = async (
  op: Op,
  client_id: string,
  more: Fields = {},
): Promise<{ readonly url?: string; readonly error?: unknown }> => {
  const request = requestOf(client_id, more)
  const at = (fields: Fields) => `${op.service.url}/authorize?${formOf(fields).toString()}`
  if (!requires(op)) return { url: at(request) }
  const { status, json } = await ask(op, '/par', client_id, request)
  return status === 201
    ? { url: at({ client_id, request_uri: String(json['request_uri']) }) }
    : { error: json['error'] }
}

const claims = {
  ...Object.fromEntries(
    ['name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username'].map((name) => [name, 'Zoe']),
  ),
  ...Object.fromEntries(['profile', 'picture', 'website'].map((name) => [name, 'https://zoe.example/'])),
  ...{ gender: 'female', birthdate: '1990-01-01', zoneinfo: 'Europe/Sofia', locale: 'en', updated_at: 1 },
  ...{ email: 'zoe@op.example', email_verified: true, address: { country: 'Bulgaria' } },
  ...{ phone_number: '+359 2 1', phone_number_verified: true },
}
const signedIn = endUser('zoe', claims)
// The login says of which class the authentication was.
const login =
  'endUser' in signedIn ? { ...signedIn, endUser: { ...signedIn.endUser, acr: 'silver', amr: ['pwd'] } } : signedIn
export const zoe = { login, consent: consented }

/** The parameters of the answer, wherever they are. */
export const answered = async (op: Op, client_id: string, more: Fields = {}): Promise<URLSearchParams> => {
  const { url, error } = await urlOf(op, client_id, more)
  if (url === undefined) return new URLSearchParams({ error: String(error) })
  const { end, page } = await goThrough(new Browser(), op.service, url, zoe)
  if (end === undefined) return new URLSearchParams({ error: `page ${page?.status}` })
  return end.hash === '' ? end.searchParams : new URLSearchParams(end.hash.slice(1))
}

export const tokensOf = async (op: Op, client_id: string, more: Fields = {}): Promise<Json> =>
  redeemed(op, client_id, (await answered(op, client_id, more)).get('code') ?? undefined)

export const redeemed = async (op: Op, client_id: string, code: string | undefined): Promise<Json> => {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier }
  const { status, json } = await ask(op, '/token', client_id, fields)
  assert.is(status, 200, JSON.stringify(json))
  return json
}

/** The private key of this kid, for another algorithm than it was made for. */
export const privateKeyFor = async (kid: string | undefined, alg: string) => {
  const [, key] = [...keys].find(([each]) => each === kid) ?? []
  if (key === undefined) throw new Error(`no key ${kid}`)
  return importJWK(await exportJWK(key.privateKey), alg)
}

export const userInfo = async ({ service: { url }, bindsTokens }: Op, token: string): Promise<string> => {
  const bound = bindsTokens ? { DPoP: await proofOf('ES256', 'GET', `${url}/userinfo`, token) } : {}
  const headers = { Authorization: `${bindsTokens ? 'DPoP' : 'Bearer'} ${token}`, ...bound }
  return (await fetch(`${url}/userinfo`, { headers })).text()
}
