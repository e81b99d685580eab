import Database from 'better-sqlite3'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, registerOpenly, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const specification = suite<{ managed: Service; open: Service; expiring: Service }>(
  'specification 4.1: registration endpoint',
)

specification.before(async (context) => {
  context.managed = await startService()
  context.open = await startService({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' })
  context.expiring = await startService({ CLIENTELE_CLIENT_SECRET_LIFETIME: '1' })
})
specification.after(async ({ managed, open, expiring }) => {
  for (const service of [managed, open, expiring]) {
    await service.stop()
    discard(service.dataDir)
  }
})

for (const grant_types of [['authorization_code'], ['authorization_code', 'implicit', 'refresh_token']])
  specification(`open registration is free for ${grant_types.join(', ')}`, async ({ open }) => {
    const response_types = grant_types.includes('implicit') ? ['code', 'id_token token'] : ['code']
    assert.is((await registerOpenly(open, { redirect_uris, grant_types, response_types })).status, 200)
  })

for (const grantType of ['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:other'])
  specification(`open registration needs an initial access token for ${grantType}`, async ({ open }) => {
    const answer = await registerOpenly(open, { grant_types: [grantType] })
    assert.is(answer.status, 401)
    assert.is(answer.headers.get('www-authenticate'), 'Bearer')
  })

for (const [member, value] of Object.entries({
  scope: 'openid',
  data: {},
  preferred_client_id: 'chosen',
  preferred_client_secret: 'a chosen secret of 32 characters!',
}))
  specification(`open registration needs an initial access token for ${member}`, async ({ open }) => {
    assert.is((await registerOpenly(open, { redirect_uris, [member]: value })).status, 401)
  })

specification('managed registration requires an initial access token', async ({ managed }) => {
  const answer = await registerOpenly(managed, { redirect_uris })
  assert.is(answer.status, 401)
  assert.is(answer.headers.get('www-authenticate'), 'Bearer')
  assert.is(answer.json['error'], 'missing_token')
})

specification('POST /clients answers 200 with the client information, not to be stored', async ({ managed }) => {
  const answer = await register(managed)
  assert.is(answer.status, 200)
  assert.match(String(answer.headers.get('content-type')), /^application\/json/)
  assert.is(answer.headers.get('cache-control'), 'no-store')
  assert.is(answer.headers.get('pragma'), 'no-cache')
})

specification('GET /clients answers an array, empty if there is none', async () => {
  const service = await startService()
  const list = async (): Promise<unknown> =>
    JSON.parse((await send(service, '/clients', { token: service.master })).text)
  assert.equal(await list(), [])
  const registered = [(await register(service)).json, (await register(service)).json]
  assert.equal(await list(), registered)
  await service.stop()
  discard(service.dataDir)
})

specification(
  'GET /clients/{id} answers the client information to the master token and the registration access token',
  async ({ managed }) => {
    const registered = await register(managed)
    const { path, token } = configurationOf(registered)
    for (const bearer of [token, managed.master]) {
      const answer = await send(managed, path, { token: bearer })
      assert.is(answer.status, 200)
      assert.equal(answer.json, registered.json)
      assert.is(answer.headers.get('cache-control'), 'no-store')
      assert.is(answer.headers.get('pragma'), 'no-cache')
    }
  },
)

// RFC 9110 §9.2.1: HEAD is safe, and its answer cannot show a new secret.
specification('HEAD /clients/{id} renews no client secret', async ({ expiring }) => {
  const registered = await register(expiring)
  const { path, token } = configurationOf(registered)
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const db = new Database(join(expiring.dataDir, 'clientele.db'), { readonly: true })
  const version = db.prepare('SELECT version FROM clients WHERE client_id = ?').pluck()
  const before = version.get(registered.json['client_id'])
  assert.is((await send(expiring, path, { method: 'HEAD', token })).status, 200)
  assert.is(version.get(registered.json['client_id']), before)
  await send(expiring, path, { token })
  assert.is.not(version.get(registered.json['client_id']), before)
  db.close()
})

specification('GET /clients/{id} returns a new client secret if the previous one has expired', async ({ expiring }) => {
  const registered = await register(expiring)
  const { path, token } = configurationOf(registered)
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const renewed = (await send(expiring, path, { token })).json
  assert.is.not(renewed['client_secret'], registered.json['client_secret'])
  assert.ok(Number(renewed['client_secret_expires_at']) > Number(registered.json['client_secret_expires_at']))
})

specification(
  'PUT /clients/{id} provisions a new registration access token and a new client secret',
  async ({ managed }) => {
    const registered = await register(managed)
    const { path, token } = configurationOf(registered)
    const json = { client_id: registered.json['client_id'], redirect_uris: ['https://rp.example/new'] }
    const updated = await send(managed, path, { method: 'PUT', token, json })
    assert.is(updated.status, 200)
    assert.equal(updated.json['redirect_uris'], ['https://rp.example/new'])
    assert.is(updated.json['client_id'], registered.json['client_id'])
    assert.is.not(updated.json['client_secret'], registered.json['client_secret'])
    assert.is.not(updated.json['registration_access_token'], token)
    // docs/decisions/requests-sent-again.md: the token of the request ends with the first use of the new one.
    assert.equal((await send(managed, path, { token: configurationOf(updated).token })).json, updated.json)
    assert.is((await send(managed, path, { token })).status, 401)
  },
)

specification('DELETE /clients/{id} answers 204 without a body, and the client is gone', async ({ managed }) => {
  const { path, token } = configurationOf(await register(managed))
  const deleted = await send(managed, path, { method: 'DELETE', token })
  assert.is(deleted.status, 204)
  assert.is(deleted.text, '')
  assert.is((await send(managed, path, { token })).status, 401)
  assert.is((await send(managed, path, { token: managed.master })).status, 404)
})

for (const method of ['GET', 'PUT', 'DELETE'])
  specification(
    `rule 1: ${method} of an unknown client is 401 for a registration access token`,
    async ({ managed }) => {
      const { token } = configurationOf(await register(managed))
      const json = method === 'PUT' ? { redirect_uris } : undefined
      assert.is((await send(managed, '/clients/unknown', { method, token, ...(json && { json }) })).status, 401)
    },
  )

for (const method of ['GET', 'PUT', 'DELETE'])
  specification(`rule 2: ${method} of an unknown client is 404 for the master token`, async ({ managed }) => {
    const json = method === 'PUT' ? { redirect_uris } : undefined
    const sent = { method, token: managed.master, ...(json && { json }) }
    assert.is((await send(managed, '/clients/unknown', sent)).status, 404)
  })

specification(
  'a spent token registers no second client; a refused registration does not spend it',
  async ({ managed }) => {
    const token = await issueToken(managed, 'client-reg:grant:code')
    assert.is((await register(managed, { redirect_uris: ['bad'] }, token)).status, 400)
    assert.is((await register(managed, { grant_types: ['password'] }, token)).status, 403)
    assert.is((await register(managed, { redirect_uris }, token)).status, 200)
    assert.is((await register(managed, { redirect_uris }, token)).status, 401)
  },
)

specification.run()
