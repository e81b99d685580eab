// The OpenID conformance suite's plan oidcc-rp-initiated-logout-certification-test-plan, module by module under its own names.
import { UnsecuredJWT, SignJWT, generateKeyPair } from 'jose'
import * as assert from 'uvu/assert'
import { backUri } from './support/logout-service.js'
import {
  type LogoutWorld,
  type Parameters,
  requested,
  isConfirmation,
  isSignedOut,
  logoutSuite,
} from './support/logout-world.js'

// 50 letters, 10 digits and 30 punctuation characters: VSCHAR without + and ;
const state = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX0123456789!"#$%&\'()*,-./:<=>?@[\\]^_`{|}~!'

const { test, it } = logoutSuite('oidcc-rp-initiated-logout-certification-test-plan')

const answerWithoutRedirect = async (world: LogoutWorld, parameters: Parameters): Promise<void> => {
  const confirmation = isConfirmation(await world.browser.get(requested(parameters)))
  const page = await world.browser.answer(confirmation, 'logout')
  assert.is(page.status, 200)
  assert.is(page.headers.get('location'), null)
  await isSignedOut(world)
}

const answerWithRedirect = async (world: LogoutWorld, parameters: Parameters): Promise<URLSearchParams> => {
  const confirmation = isConfirmation(await world.browser.get(requested(parameters)))
  const sent = await world.browser.answer(confirmation, 'logout')
  assert.is(sent.status, 303)
  const location = sent.headers.get('location') ?? ''
  assert.is(location.split('?')[0], backUri)
  await isSignedOut(world)
  return new URLSearchParams(location.split('?')[1] ?? '')
}

it('oidcc-rp-initiated-logout-discovery-endpoint-verification', async ({ service }) => {
  const metadata: unknown = await (await fetch(`${service.base}/.well-known/openid-configuration`)).json()
  assert.is(
    Object.entries(metadata ?? {}).find(([name]) => name === 'end_session_endpoint')?.[1],
    `${service.base}/logout`,
  )
})

it('oidcc-rp-initiated-logout', async (world) => {
  const id_token_hint = await world.service.idToken(world.client, { sid: world.session.sid })
  const back = await answerWithRedirect(world, { id_token_hint, post_logout_redirect_uri: backUri, state })
  assert.equal([...back], [['state', state]])
})

it('oidcc-rp-initiated-logout-no-state', async (world) => {
  const id_token_hint = await world.service.idToken(world.client)
  assert.equal([...(await answerWithRedirect(world, { id_token_hint, post_logout_redirect_uri: backUri }))], [])
})

it('oidcc-rp-initiated-logout-no-params', (world) => answerWithoutRedirect(world, {}))

it('oidcc-rp-initiated-logout-only-state', (world) => answerWithoutRedirect(world, { state }))

it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async (world) => {
  await answerWithoutRedirect(world, { id_token_hint: await world.service.idToken(world.client), state })
})

it('oidcc-rp-initiated-logout-no-id-token-hint', (world) =>
  answerWithoutRedirect(world, { post_logout_redirect_uri: backUri, state }))

it('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', async (world) => {
  const id_token_hint = await world.service.idToken(world.client)
  await answerWithoutRedirect(world, { id_token_hint, post_logout_redirect_uri: `${backUri}/other`, state })
})

it('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', async (world) => {
  const id_token_hint = await world.service.idToken(world.client)
  await answerWithoutRedirect(world, { id_token_hint, post_logout_redirect_uri: `${backUri}?foo=bar`, state })
})

const claimsFor = ({ service, client }: LogoutWorld) => ({
  iss: service.base,
  sub: 'alice',
  aud: client.client_id,
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 3600,
})

it('oidcc-rp-initiated-logout-modified-id-token-hint', async (world) => {
  const id_token_hint = new UnsecuredJWT(claimsFor(world)).encode()
  await answerWithoutRedirect(world, { id_token_hint, post_logout_redirect_uri: backUri, state })
})

it('oidcc-rp-initiated-logout-bad-id-token-hint', async (world) => {
  const { privateKey } = await generateKeyPair('RS256')
  const header = { alg: 'RS256', kid: world.service.kid }
  const id_token_hint = await new SignJWT(claimsFor(world)).setProtectedHeader(header).sign(privateKey)
  await answerWithoutRedirect(world, { id_token_hint, post_logout_redirect_uri: backUri, state })
})

test.run()
