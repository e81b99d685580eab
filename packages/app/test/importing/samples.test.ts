// Files of other servers. That of node-oidc-provider was recorded from version 9.13.3; the others follow the shapes that
// docs/operate/year.md#import-and-export-of-clients cites.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { run, started } from '../cli/run.js'

const sample = (name: string): string => fileURLToPath(new URL(`samples/${name}`, import.meta.url))

type World = { directory: string; flags: ReadonlyArray<string> }

const Samples = suite<World>('clients of other servers')

const flagsOf = (directory: string) => ({ 'data-dir': join(directory, 'data'), 'signing-algorithms': 'RS256' })

let prepared = ''

Samples.before(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'clientele-'))
  await (await started(flagsOf(prepared))).stop()
})
Samples.after(() => rmSync(prepared, { recursive: true }))
Samples.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  cpSync(prepared, context.directory, { recursive: true })
  context.flags = Object.entries(flagsOf(context.directory)).flatMap(([name, value]) => [`--${name}`, value])
})
Samples.after.each(({ directory }) => rmSync(directory, { recursive: true }))

type Exported = Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> }

const exported = async (flags: ReadonlyArray<string>): Promise<ReadonlyMap<string, Exported>> => {
  const { output } = await run(['clients', 'export', '-', '--secrets', ...flags])
  const clients = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return new Map(clients.map((client) => [client.client_id, client]))
}

type Found = { readonly rule: string; readonly pointer: string }
type Reported = {
  readonly client_id?: string
  readonly outcome: string
  readonly reason?: string
  readonly faults: ReadonlyArray<Found>
  readonly notes: ReadonlyArray<Found>
}

const imported = async (
  flags: ReadonlyArray<string>,
  name: string,
  from: string,
  ...options: ReadonlyArray<string>
) => {
  const ran = await run(['clients', 'import', sample(name), '--from', from, '--json', ...options, ...flags])
  const { summary, records } = JSON.parse(ran.output)
  const rules = records.map((each: Reported) => [
    each.client_id,
    each.outcome,
    each.reason ?? [...each.faults, ...each.notes].map(({ rule, pointer }) => `${pointer} ${rule}`),
  ])
  return { status: ran.status, summary, rules, clients: await exported(flags) }
}

const token = '/registration_access_token token-made'

Samples('node-oidc-provider: the payloads of its clients keep ids, secrets and times', async ({ flags }) => {
  const { status, summary, clients } = await imported(flags, 'node-oidc-provider.ndjson', 'node-oidc-provider')
  assert.is(status, 0)
  assert.is(summary.added, 3)
  for (const line of readFileSync(sample('node-oidc-provider.ndjson'), 'utf8').trim().split('\n')) {
    const { client_id, client_secret, client_id_issued_at, redirect_uris, grant_types } = JSON.parse(line)
    const client = clients.get(client_id)
    assert.is(client?.['client_secret'], client_secret)
    assert.is(client?.['client_id_issued_at'], client_id_issued_at)
    assert.equal(client?.metadata['grant_types'], grant_types)
    assert.equal(client?.metadata['redirect_uris'], redirect_uris)
  }
})

Samples('node-oidc-provider: the rows of an adapter are its clients; other models are left out', async ({ flags }) => {
  const { status, summary, rules } = await imported(flags, 'node-oidc-provider-rows.ndjson', 'node-oidc-provider')
  assert.is(status, 0)
  assert.equal(summary, { written: true, added: 2, replaced: 0, equal: 0, left_out: 2, broken: 0 })
  assert.equal(
    rules
      .filter(([, outcome]: ReadonlyArray<unknown>) => outcome === 'left_out')
      .map((each: ReadonlyArray<unknown>) => each[2]),
    ['not-a-client', 'not-a-client'],
  )
})

Samples('Keycloak: a realm is imported but for its own, disabled and broken clients', async ({ flags }) => {
  const refused = await imported(flags, 'keycloak-realm.json', 'keycloak')
  assert.is(refused.status, 1)
  assert.is(refused.clients.size, 0)
  assert.equal(refused.rules, [['shop', 'broken', ['/redirect_uris/0 redirect-uri-wildcard']]])
  const { status, summary, rules, clients } = await imported(flags, 'keycloak-realm.json', 'keycloak', '--only-valid')
  assert.is(status, 0)
  assert.equal(summary, { written: true, added: 4, replaced: 0, equal: 0, left_out: 3, broken: 1 })
  assert.equal(rules, [
    ['account', 'left_out', 'built-in'],
    [
      'portal',
      'added',
      [
        '/token_endpoint_auth_method auth-method-chosen',
        '/webOrigins member-dropped',
        '/protocolMappers member-dropped',
        token,
        '/backchannel_logout_uri logout-not-sent',
      ],
    ],
    ['shop', 'broken', ['/redirect_uris/0 redirect-uri-wildcard']],
    ['app', 'added', [token]],
    [
      'bank',
      'added',
      [
        '/token_endpoint_auth_method auth-method-chosen',
        '/oidc.ciba.grant.enabled member-dropped',
        token,
        '/jwks_uri keys-not-read',
      ],
    ],
    ['unsigned', 'added', ['/request.object.required member-dropped', token]],
    ['old', 'left_out', 'disabled'],
    ['https://saml.example.com', 'left_out', 'other-protocol'],
  ])
  const portal = clients.get('portal')
  assert.is(portal?.['client_secret'], 'YNqtYBjOoGi2MTg5JlbJBPLENLWd12KB')
  const redirect_uris = ['https://portal.example.com/callback', 'https://portal.example.com/silent']
  assert.equal(portal?.metadata, {
    ...portal?.metadata,
    client_name: 'Portal',
    client_uri: 'https://portal.example.com/home',
    redirect_uris,
    post_logout_redirect_uris: [...redirect_uris, 'https://portal.example.com/bye'],
    grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
    scope: 'openid profile email offline_access',
    backchannel_logout_uri: 'https://portal.example.com/backchannel',
    backchannel_logout_session_required: true,
  })
  assert.is(clients.get('app')?.metadata['token_endpoint_auth_method'], 'none')
  const bank = clients.get('bank')?.metadata
  assert.equal(bank?.['redirect_uris'], ['https://bank.example.com/cb'])
  assert.equal(bank?.['post_logout_redirect_uris'], ['https://bank.example.com/cb', 'https://bank.example.com/bye'])
  assert.is(bank?.['require_signed_request_object'], true)
  assert.not.ok('token_endpoint_auth_signing_alg' in (bank ?? {}))
  assert.not.ok('require_signed_request_object' in (clients.get('unsigned')?.metadata ?? {}))
})

Samples('Ory Hydra: clients without a secret get a new one, and a hash is reported', async ({ flags }) => {
  const { status, rules, clients } = await imported(flags, 'hydra-list.json', 'hydra')
  assert.is(status, 0)
  assert.equal(rules, [
    ['9692d3f9-fcdc-4526-80c4-fc667d959a5f', 'added', ['/client_secret secret-made', token]],
    ['nightly-job', 'added', ['/client_secret secret-hashed', '/client_secret secret-made', token]],
  ])
  const portal = clients.get('9692d3f9-fcdc-4526-80c4-fc667d959a5f')
  assert.is(portal?.['client_id_issued_at'], Date.parse('2025-06-11T16:49:40Z') / 1000)
  assert.equal(portal?.metadata['data'], { team: 'payments' })
  assert.not.ok('logo_uri' in (portal?.metadata ?? {}))
  assert.not.ok(String(clients.get('nightly-job')?.['client_secret']).includes('pbkdf2'))
})

Samples('Connect2id: a client keeps its short secret and its registration access token', async ({ flags }) => {
  const { status, rules, clients } = await imported(flags, 'connect2id.json', 'connect2id')
  assert.is(status, 0)
  assert.equal(rules, [['s6BhdRkqt3', 'added', ['/client_secret secret-short']]])
  const client = clients.get('s6BhdRkqt3')
  assert.is(client?.['client_secret'], 'xtFNQH6Kxd7TPzSkt7OxVw')
  assert.is(client?.['registration_access_token'], 'ztucZS1ZyFKgh0tUEruUtiSTXhnexmd6')
  assert.is(client?.metadata['client_name#fr'], 'Ma belle application')
})

Samples('Better Auth: rows of both plugins are imported; a hash is reported', async ({ flags }) => {
  const inferred = '/application_type application-type-inferred'
  const first = await imported(flags, 'better-auth-application.json', 'better-auth')
  assert.equal(first.rules, [
    ['kVnSgaFtTfPmLkQeWbXyZaBcDeFgHiJk', 'added', [token]],
    ['gone', 'left_out', 'disabled'],
    ['editor', 'added', [token, inferred]],
    ['assistant', 'added', [token, inferred]],
  ])
  for (const [client_id, method] of [
    ['editor', 'none'],
    ['assistant', 'client_secret_basic'],
  ] as const) {
    const { application_type, token_endpoint_auth_method } = first.clients.get(client_id)?.metadata ?? {}
    assert.equal([application_type, token_endpoint_auth_method], ['native', method])
  }
  assert.is(
    first.clients.get('kVnSgaFtTfPmLkQeWbXyZaBcDeFgHiJk')?.['client_secret'],
    'MnBvCxZaSdFgHjKlPoIuYtReWqAsDfGh',
  )
  const second = await imported(flags, 'better-auth-client.ndjson', 'better-auth')
  assert.equal(second.rules, [
    [
      'hashed-client',
      'added',
      ['/client_secret secret-hashed', '/requirePKCE member-dropped', '/client_secret secret-made', token],
    ],
    ['phone', 'added', [token]],
    ['page', 'added', [token]],
  ])
  const page = second.clients.get('page')?.metadata
  assert.equal([page?.['application_type'], page?.['token_endpoint_auth_method']], ['web', 'none'])
  assert.equal(second.clients.get('hashed-client')?.metadata['redirect_uris'], ['https://portal.example.com/callback'])
})

Samples.run()
