import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const contract = suite<{ service: Service; created: Service; keeping: Service }>('contract 5: registration answers')

contract.before(async (context) => {
  context.service = await startService()
  context.created = await startService({
    CLIENTELE_REGISTRATION_STATUS: '201',
    CLIENTELE_CORS_ORIGINS: 'https://app.example',
  })
  context.keeping = await startService({
    CLIENTELE_ROTATE_REGISTRATION_ACCESS_TOKEN_ON_UPDATE: 'false',
    CLIENTELE_ROTATE_CLIENT_SECRET_ON_UPDATE: 'false',
  })
})
contract.after(async ({ service, created, keeping }) => {
  for (const each of [service, created, keeping]) {
    await each.stop()
    discard(each.dataDir)
  }
})

contract('201 by setting, with Location (RFC 7591 §3.2.1)', async ({ created }) => {
  const answer = await register(created)
  assert.is(answer.status, 201)
  assert.is(answer.headers.get('location'), answer.json['registration_client_uri'])
})

contract('PUT replaces: what is omitted goes back to its default', async ({ service }) => {
  const { path, token } = configurationOf(await register(service, { redirect_uris, client_name: 'A', scope: 'openid' }))
  const { json } = await send(service, path, { method: 'PUT', token, json: { redirect_uris } })
  assert.not('client_name' in json)
  assert.not('scope' in json)
})

for (const [member, value] of Object.entries({
  client_id: 'other',
  client_secret: 'other',
  registration_access_token: 'x',
  registration_client_uri: 'https://op.example/clients/x',
  client_id_issued_at: 0,
  client_secret_expires_at: null,
  preferred_client_id: 'x',
  preferred_client_secret: 'a chosen secret of 32 characters!',
}))
  contract(`PUT with ${member} of its own is refused and changes nothing (RFC 7592 §2.2)`, async ({ service }) => {
    const registered = await register(service)
    const { path, token } = configurationOf(registered)
    const answer = await send(service, path, { method: 'PUT', token, json: { redirect_uris, [member]: value } })
    assert.is(answer.status, 400)
    assert.is(answer.json['error'], 'invalid_client_metadata')
    assert.match(String(answer.json['error_description']), new RegExp(`^${member} `))
    assert.equal((await send(service, path, { token })).json, registered.json)
  })

contract('PUT with the current client_id and client_secret is taken', async ({ service }) => {
  const registered = await register(service)
  const { path, token } = configurationOf(registered)
  const { client_id, client_secret } = registered.json
  const answer = await send(service, path, { method: 'PUT', token, json: { redirect_uris, client_id, client_secret } })
  assert.is(answer.status, 200)
})

contract('PUT that moves between public and confidential makes or drops the secret', async ({ service }) => {
  const registered = await register(service, { redirect_uris, token_endpoint_auth_method: 'none' })
  const put = (json: unknown, from: typeof registered): ReturnType<typeof send> =>
    send(service, configurationOf(from).path, { method: 'PUT', token: configurationOf(from).token, json })
  const confidential = await put({ redirect_uris }, registered)
  assert.match(String(confidential.json['client_secret']), /^[A-Za-z0-9]{43}$/)
  const open = await put({ redirect_uris, token_endpoint_auth_method: 'none' }, confidential)
  assert.not('client_secret' in open.json)
  assert.not('client_secret_expires_at' in open.json)
})

contract('PUT keeps the token and the secret where the settings say so', async ({ keeping }) => {
  const registered = await register(keeping)
  const { path, token } = configurationOf(registered)
  const answer = await send(keeping, path, { method: 'PUT', token, json: { redirect_uris, client_name: 'B' } })
  assert.equal(answer.json, { ...registered.json, client_name: 'B' })
})

contract('a master PUT is unbounded, and the client may keep what it added', async ({ service }) => {
  const registered = await register(service, { redirect_uris }, await issueToken(service, 'client-reg:grant:code'))
  const { path } = configurationOf(registered)
  const more = { redirect_uris, grant_types: ['authorization_code', 'password'], data: { by: 'operator' } }
  const raised = await send(service, path, { method: 'PUT', token: service.master, json: more })
  assert.is(raised.status, 200)
  const { token } = configurationOf(raised)
  const stored = await send(service, path, { method: 'PUT', token, json: { ...more, client_name: 'Mine' } })
  assert.is(stored.status, 200)
  const changed = { ...more, data: { by: 'client' } }
  assert.is(
    (await send(service, path, { method: 'PUT', token: configurationOf(stored).token, json: changed })).status,
    403,
  )
})

contract('a dry run of POST decides, spends nothing and registers nobody', async ({ service }) => {
  const token = await issueToken(service, 'client-reg:grant:code')
  const count = async (): Promise<number> =>
    JSON.parse((await send(service, '/clients', { token: service.master })).text).length
  const before = await count()
  const dry = (json: unknown): ReturnType<typeof send> =>
    send(service, '/clients?dry_run=true', { method: 'POST', json, token })
  const answer = await dry({ redirect_uris })
  assert.is(answer.status, 200)
  assert.equal(answer.json['grant_types'], ['authorization_code'])
  for (const member of ['client_id', 'client_secret', 'registration_access_token']) assert.not(member in answer.json)
  assert.is((await dry({ redirect_uris: [] })).status, 400)
  assert.is((await dry({ grant_types: ['password'] })).status, 403)
  assert.is(await count(), before)
  assert.is((await register(service, { redirect_uris }, token)).status, 200)
  assert.is((await dry({ redirect_uris })).status, 401)
})

contract('a dry run tells that a preferred_client_id is taken', async ({ service }) => {
  await register(service, { redirect_uris, preferred_client_id: 'dry' })
  const sent = { method: 'POST', token: service.master, json: { redirect_uris, preferred_client_id: 'dry' } }
  assert.is((await send(service, '/clients?dry_run=true', sent)).status, 400)
})

contract('a dry run of PUT decides and changes nothing', async ({ service }) => {
  const registered = await register(service)
  const { path, token } = configurationOf(registered)
  const dry = await send(service, `${path}?dry_run=true`, {
    method: 'PUT',
    token,
    json: { redirect_uris, client_name: 'C' },
  })
  assert.is(dry.status, 200)
  assert.is(dry.json['client_name'], 'C')
  assert.not('client_secret' in dry.json)
  assert.equal((await send(service, path, { token })).json, registered.json)
})

contract('dry_run takes true or false, once', async ({ service }) => {
  for (const query of ['?dry_run=yes', '?dry_run=true&dry_run=false', '?dry_run', '?dry-run=true', '?dryRun=true']) {
    const sent = { method: 'POST', token: service.master, json: { redirect_uris } }
    assert.is((await send(service, `/clients${query}`, sent)).status, 400, query)
  }
})

contract('HEAD answers as GET, without a body', async ({ service }) => {
  const { path, token } = configurationOf(await register(service))
  const answer = await send(service, path, { method: 'HEAD', token })
  assert.is(answer.status, 200)
  assert.is(answer.text, '')
})

contract('CORS: registration for the listed origins alone', async ({ service, created }) => {
  const from = async (each: Service, origin: string): Promise<string | null> => {
    const sent = { method: 'POST', token: each.master, json: { redirect_uris }, headers: { origin } }
    return (await send(each, '/clients', sent)).headers.get('access-control-allow-origin')
  }
  assert.is(await from(created, 'https://app.example'), 'https://app.example')
  assert.is(await from(created, 'https://evil.example'), null)
  assert.is(await from(created, 'null'), null)
  assert.is(await from(service, 'https://app.example'), null)
  const preflight = await send(created, '/clients', {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  assert.is(preflight.status, 204)
  assert.match(String(preflight.headers.get('access-control-allow-headers')).toLowerCase(), 'authorization')
})

contract.run()
