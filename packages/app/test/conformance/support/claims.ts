// Modules about the UserInfo endpoint and the claims that scopes ask for: OpenID Core §5.3, §5.4.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as assert from 'uvu/assert'
import { type Answer, type Sent, send } from '../../support/requests.js'
import { type Flow, type Parameters, completed, flow, requestOf, urlOf, userInfo } from './flow.js'
import { type Op, claimsByScope } from './op.js'
import type { Module } from './plan.js'

const userInfoBy = (op: Op, sent: Sent): Promise<Answer> =>
  send(op.provider.service, String(op.metadata['userinfo_endpoint']), sent)

const checkInfo = ({ status, headers, json, text }: Answer, { idToken }: Flow): void => {
  assert.is(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(json, { sub: idToken.claims.sub })
}

const infoModule =
  (sent: (accessToken: string) => Sent): Module =>
  async (op) => {
    const made = await flow(op, await op.client())
    checkInfo(await userInfoBy(op, sent(made.accessToken)), made)
  }

export const userInfoGet = infoModule((token) => ({ token }))
export const userInfoPostHeader = infoModule((token) => ({ method: 'POST', token }))
// RFC 6750 §2.2
export const userInfoPostBody = infoModule((token) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ access_token: token }).toString(),
}))

type Scope = keyof typeof claimsByScope

/** The claims of these scopes, and no others. */
const checkClaims = async (op: Op, made: Flow, scopes: ReadonlyArray<Scope>): Promise<void> => {
  const { sub, ...claims } = await userInfo(op, made)
  assert.is(sub, made.idToken.claims.sub)
  assert.equal(claims, Object.assign({}, ...scopes.map((each) => claimsByScope[each])))
}

const scopeModule =
  (...scopes: ReadonlyArray<Scope>): Module =>
  async (op) => {
    const parameters: Parameters = { scope: ['openid', ...scopes].join(' ') }
    await checkClaims(op, await flow(op, await op.client(), op.browser(), parameters), scopes)
  }

export const scopeProfile = scopeModule('profile')
export const scopeEmail = scopeModule('email')
export const scopeAddress = scopeModule('address')
export const scopePhone = scopeModule('phone')
export const scopeAll = scopeModule('email', 'phone', 'address', 'profile')

// RFC 6749 §3.3: the order of scope values does not matter; nor does that of the parameters.
export const alternateHappyFlow: Module = async (op) => {
  const client = await op.client()
  const usual = requestOf(client, { scope: 'email openid' })
  const request = new URLSearchParams([...usual].reverse())
  const made = await completed(op, client, request, await op.browser().visit(urlOf(op, request)))
  await checkClaims(op, made, ['email'])
}

// OpenID Core §5.5: the parameter is OPTIONAL, and the suite warns where the claim is not returned.
export const claimsEssential: Module = async (op) => {
  const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
  await checkClaims(op, await flow(op, await op.client(), op.browser(), { claims }), [])
}

// OpenID Core §5.3.2
export const userInfoRS256: Module = async (op) => {
  const client = await op.client({ userinfo_signed_response_alg: 'RS256' })
  const listed: unknown = op.metadata['userinfo_signing_alg_values_supported']
  assert.ok(Array.isArray(listed) && listed.includes('RS256'))
  const made = await flow(op, client)
  const { status, headers, text } = await userInfoBy(op, { token: made.accessToken })
  assert.is(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/jwt/)
  const keys = createRemoteJWKSet(new URL(String(op.metadata['jwks_uri'])))
  const options = { issuer: String(op.metadata['issuer']), audience: client.id, algorithms: ['RS256'] }
  const { payload } = await jwtVerify(text, keys, options)
  assert.is(payload.sub, made.idToken.claims.sub)
  assert.not.ok('nonce' in payload)
}
