// Rows 101 to 118 of the attack catalogue: every request gets the confirmation page, ends no session, and redirects to
// no other URI.
import { SignJWT } from 'jose'
import * as assert from 'uvu/assert'
import { openBrowser } from './support/browser.js'
import { backUri } from './support/logout-service.js'
import {
  type LogoutWorld,
  type Parameters,
  requested,
  isConfirmation,
  isSignedIn,
  logoutSuite,
} from './support/logout-world.js'

const { test, it } = logoutSuite('attacks on the way back')

// Answers "stay", so that the same session serves for the next attempt.
const leadsNowhere = async ({ browser }: LogoutWorld, parameters: Parameters): Promise<void> => {
  const page = await browser.answer(isConfirmation(await browser.get(requested(parameters))), 'stay')
  assert.equal([page.status, page.headers.get('location')], [200, null], JSON.stringify(parameters).slice(0, 300))
}

const leadsBack = async ({ browser }: LogoutWorld, parameters: Parameters): Promise<string> => {
  const page = await browser.answer(isConfirmation(await browser.get(requested(parameters))), 'stay')
  assert.is(page.status, 303, JSON.stringify(parameters).slice(0, 300))
  return page.headers.get('location') ?? ''
}

const reasonsOf = async ({ service }: LogoutWorld): Promise<ReadonlyArray<unknown>> => {
  await new Promise((resolve) => setTimeout(resolve, 50))
  return service.logLines().flatMap(({ route, reason }) => (route === '/logout' ? [reason] : []))
}

const post_logout_redirect_uri = backUri

it('claims that do not fit, each with its reason in the log', async (world) => {
  const { service, client } = world
  const now = Math.floor(Date.now() / 1000)
  const other = await service.register({ client_name: 'Other' })
  const cases: ReadonlyArray<readonly [reason: string, hint: string]> = [
    ['hint_other_issuer', await service.idToken(client, { iss: `${service.base}/` })],
    ['hint_other_issuer', await service.idToken(client, { iss: 'https://other.example' })],
    ['hint_not_an_id_token', await service.idToken(client, { iss: undefined })],
    ['hint_not_an_id_token', await service.idToken(client, { sub: undefined })],
    ['hint_not_an_id_token', await service.idToken(client, { exp: undefined })],
    ['hint_not_an_id_token', await service.idToken(client, {}, { typ: 'at+jwt' })],
    ['hint_not_an_id_token', await service.idToken(client, {}, { typ: 'logout+jwt' })],
    ['hint_not_an_id_token', await service.idToken(client, { events: {} })],
    ['hint_not_an_id_token', await service.idToken(client, { client_id: client.client_id, scope: 'openid' })],
    ['hint_not_yet_issued', await service.idToken(client, { iat: now + 3_600 })],
    ['hint_not_yet_issued', await service.idToken(client, { nbf: now + 3_600 })],
    ['hint_not_an_id_token', await service.idToken(client, { nbf: 'x' })],
    ['hint_other_client', await service.idToken(client, { azp: other.client_id })],
    ['hint_before_registration', await service.idToken(client, { iat: now - 3_600 })],
    ['hint_audience', await service.idToken(client, { aud: 'nobody' })],
    ['hint_audience', await service.idToken(client, { aud: [] })],
    ['hint_audience', await service.idToken(client, { aud: [client.client_id, other.client_id] })],
    ['other_user', await service.idToken(client, { sub: 'bob' })],
    ['other_session', await service.idToken(client, { sid: 'another' })],
    ['hint_malformed', 'x'],
  ]
  for (const [, id_token_hint] of cases) await leadsNowhere(world, { id_token_hint, post_logout_redirect_uri })
  assert.equal(
    await reasonsOf(world),
    cases.map(([reason]) => reason),
  )
  await isSignedIn(world)
})

it('an expired hint counts, a minute, a day and a year after', async (world) => {
  const now = Math.floor(Date.now() / 1000)
  for (const age of [60, 86_400, 31_536_000]) {
    const id_token_hint = await world.service.idToken(world.client, { exp: now - age })
    assert.is(await leadsBack(world, { id_token_hint, post_logout_redirect_uri }), backUri)
  }
})

it('an audience of several counts when one of them is registered', async (world) => {
  const { service, client } = world
  const id_token_hint = await service.idToken(client, { aud: ['https://api.example', client.client_id, 'gone'] })
  assert.is(await leadsBack(world, { id_token_hint, post_logout_redirect_uri }), backUri)
})

it('client_id must be that of the hint, and alone unlocks nothing', async (world) => {
  const { service, client } = world
  const id_token_hint = await service.idToken(client)
  const other = await service.register({})
  await leadsNowhere(world, { client_id: client.client_id, post_logout_redirect_uri })
  await leadsNowhere(world, { id_token_hint, client_id: other.client_id, post_logout_redirect_uri })
  await leadsBack(world, { id_token_hint, client_id: client.client_id, post_logout_redirect_uri, logout_hint: 'alice' })
})

it('a URI that is not the registered one, byte for byte', async (world) => {
  const { service, client } = world
  await service.register({ post_logout_redirect_uris: ['https://other.example/out'] })
  const id_token_hint = await service.idToken(client)
  for (const uri of [
    'https://other.example/out',
    `${backUri}?foo=bar`,
    `${backUri}#`,
    `${backUri}/`,
    backUri.replace('rp.example', 'RP.example'),
    backUri.replace('rp.example', 'rp.example:443'),
    backUri.replace('/signed-out', '%2Fsigned-out'),
    backUri.slice(0, -1),
    backUri.replace('rp.', 'a.rp.'),
    ` ${backUri}`,
    `${backUri}\u0000`,
    'javascript:alert(1)',
    '//rp.example/signed-out',
    'x'.repeat(3_000),
  ])
    await leadsNowhere(world, { id_token_hint, post_logout_redirect_uri: uri })
})

it('a parameter that is given twice', async (world) => {
  const id_token_hint = await world.service.idToken(world.client)
  const once: ReadonlyArray<[string, string]> = [
    ['id_token_hint', id_token_hint],
    ['post_logout_redirect_uri', backUri],
    ['state', 's'],
    ['client_id', world.client.client_id],
  ]
  await leadsBack(world, once)
  for (const [name, value] of once) {
    await leadsNowhere(world, [...once, [name, value]])
    await leadsNowhere(world, [[name, 'https://evil.example/'], ...once])
  }
})

it('a state comes back as it was, and cannot break out of its parameter', async (world) => {
  const id_token_hint = await world.service.idToken(world.client)
  for (const state of [
    'a&x=1#y',
    '\r\nSet-Cookie: a=b',
    '"><script>',
    'ü 😀 +;,',
    ';,;?',
    '%0d%0a',
    '\u0000',
    '\uFFFD',
  ]) {
    const location = await leadsBack(world, { id_token_hint, post_logout_redirect_uri, state })
    assert.ok(location.startsWith(`${backUri}?state=`))
    assert.match(location, /^[\x21-\x7e]+$/)
    assert.equal([...new URL(location).searchParams], [['state', state]])
  }
  for (const state of ['', 'x'.repeat(5_000)])
    assert.is(await leadsBack(world, { id_token_hint, post_logout_redirect_uri, state }), backUri)
})

it('ill-formed percent-encoding and foreign parameters do not hurt', async (world) => {
  for (const query of [
    'state=%FF',
    'state=%ED%A0%80',
    'state=%',
    '%=%',
    '__proto__=x&constructor=y',
    '&&&==',
    'a=b'.repeat(500),
  ])
    isConfirmation(await world.browser.get(`/logout?${query}`))
})

it('a hint by a POST of 60 KiB of form is too long, and a form that is none asks nothing', async (world) => {
  const { browser } = world
  const long = await browser.post('/logout', { id_token_hint: 'x'.repeat(60_000), post_logout_redirect_uri })
  isConfirmation(long)
  for (const [body, type] of [
    ['x'.repeat(100_000), 'application/x-www-form-urlencoded'],
    ['{"state":1}', 'application/json'],
    ['', 'text/plain'],
  ] as const)
    isConfirmation(await browser.post('/logout', body, { 'Content-Type': type }))
  await isSignedIn(world)
})

it('by POST from another site, without any cookie, it works all the same', async (world) => {
  const { service, client, browser } = world
  const id_token_hint = await service.idToken(client)
  const form = { id_token_hint, post_logout_redirect_uri, state: 's' }
  const confirmation = isConfirmation(
    await browser.post('/logout', form, { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://rp.example' }),
  )
  const page = await browser.answer(confirmation, 'logout')
  assert.equal([page.status, page.headers.get('location')], [303, `${backUri}?state=s`])
  assert.equal(await service.sessionsOf('alice'), [])
})

it('nobody is signed in: the page says so, and leads back when it is asked to', async ({ service, client }) => {
  const browser = openBrowser(service.base)
  const alone = await browser.get('/logout')
  assert.equal([alone.status, alone.value], [200, ''])
  const id_token_hint = await service.idToken(client)
  const page = isConfirmation(await browser.get(requested({ id_token_hint, post_logout_redirect_uri, state: 's' })))
  const back = await browser.answer(page, 'stay')
  assert.equal([back.status, back.headers.get('location')], [303, `${backUri}?state=s`])
})

it('a hint by a key of ours that signs something else: no way back for what another issuer could have made', async (world) => {
  const secret = new TextEncoder().encode('x'.repeat(64))
  const header = { alg: 'HS256', kid: world.service.kid }
  const claims = { iss: world.service.base, sub: 'alice', aud: world.client.client_id }
  const id_token_hint = await new SignJWT(claims)
    .setIssuedAt()
    .setExpirationTime('1h')
    .setProtectedHeader(header)
    .sign(secret)
  await leadsNowhere(world, { id_token_hint, post_logout_redirect_uri })
})

test.run()
