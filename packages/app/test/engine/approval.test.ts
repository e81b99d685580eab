// Registrations that wait for the approval of an operator, over the wire: docs/operate/year.md#life-cycle-of-a-client.
import { withdrawnTexts } from '@clientele/domain/life-cycle'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, started } from '../cli/run.js'
import { mcpMetadata, withSdk1, withSdk2 } from '../sign-in/support/mcp-host.js'
import { type ProtectedServer, startMcpServer } from '../sign-in/support/mcp-server.js'
import { masterToken } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { type Application, callback, configuredAs, confidential, refused, signIn } from './support/relying-party.js'
import * as openid from 'openid-client'

type World = { directory: string; service: Service; server: ProtectedServer }

const approval = suite<World>('registrations that wait for an approval')

approval.before(async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const policy = join(directory, 'policy.json')
  writeFileSync(policy, JSON.stringify({ approve: ['anonymous', 'tokens'] }))
  const service = await started({
    'data-dir': directory,
    'master-token': masterToken,
    engine: 'oidc-provider',
    profile: 'mcp',
    'registration-policy': policy,
  })
  const server = await startMcpServer()
  server.trust(service.url, () => Promise.resolve(undefined))
  Object.assign(context, { directory, service, server })
})
approval.after(async ({ directory, service, server }) => {
  await server.stop()
  await service.stop()
  rmSync(directory, { recursive: true })
})

type Json = Readonly<Record<string, unknown>>

const asked = async (response: Promise<Response>): Promise<{ readonly status: number; readonly json: Json }> => {
  const { status, text } = await response.then(async (each) => ({ status: each.status, text: await each.text() }))
  return { status, json: text === '' ? {} : (JSON.parse(text) as Json) }
}

const read = (service: Service, path: string, token = masterToken) =>
  asked(fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${token}` } }))

const decide = (
  service: Service,
  id: unknown,
  decision: 'approval' | 'refusal',
  body: object = {},
  token = masterToken,
) => asked(post(`${service.url}/manage/v1/clients/${String(id)}/${decision}`, token, body))

const waiting = async (service: Service): Promise<ReadonlyArray<Json>> =>
  (await read(service, '/manage/v1/clients?state=pending')).json['clients'] as ReadonlyArray<Json>

const registrations = async (service: Service): Promise<ReadonlyArray<Json>> =>
  (await read(service, '/manage/v1/clients')).json['clients'] as ReadonlyArray<Json>

const pending = { state: 'pending', description: withdrawnTexts.pending }

/** The page that the end-user of an authorization request reads. */
const pageOf = async (url: unknown): Promise<string> => {
  const response = await new Browser().open(String(url))
  assert.equal([response.status, response.headers.get('location')], [403, null])
  return response.text()
}

for (const [name, create] of [
  ['1', withSdk1],
  ['2', withSdk2],
] as const)
  approval(`SDK ${name} of MCP registers once: waits, is approved, signs in, is revoked, recovers`, async (world) => {
    const { service, server } = world
    const { host, authorize } = create()
    const before = (await waiting(service)).length
    const registeredBefore = (await registrations(service)).length
    const ids = new Set<unknown>()
    for (const time of ['first', 'second', 'third']) {
      assert.is(await authorize(server.url), 'REDIRECT', time)
      ids.add(host.information?.['client_id'])
      assert.match(await pageOf(host.sentTo), '<h1>The application waits for approval</h1>')
    }
    // A code that it made up: even then the program keeps its registration.
    const answer = new URL(`http://127.0.0.1:7777/callback?code=none&iss=${encodeURIComponent(service.url)}`)
    await authorize(server.url, answer).then(assert.unreachable, (cause: Error) =>
      assert.match(cause.message, withdrawnTexts.pending),
    )
    ids.add(host.information?.['client_id'])
    assert.is(ids.size, 1)
    assert.is((await waiting(service)).length, before + 1, 'it has registered once')
    const [id] = ids
    assert.is((await decide(service, id, 'approval')).status, 200)
    assert.is(await authorize(server.url), 'REDIRECT')
    const { end } = await goThrough(new Browser(), service, String(host.sentTo))
    assert.is(await authorize(server.url, end), 'AUTHORIZED')
    assert.equal([host.information?.['client_id'], typeof host.stored?.access_token], [id, 'string'])
    assert.is(await authorize(server.url), 'AUTHORIZED', 'by a refresh')
    const connected = await read(service, `/manage/v1/connections?client_id=${String(id)}`)
    const [connection] = connected.json['connections'] as ReadonlyArray<Json>
    const path = `${service.url}/manage/v1/connections/${String(connection?.['id'])}`
    const headers = { Authorization: `Bearer ${masterToken}` }
    assert.is((await fetch(path, { method: 'DELETE', headers })).status, 204)
    // The refresh is refused, and the SDK begins an authorization with the registration that it has.
    assert.is(await authorize(server.url), 'REDIRECT')
    const after = await goThrough(new Browser(), service, String(host.sentTo))
    assert.is(await authorize(server.url, after.end), 'AUTHORIZED')
    assert.is(await authorize(server.url), 'AUTHORIZED', 'by a refresh')
    assert.is(host.information?.['client_id'], id)
    assert.is((await registrations(service)).length, registeredBefore + 1, 'it has registered once')
  })

const registered = (service: Service, client_name: string): Promise<Application> =>
  configuredAs(service, { ...mcpMetadata, redirect_uris: [callback], client_name })

approval('a client that waits has its whole registration, manages it, and waits all the same', async ({ service }) => {
  const { registered: client } = await registered(service, 'Manages itself')
  const { client_id, registration_access_token: token } = client
  assert.equal(Reflect.get(client, 'approval'), pending)
  const found = await read(service, `/clients/${client_id}`, token)
  assert.equal([found.status, found.json['client_id'], found.json['approval']], [200, client_id, pending])
  // RFC 7592 §2.2: it sends back what it read, without what the service issued.
  const { registration_access_token, registration_client_uri, client_id_issued_at, ...metadata } = found.json
  assert.ok(registration_access_token && registration_client_uri && client_id_issued_at)
  const updated = await asked(
    fetch(`${service.url}/clients/${client_id}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...metadata, client_name: 'Renamed', approval: { state: 'approved' } }),
    }),
  )
  assert.equal([updated.status, updated.json['client_name'], updated.json['approval']], [200, 'Renamed', pending])
  assert.is(updated.json['warnings'], undefined)
  const headers = { Authorization: `Bearer ${String(updated.json['registration_access_token'])}` }
  assert.is((await fetch(`${service.url}/clients/${client_id}`, { method: 'DELETE', headers })).status, 204)
})

approval('a client that changes itself waits again, and one that an operator changes does not', async ({ service }) => {
  const application = await registered(service, 'Approved')
  const { client_id, registration_access_token } = application.registered
  assert.is((await decide(service, client_id, 'approval')).status, 200)
  const change = (token: string, changes: object) =>
    asked(
      fetch(`${service.url}/clients/${client_id}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...mcpMetadata, redirect_uris: [callback], client_name: 'Approved', ...changes }),
      }),
    )
  const same = await change(registration_access_token, {})
  assert.equal([same.status, same.json['approval']], [200, undefined])
  const renamed = await change(masterToken, { client_name: 'Renamed' })
  assert.equal([renamed.status, renamed.json['approval']], [200, undefined])
  const other = await change(String(renamed.json['registration_access_token']), { client_name: 'Something else' })
  assert.equal([other.status, other.json['approval']], [200, pending])
  assert.match(await pageOf((await application.request()).url), '<h1>The application waits for approval</h1>')
})

approval('a refusal says why: to the developer and to the end-user; an approval may follow', async ({ service }) => {
  const application = await registered(service, 'Refused')
  const { client_id, registration_access_token: token } = application.registered
  const reason = 'Its <script>policy</script> is missing'
  const bad = await decide(service, client_id, 'refusal', { reason: 'two\nlines' })
  assert.equal([bad.status, bad.json['error']], [400, 'invalid_request'])
  for (const unchanged of [false, true])
    assert.equal((await decide(service, client_id, 'refusal', { reason })).json, { client_id, unchanged })
  assert.equal((await read(service, `/clients/${client_id}`, token)).json['approval'], {
    state: 'refused',
    reason,
    description: withdrawnTexts.refused,
  })
  const listed = await read(service, `/manage/v1/clients/${client_id}`)
  assert.equal([listed.json['state'], listed.json['refusal_reason']], ['refused', reason])
  const page = await pageOf((await application.request()).url)
  assert.match(page, '<h1>The application was not approved</h1>')
  assert.ok(page.includes('Its &lt;script&gt;policy&lt;/script&gt; is missing'))
  for (const unchanged of [false, true])
    assert.equal((await decide(service, client_id, 'approval')).json, { client_id, unchanged })
  assert.is((await read(service, `/clients/${client_id}`, token)).json['approval'], undefined)
  await signIn(service, application, new Browser())
  const late = await decide(service, client_id, 'refusal', { reason })
  assert.equal([late.status, late.json['error']], [409, 'client_in_force'])
})

approval(
  'a registration with an initial access token waits where the policy says so; the operator’s own does not',
  async ({ service }) => {
    const issued = await asked(post(`${service.url}/direct-authz`, masterToken, { scope: 'client-reg:grant:client' }))
    const metadata = { redirect_uris: [], response_types: [], grant_types: ['client_credentials'] }
    const machine = await configuredAs(service, metadata, String(issued.json['access_token']))
    assert.is(await refused(openid.clientCredentialsGrant(machine.config)), 'access_denied')
    assert.is((await decide(service, machine.registered.client_id, 'approval')).status, 200)
    await openid.clientCredentialsGrant(machine.config)
    const own = await configuredAs(service, confidential, masterToken)
    assert.is(Reflect.get(own.registered, 'approval'), undefined)
    await signIn(service, own, new Browser())
  },
)

approval('a dry run of a registration says that it would wait, and nothing waits', async ({ service }) => {
  const before = (await waiting(service)).length
  const dry = await asked(post(`${service.url}/clients?dry_run=true`, '', mcpMetadata))
  assert.equal([dry.status, dry.json['approval']], [200, pending])
  assert.is((await waiting(service)).length, before)
})

approval(
  'an operator who may only read neither approves nor refuses; one who writes names the version',
  async ({ service }) => {
    const { client_id } = (await registered(service, 'Narrow')).registered
    const issued = await asked(post(`${service.url}/operator-tokens`, masterToken, { scope: 'clients:read' }))
    const token = String(issued.json['access_token'])
    const found = await read(service, `/manage/v1/clients/${client_id}`, token)
    assert.is(found.json['state'], 'pending')
    for (const decision of ['approval', 'refusal'] as const) {
      const answer = await decide(service, client_id, decision, { reason: 'no' }, token)
      assert.equal([answer.status, answer.json['error']], [403, 'insufficient_scope'])
      const bulk = { filter: { state: 'pending' }, dry_run: true }
      assert.is((await post(`${service.url}/manage/v1/clients/${decision}`, token, bulk)).status, 403)
    }
    const stale = { Authorization: `Bearer ${masterToken}`, 'If-Match': '"another-1"' }
    const path = `${service.url}/manage/v1/clients/${client_id}/approval`
    assert.is((await fetch(path, { method: 'POST', headers: stale })).status, 412)
    const named = { ...stale, 'If-Match': String(found.json['entity_tag']) }
    assert.is((await fetch(path, { method: 'POST', headers: named })).status, 200)
  },
)

// RFC 8705 §2: no client authenticates by a certificate here.
approval('whoever approves a client with a certificate is told that it is of no use here', async ({ service }) => {
  const certified = {
    redirect_uris: [callback],
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: 'CN=app',
  }
  const told = 'is one that the authorization server does not do'
  const { json } = await asked(post(`${service.url}/clients`, '', certified))
  assert.match(JSON.stringify(json['warnings']), told)
  const { json: approved } = await decide(service, json['client_id'], 'approval')
  assert.is(approved['unchanged'], false)
  assert.match(JSON.stringify(approved['warnings']), told)
  const named = await asked(post(`${service.url}/clients`, '', { ...certified, client_name: 'Certified' }))
  const filter = { q: 'certified', state: 'pending' }
  const many = await asked(post(`${service.url}/manage/v1/clients/approval`, masterToken, { filter, count: 1 }))
  const { client_id } = named.json
  assert.equal(many.json, {
    changed: 1,
    unchanged: 0,
    warned: [{ client_id, warnings: approved['warnings'] }],
  })
  const bound = { redirect_uris: [callback], tls_client_certificate_bound_access_tokens: true }
  const { json: other } = await asked(post(`${service.url}/clients`, masterToken, bound))
  assert.match(JSON.stringify(other['warnings']), 'binding-not-served')
})

approval('many that a filter chooses are approved or refused, each with its reason', async ({ service }) => {
  for (const nth of [1, 2, 3]) await registered(service, `Many ${nth}`)
  const filter = { q: 'many', state: 'pending' }
  const change = (decision: string, body: object) =>
    asked(post(`${service.url}/manage/v1/clients/${decision}`, masterToken, { filter, ...body }))
  assert.equal((await change('refusal', { dry_run: true })).json, { count: 3 })
  const without = await change('refusal', { count: 3 })
  assert.equal([without.status, without.json['error']], [400, 'invalid_request'])
  assert.is((await change('approval', { count: 3, reason: 'x' })).status, 400)
  assert.equal((await change('refusal', { count: 3, reason: 'Not now' })).json, { changed: 3, unchanged: 0 })
  const listed = await read(service, '/manage/v1/clients?q=many&state=refused&fields=refusal_reason')
  const found = listed.json['clients'] as ReadonlyArray<Json>
  assert.equal(
    found.map((each) => each['refusal_reason']),
    ['Not now', 'Not now', 'Not now'],
  )
  const again = await asked(
    post(`${service.url}/manage/v1/clients/approval`, masterToken, {
      filter: { ...filter, state: 'refused' },
      count: 3,
    }),
  )
  assert.equal(again.json, { changed: 3, unchanged: 0 })
})

approval.run()
