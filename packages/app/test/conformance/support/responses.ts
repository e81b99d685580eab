// Modules about the responses: the authorization code, the ID token, the token response.
import * as assert from 'uvu/assert'
import { registerOpenly, send } from '../../support/requests.js'
import { type Client, postClient } from './clients.js'
import { type Flow, answerTo, checkRefused, codeIn, flow, redeem, refusedOnPage, requestOf, urlOf } from './flow.js'
import type { Op } from './op.js'
import { type Module, pausing } from './plan.js'

/** Shannon's entropy of the characters, in bits, as the suite estimates it. */
const entropyOf = (text: string): number => {
  const counts = [...new Set(text)].map((each) => text.split(each).length - 1)
  return text.length * counts.reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

export const server: Module = async (op) => {
  const { code, tokens, idToken } = await flow(op, await op.client())
  // RFC 6749 §10.10
  assert.ok(code.length >= 22, code)
  assert.ok(entropyOf(code) >= 96, code)
  assert.ok(Number(tokens['expires_in']) > 0)
  assert.equal(
    Object.keys(idToken.claims)
      .filter((name) => !['at_hash', 'c_hash', 'auth_time', 'acr', 'amr', 'sid', 'azp'].includes(name))
      .sort(),
    ['aud', 'exp', 'iat', 'iss', 'nonce', 'sub'],
  )
}

// RFC 6749 §3.1.1: an error page, or an error at the redirection URI.
export const responseTypeMissing: Module = async (op) => {
  await refusedOnPage(op, requestOf(await op.client(), { response_type: undefined }), 'invalid_request')
}

export const idTokenSignature: Module = async (op) => {
  const { header } = (await flow(op, await op.client())).idToken
  assert.is(header.alg, 'RS256')
  assert.type(header.kid, 'string')
}

export const idTokenRS256: Module = async (op) => {
  const { header } = (await flow(op, await op.client({ id_token_signed_response_alg: 'RS256' }))).idToken
  assert.is(header.alg, 'RS256')
  assert.type(header.kid, 'string')
}

// The suite registers no client then: the service would refuse it.
export const idTokenUnsigned: Module = async (op) => {
  const json = { redirect_uris: ['https://rp.example/callback'], id_token_signed_response_alg: 'none' }
  checkRefused(await registerOpenly(op.provider.service, json), 'invalid_client_metadata')
}

export const withoutNonce: Module = async (op) => {
  const request = requestOf(await op.client(), { nonce: undefined })
  assert.ok(codeIn(answerTo(op, request, await op.browser().visit(urlOf(op, request)))))
}

export const clientSecretPost: Module = async (op) => {
  await flow(op, await postClient(op.provider.service))
}

/** The same token request again, and what became of the access token (RFC 6749 §4.1.2). */
const isRefusedAgain = async (op: Op, client: Client, { code, accessToken }: Flow) => {
  checkRefused(await redeem(op, client, code), 'invalid_grant')
  const info = await send(op.provider.service, String(op.metadata['userinfo_endpoint']), { token: accessToken })
  assert.is(info.status, 401, 'the access token outlives the reuse of its code')
}

export const codeReuse: Module = async (op) => {
  const client = await op.client()
  await isRefusedAgain(op, client, await flow(op, client))
}

export const codeReuseAfter30Seconds = pausing(
  30,
  async (op) => {
    const client = await op.client()
    return { client, made: await flow(op, client) }
  },
  (op, { client, made }) => isRefusedAgain(op, client, made),
)
