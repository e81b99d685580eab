// Modules about refresh tokens: OpenID Core §11, §12; RFC 6749 §6.
import * as assert from 'uvu/assert'
import type { Client } from './clients.js'
import { type Flow, checkRefused, checkTokens, flow, tokenRequest, userInfo } from './flow.js'
import { checkIdToken } from './id-token.js'
import type { Op } from './op.js'
import type { Module } from './plan.js'

export const withRefreshTokens = { grant_types: ['authorization_code', 'refresh_token'] }

export const offlineFlow = async (op: Op, client: Client): Promise<Flow & { readonly refreshToken: string }> => {
  const made = await flow(op, client, op.browser(), { scope: 'openid offline_access', prompt: 'consent' })
  // RFC 6749 §A.17
  assert.match(String(made.tokens['refresh_token']), /^[\x20-\x7E]{22,}$/)
  return Object.assign(made, { refreshToken: String(made.tokens['refresh_token']) })
}

const refresh = (op: Op, client: Client, refresh_token: string) =>
  tokenRequest(op, client, { grant_type: 'refresh_token', refresh_token })

/** Returns the latest refresh token. */
export const refreshed = async (op: Op, client: Client, made: Flow & { readonly refreshToken: string }) => {
  const answer = await refresh(op, client, made.refreshToken)
  checkTokens(answer)
  const accessToken = String(answer.json['access_token'])
  assert.not.equal(accessToken, made.accessToken)
  const { id_token, refresh_token } = answer.json
  if (typeof id_token === 'string') {
    // OpenID Core §12.2
    const { claims } = await checkIdToken(op, client, id_token, { nonce: null, accessToken })
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'azp']) assert.equal(claims[name], made.idToken.claims[name])
  }
  await userInfo(op, { accessToken, idToken: made.idToken })
  return typeof refresh_token === 'string' ? refresh_token : made.refreshToken
}

export const refreshTokens: Module = async (op) => {
  const one = await op.client(withRefreshTokens)
  const other = await op.client(withRefreshTokens)
  await refreshed(op, one, await offlineFlow(op, one))
  const ofOther = await refreshed(op, other, await offlineFlow(op, other))
  checkRefused(await refresh(op, one, ofOther), 'invalid_grant')
}
