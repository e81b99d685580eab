// The interface for a provider in the same process, on two instances over one store.
import { type JsonObject, epochSeconds } from '@clientele/domain/kernel'
import type { ProviderEvent } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { CompactEncrypt, compactVerify, createLocalJWKSet, importJWK, type JSONWebKeySet } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { done, find, grant, register, remove, startTwo, stopTwo, type World } from '../support/two-services.js'

const provider = suite<{ world: World }>('the provider of a composed service')

provider.before(async (context) => {
  context.world = await startTwo()
})
provider.after(({ world }) => stopTwo(world))

provider('a client that one instance registers is found and authenticated by the other', async ({ world }) => {
  const { clients } = world.other.provider
  const { client_id, client_secret } = await register(world.one)
  assert.is(O.toUndefined(await done(clients.find(client_id)))?.secret?.client_secret, client_secret)
  assert.equal(await done(clients.find('nothing of the kind / 1')), O.none)
  const request = { clientId: client_id, method: 'client_secret_basic', secret: client_secret } as const
  assert.is((await done(clients.authenticate(request))).client_id, client_id)
  for (const wrong of [
    { ...request, secret: 'another' },
    { ...request, method: 'none' as const },
  ]) {
    const refused = await clients.authenticate(wrong)()
    assert.is(E.isLeft(refused) && refused.left.error, 'invalid_client')
  }
})

provider('what was granted is found by its token until it is revoked, or its client is deleted', async ({ world }) => {
  const { authorizations } = world.one.provider
  const client = await register(world.one)
  const registration = await find(world.one, client.client_id)
  for (const token of ['first', 'second']) await done(authorizations.record(grant(registration, token)))
  const found = (token: string) => done(world.other.provider.authorizations.find('refresh_token', token))
  assert.equal(O.toUndefined(await found('first'))?.details, { scope: 'a' })
  assert.equal(await found('third'), O.none)
  const { client_id, registration_id } = registration
  for (const unknown of [
    { client_id: 'stranger', registration_id },
    { client_id: 'no identifier / 1', registration_id },
    { client_id, registration_id: 'no registration' },
    { client_id, registration_id: 'r'.repeat(22) },
  ]) {
    const refused = await authorizations.record(grant(unknown, 'third'))()
    assert.is(E.isLeft(refused) && refused.left.error, 'unknown_client')
  }
  await done(authorizations.revoke('refresh_token', 'first'))
  await done(authorizations.revoke('refresh_token', 'first'))
  assert.equal(await found('first'), O.none)
  assert.ok(O.isSome(await found('second')))
  await remove(world.other, client)
  assert.equal(await found('second'), O.none)
})

provider(
  'a grant that cannot be stored as it is, or whose session is over, is refused, and nothing is stored',
  async ({ world }) => {
    const { authorizations, sessions } = world.one.provider
    const client = await find(world.one, (await register(world.one)).client_id)
    const nested = Array.from({ length: 33 }).reduce<JsonObject>((inner) => ({ inner }), {})
    for (const wrong of [{ expires_at: 1.5 }, { expires_at: -1 }, { details: nested }]) {
      const refused = await authorizations.record({ ...grant(client, 'wrong'), ...wrong })()
      assert.is(E.isLeft(refused) && refused.left.error, 'invalid_request')
    }
    const nameless = await authorizations.record({ ...grant(client, 'wrong'), session: 'a\u0000b', offline: true })()
    assert.is(E.isLeft(nameless) && nameless.left.error, 'unknown_session')
    const { session } = await done(sessions.start({ sub: 'zoe', lifetime: 1 }))
    const online = { ...grant(client, 'online'), session: session.sid }
    await done(authorizations.record(online))
    await done(authorizations.record({ ...grant(client, 'offline'), session: session.sid, offline: true }))
    assert.ok(O.isSome(await done(authorizations.find('refresh_token', 'online'))))
    await new Promise((resolve) => setTimeout(resolve, 2100))
    assert.equal(await done(authorizations.find('refresh_token', 'online')), O.none)
    assert.ok(O.isSome(await done(authorizations.find('refresh_token', 'offline'))))
    const over = await authorizations.record(online)()
    assert.is(E.isLeft(over) && over.left.error, 'unknown_session')
    assert.equal(await done(authorizations.find('refresh_token', 'wrong')), O.none)
  },
)

provider('a session names its clients, and ends with what it granted', async ({ world }) => {
  const { sessions, authorizations } = world.one.provider
  const client = await find(world.one, (await register(world.one)).client_id)
  const { client_id, registration_id } = client
  const { session, cookie } = await done(sessions.start({ sub: 'zoe', lifetime: 3600 }))
  assert.equal(await done(sessions.recordClient(session.sid, { client_id, registration_id })), {
    client_id,
    registration_id,
    sub: 'zoe',
    sid: session.sid,
  })
  await done(authorizations.record({ ...grant(client, 'of the session'), session: session.sid }))
  const { sessions: ofOther } = world.other.provider
  assert.is((await done(ofOther.find(cookie))).sid, session.sid)
  assert.equal(
    (await done(ofOther.list('zoe'))).map(({ sid }) => sid),
    [session.sid],
  )
  await done(ofOther.end(session.sid))
  assert.equal(await done(sessions.list('zoe')), [])
  assert.equal(await done(authorizations.find('refresh_token', 'of the session')), O.none)
  const unknown = await sessions.end(session.sid)()
  assert.is(E.isLeft(unknown) && unknown.left.error, 'unknown_session')
})

provider('a body that breaks a rule is refused with all that is wrong, as over HTTP', async ({ world }) => {
  const refused = await world.one.provider.sessions.start({ sub: '', lifetime: -1 })()
  assert.is(E.isLeft(refused) && refused.left.error, 'invalid_request')
})

const reported = async (events: ReadonlyArray<ProviderEvent>, count: number): Promise<void> => {
  const end = Date.now() + 5000
  while (events.length < count && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
}

provider('each instance is told of what any instance deletes and ends, once and in order', async ({ world }) => {
  const { one, other } = world
  const before = await register(one)
  await remove(one, before)
  const events: Array<ProviderEvent> = []
  const failing: Array<ProviderEvent> = []
  const stopFailing = await done(
    other.provider.watchEvents(async (event) => {
      failing.push(event)
      await Promise.resolve()
      throw new Error('a listener that fails')
    }),
  )
  await done(other.provider.watchEvents((event) => void events.push(event)))
  const client = await register(one)
  const { registration_id } = await find(one, client.client_id)
  const { session } = await done(one.provider.sessions.start({ sub: 'zoe' }))
  const began = Date.now()
  await remove(one, client)
  await done(other.provider.sessions.end(session.sid))
  await reported(events, 2)
  assert.ok(Date.now() - began < 2000, 'within two seconds')
  const expected = [
    { event: 'client_deleted', client_id: client.client_id, registration_id },
    { event: 'session_ended', sid: session.sid },
  ]
  assert.equal(events, expected)
  await reported(failing, 2)
  assert.equal(failing, expected)
  stopFailing()
  await remove(one, await register(one))
  await reported(events, 3)
  assert.is(events.length, 3)
  assert.is(failing.length, 2)
})

provider('what a client encrypts to the published key is opened, and a signature is verified', async ({ world }) => {
  const keySet = (await (await fetch(`${world.other.url}/jwks.json`)).json()) as JSONWebKeySet
  const key = keySet.keys.find(({ use }) => use === 'enc')
  if (key === undefined) throw new Error('an encryption key is published')
  const object = await new CompactEncrypt(new TextEncoder().encode('request object'))
    .setProtectedHeader({
      alg: key.alg ?? 'RSA-OAEP-256',
      enc: 'A256GCM',
      ...(key.kid === undefined ? {} : { kid: key.kid }),
    })
    .encrypt(await importJWK(key))
  assert.is(await done(world.one.provider.decryptObject(object)), 'request object')
  const claims = { sub: 'zoe' }
  const expiresAt = epochSeconds(Math.floor(Date.now() / 1000) + 60)
  const jwt = await done(world.one.provider.signToken({ alg: 'RS256', typ: 'JWT', claims, expiresAt }))
  const { payload } = await compactVerify(jwt, createLocalJWKSet(keySet))
  assert.is(JSON.parse(new TextDecoder().decode(payload)).sub, 'zoe')
})

provider.run()
