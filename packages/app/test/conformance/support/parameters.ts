// Modules about parameters of an authorization request that may have no effect, but are no error: OpenID Core §3.1.2.1, §15.1.
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Parameters, completed, flow, random, requestOf, sentBy, urlOf } from './flow.js'
import type { Module } from './plan.js'

const withParameters =
  (parameters: Parameters): Module =>
  async (op) => {
    const { requested } = await flow(op, await op.client(), op.browser(), parameters)
    assert.equal(requested, ['login', 'consent'])
  }

export const displayPage = withParameters({ display: 'page' })
export const displayPopup = withParameters({ display: 'popup' })
export const loginHint = withParameters({ login_hint: 'jane' })
export const uiLocales = withParameters({ ui_locales: 'se' })
export const claimsLocales = withParameters({ claims_locales: 'se' })
export const acrValues: Module = async (op) => {
  const { requested, idToken } = await flow(op, await op.client(), op.browser(), { acr_values: '1 2' })
  assert.equal(requested, ['login', 'consent'])
  assert.is(idToken.claims['acr'], undefined)
}
// RFC 6749 §3.1
export const unknownParameter = withParameters({ extra: 'foobar' })

// RFC 7636 §4
export const validPkce: Module = async (op) => {
  const client = await op.client()
  const code_verifier = random(32)
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const request = requestOf(client, { code_challenge, code_challenge_method: 'S256' })
  await completed(op, client, request, await op.browser().visit(urlOf(op, request)), { code_verifier })
}

export const postRequest: Module = async (op) => {
  const client = await op.client()
  const endUser = op.browser()
  const request = requestOf(client)
  const url = String(op.metadata['authorization_endpoint'])
  const posted = await endUser.browserOf(url).open(url, { method: 'POST', body: sentBy(op, request) })
  const location = posted.headers.get('location')
  if (location === null) throw new Error(await posted.text())
  await completed(op, client, request, await endUser.visit(new URL(location, url)))
}
