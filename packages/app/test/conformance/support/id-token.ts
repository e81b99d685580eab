// The checks of an ID token that every module makes: OpenID Core §2, §3.1.3.6, §3.1.3.7.
import {
  type JWTPayload,
  type ProtectedHeaderParameters,
  createRemoteJWKSet,
  decodeProtectedHeader,
  jwtVerify,
} from 'jose'
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Client } from './clients.js'
import type { Op } from './op.js'

export type IdToken = {
  readonly text: string
  readonly header: ProtectedHeaderParameters
  readonly claims: JWTPayload & { readonly sub?: string }
}

type Expected = { readonly nonce: string | null; readonly accessToken?: string; readonly code?: string }

const halfOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

/** Claims that a request for the scope openid alone does not ask for. */
const unasked = ['name', 'email', 'address', 'phone_number']

export const checkIdToken = async (op: Op, client: Client, text: string, expected: Expected): Promise<IdToken> => {
  const keys = createRemoteJWKSet(new URL(String(op.metadata['jwks_uri'])))
  const issuer = String(op.metadata['issuer'])
  const { payload } = await jwtVerify(text, keys, { issuer, audience: client.id, algorithms: ['RS256'] })
  const header = decodeProtectedHeader(text)
  assert.match(String(header.kid), /^\S+$/)
  assert.match(payload.sub ?? '', /^[\x20-\x7E]{1,255}$/)
  assert.ok((payload.exp ?? 0) * 1000 > Date.now())
  assert.ok(Math.abs((payload.iat ?? 0) * 1000 - Date.now()) < 300_000, 'iat')
  assert.is(payload['nonce'], expected.nonce ?? undefined)
  assert.is(payload['azp'] ?? client.id, client.id)
  for (const [name, value] of [
    ['at_hash', expected.accessToken],
    ['c_hash', expected.code],
  ] as const)
    if (name in payload && value !== undefined) assert.is(payload[name], halfOf(value), name)
  for (const name of unasked) assert.not.ok(name in payload, `${name} is in the ID token`)
  return { text, header, claims: payload }
}
