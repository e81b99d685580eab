// The OpenID conformance suite's plan for Back-Channel Logout, module by module under its own names.
import { epochSeconds } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { SignJWT, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { createLog } from '../../src/observing/log.js'
import { started } from '../cli/run.js'
import { type Receiver, reachReceivers, startReceiver, tokensOf, until } from '../support/receivers.js'
import { send } from '../support/requests.js'
import { discard, newDataDir } from '../support/service.js'
import { type Provider, type SignedIn, registerNotified, signIn, signOut } from '../support/sessions.js'
import { openBrowser } from './support/browser.js'
import { backUri } from './support/logout-service.js'

type World = { dataDir: string; service: Service; provider: Provider; receiver: Receiver; lines: Array<string> }

const backchannel = suite<World>('oidcc-backchannel-rp-initiated-logout-certification-test-plan')

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

backchannel.before.each(async (world) => {
  world.dataDir = newDataDir()
  world.lines = []
  world.receiver = await startReceiver()
  const master = randomBytes(32).toString('hex')
  const flags = {
    'data-dir': world.dataDir,
    'master-token': master,
    'signing-algorithms': 'RS256,ES256',
    'outbound-fetches': 'true',
  }
  const log = createLog('info', { write: (line) => world.lines.push(line), writableLength: 0 })
  world.service = await started(flags, { log, outbound: reachReceivers })
  world.provider = { base: world.service.baseUrl, master }
})
backchannel.after.each(async ({ service, receiver, dataDir }) => {
  await service.stop()
  await receiver.stop()
  discard(dataDir)
})

const listed = async ({ base, master }: Provider): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
  const { notices } = JSON.parse((await send({ base }, '/logouts', { token: master })).text)
  return notices
}

backchannel('oidcc-backchannel-logout-discovery-endpoint-verification', async ({ provider }) => {
  const { json } = await send(provider, '/.well-known/openid-configuration')
  const names = ['end_session_endpoint', 'backchannel_logout_supported', 'backchannel_logout_session_supported']
  assert.equal(
    names.map((name) => json[name]),
    [`${provider.base}/logout`, true, true],
  )
})

// As by the provider beside the service.
const idToken = async ({ service }: World, alg: string, client: string, session: SignedIn): Promise<string> => {
  const { sub, sid } = session.names.get(client) ?? {}
  const claims = { aud: client, sub: String(sub), sid: String(sid) }
  const signed = await service.provider.signToken({
    alg,
    typ: 'JWT',
    claims,
    expiresAt: epochSeconds(Date.now() + 60_000),
  })()
  if (E.isLeft(signed)) throw new Error(signed.left.error)
  return signed.right
}

/** The end-user signs out at the application, confirms it, and is redirected. */
const signOutAtApplication = async (world: World, alg: string, client: string, session: SignedIn): Promise<void> => {
  const browser = openBrowser(world.provider.base, [session.cookie])
  const id_token_hint = await idToken(world, alg, client, session)
  const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: backUri, state: 'as sent' })
  const confirmation = await browser.get(`/logout?${query.toString()}`)
  const answered = await browser.answer(confirmation, 'logout')
  const location = answered.headers.get('location') ?? ''
  assert.equal([confirmation.status, answered.status, location.split('?')[0]], [200, 303, backUri])
  assert.equal([...new URL(location).searchParams], [['state', 'as sent']])
}

/** All checks of the suite for the one token that was received. */
const checkToken = async ({ provider, receiver }: World, alg: string, client: string, { names }: SignedIn) => {
  const [{ path, type, form } = { path: '', type: '', form: [] }] = receiver.received
  assert.equal([path, type], ['POST /logout?from=op', 'application/x-www-form-urlencoded'])
  assert.equal(
    form.map(([name]) => name),
    ['logout_token'],
  )
  const [token = ''] = tokensOf(receiver)
  const keys = createRemoteJWKSet(new URL(`${provider.base}/jwks.json`))
  const options = { issuer: provider.base, audience: client, typ: 'logout+jwt', algorithms: [alg] }
  const { iat = 0, exp = 0, jti = '', ...claims } = (await jwtVerify(token, keys, options)).payload
  assert.equal(Object.keys(decodeProtectedHeader(token)).sort(), ['alg', 'kid', 'typ'])
  assert.ok(Math.abs(iat - Date.now() / 1000) < 120, 'iat')
  assert.is(exp - iat, 120)
  assert.match(jti, /^[A-Za-z0-9]{43}$/)
  const { sub, sid } = names.get(client) ?? {}
  assert.equal(claims, { iss: provider.base, aud: client, sub, sid, events: { [logoutEvent]: {} } })
  return [token, jti, String(sub), String(sid)]
}

for (const alg of ['RS256', 'ES256'])
  backchannel(`oidcc-backchannel-rp-initiated-logout, signed with ${alg}`, async (world) => {
    const { provider, receiver, lines } = world
    const metadata = { id_token_signed_response_alg: alg, post_logout_redirect_uris: [backUri] }
    const client = await registerNotified(provider, receiver.uri, metadata)
    const session = await signIn(provider, 'zoe', [client])
    await signOutAtApplication(world, alg, client, session)
    await until(() => receiver.received.length === 1)
    const secrets = await checkToken(world, alg, client, session)
    await until(async () => (await listed(provider)).length === 0)
    const reported = lines.map((line) => JSON.parse(line)).filter(({ notice }) => notice !== undefined)
    assert.equal(
      reported.map(({ level, client_id }) => [level, client_id]),
      [['info', client]],
    )
    for (const secret of secrets) assert.not.match(lines.join('\n'), secret)
  })

backchannel('every application of the session is told, each in its own token; nobody else is', async (world) => {
  const { provider, receiver } = world
  const clients = [await registerNotified(provider, receiver.uri), await registerNotified(provider, receiver.uri)]
  const ended = await signIn(provider, 'zoe', clients)
  const other = await signIn(provider, 'zoe', clients)
  await signOut(provider, ended)
  await until(() => receiver.received.length === 2)
  const keys = createRemoteJWKSet(new URL(`${provider.base}/jwks.json`))
  const payloads = await Promise.all(tokensOf(receiver).map(async (token) => (await jwtVerify(token, keys)).payload))
  assert.equal(new Set(payloads.map(({ aud }) => aud)), new Set(clients))
  assert.is(new Set(payloads.map(({ jti }) => jti)).size, 2)
  const reported = new Set(payloads.map(({ sid }) => sid))
  for (const client of clients) {
    assert.ok(reported.has(ended.names.get(client)?.['sid']))
    assert.not.ok(reported.has(other.names.get(client)?.['sid']))
  }
  assert.is(receiver.received.length, 2)
})

// OpenID Core §10.1: the key of HS256 is the client_secret; Back-Channel Logout §2.4: logout tokens are signed as ID tokens are
backchannel('a client with HS256: its secret verifies the hint, and signs the logout token', async (world) => {
  const { provider, receiver } = world
  const metadata = { id_token_signed_response_alg: 'HS256', post_logout_redirect_uris: [backUri] }
  const client = await registerNotified(provider, receiver.uri, metadata)
  const { client_secret } = (await send(provider, `/clients/${client}`, { token: provider.master })).json
  const session = await signIn(provider, 'zoe', [client])
  const { sub, sid } = session.names.get(client) ?? {}
  const secret = new TextEncoder().encode(String(client_secret))
  const hintBy = (key: Uint8Array) =>
    new SignJWT({ iss: provider.base, aud: client, sub: String(sub), sid })
      .setIssuedAt()
      .setExpirationTime('1m')
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key)
  const browser = openBrowser(provider.base, [session.cookie])
  const confirmationFor = async (id_token_hint: string) =>
    browser.get(`/logout?${new URLSearchParams({ id_token_hint, post_logout_redirect_uri: backUri }).toString()}`)
  const forged = await browser.answer(await confirmationFor(await hintBy(randomBytes(43))), 'stay')
  assert.equal([forged.status, forged.headers.get('location')], [200, null])
  assert.match(world.lines.join(''), 'hint_bad_signature')
  const answered = await browser.answer(await confirmationFor(await hintBy(secret)), 'logout')
  assert.equal([answered.status, answered.headers.get('location')], [303, backUri])
  await until(() => receiver.received.length === 1)
  const [token = ''] = tokensOf(receiver)
  const options = { issuer: provider.base, audience: client, typ: 'logout+jwt', algorithms: ['HS256'] }
  const { payload } = await jwtVerify(token, secret, options)
  assert.equal([payload.sub, payload['sid']], [sub, sid])
  assert.equal(Object.keys(decodeProtectedHeader(token)).sort(), ['alg', 'typ'])
})

backchannel.run()
