import { inMemoryPorts } from '@clientele/adapters-memory/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createManagementHandler, createPublicHandler, settingsWithDefaults } from '../../src/fetch.js'

const Patch = suite('PATCH /manage/v1/clients/{id}')

const base = 'https://op.example'
const master = 'the-master-token-of-this-test-0123456789'
const redirect_uris = ['https://rp.example/cb']

type Members = Readonly<Record<string, unknown>>
type Answer = {
  readonly status: number
  readonly json: Members
  readonly tag: string | null
  readonly headers: Headers
}
type Sent = {
  readonly token?: string
  readonly type?: string
  readonly ifMatch?: string | null
  readonly body?: unknown
}

const createWorld = (registration: object = {}) => {
  const ports = inMemoryPorts({ renderPage: ({ kind }) => ({ html: kind, styleHash: 'sha256-' }) })
  const usual = settingsWithDefaults(base, ports.service.hashToken(master))
  const settings = { ...usual, registration: { ...usual.registration, ...registration } }
  const handlers = {
    public: createPublicHandler(settings, ports, { withOperators: false }),
    management: createManagementHandler(settings, ports),
  }
  const ask = async (
    port: keyof typeof handlers,
    method: string,
    path: string,
    { token = master, type = 'application/json', ifMatch, body }: Sent = {},
  ): Promise<Answer> => {
    const response = await handlers[port](
      new Request(`${base}${path}`, {
        method,
        headers: {
          ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': type }),
          ...(typeof ifMatch === 'string' ? { 'If-Match': ifMatch } : {}),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const json = Object.fromEntries(Object.entries(text === '' ? {} : JSON.parse(text)))
    return { status: response.status, json, tag: response.headers.get('ETag'), headers: response.headers }
  }
  const register = async (sent: object = {}): Promise<Members> =>
    (await ask('public', 'POST', '/clients', { body: { redirect_uris, client_name: 'Before', ...sent } })).json
  const patch = (id: unknown, body: unknown, sent: Omit<Sent, 'body'> = {}, query = ''): Promise<Answer> =>
    ask('management', 'PATCH', `/manage/v1/clients/${String(id)}${query}`, { ...sent, body })
  const read = (id: unknown, token = master): Promise<Answer> =>
    ask('public', 'GET', `/clients/${String(id)}`, { token })
  const operatorToken = async (scope: string): Promise<string> => {
    const { json } = await ask('management', 'POST', '/operator-tokens', { body: { scope, lifetime: 600 } })
    return String(json['access_token'])
  }
  return { ask, register, patch, read, operatorToken }
}

const rulesOf = ({ json }: Answer): ReadonlyArray<unknown> =>
  Array.isArray(json['errors']) ? json['errors'].map(({ pointer, rule }) => [pointer, rule]) : []

Patch('members change, and every credential stays: the application goes on', async () => {
  const { register, patch, read } = createWorld()
  const before = await register({ contacts: ['ops@rp.example'], data: { a: 1, b: { c: 2 } } })
  const { client_id, client_secret, registration_access_token } = before
  const changed = await patch(client_id, {
    client_name: 'After',
    redirect_uris: ['https://rp.example/other'],
    contacts: null,
    data: { b: { c: null, d: 3 } },
  })
  assert.is(changed.status, 200)
  const { contacts, ...kept } = before
  assert.equal(contacts, ['ops@rp.example'])
  assert.equal(changed.json, {
    ...kept,
    client_name: 'After',
    redirect_uris: ['https://rp.example/other'],
    data: { a: 1, b: { d: 3 } },
  })
  // The token of the client still opens it, with its secret.
  const own = await read(client_id, String(registration_access_token))
  assert.equal([own.status, own.json, own.tag], [200, changed.json, changed.tag])
  assert.is(own.json['client_secret'], client_secret)
})

Patch('patches of different members at once are all made', async () => {
  const { register, patch, read } = createWorld()
  const { client_id, client_secret } = await register({ data: {} })
  const names = Array.from({ length: 8 }, (_, index) => `member${index}`)
  const answers = await Promise.all(names.map((name) => patch(client_id, { data: { [name]: true } })))
  assert.ok(answers.every(({ status }) => status === 200))
  const { json } = await read(client_id)
  assert.equal(Object.keys(json['data'] ?? {}).sort(), names)
  assert.is(json['client_secret'], client_secret)
})

Patch('both media types are taken, and no other one (RFC 7396 §4)', async () => {
  const { register, patch } = createWorld()
  const { client_id } = await register()
  for (const type of [
    'application/merge-patch+json',
    'application/merge-patch+json; charset=utf-8',
    'application/json',
  ])
    assert.is((await patch(client_id, { client_name: type }, { type })).json['client_name'], type)
  for (const type of ['application/json-patch+json', 'text/plain', 'application/jwt', 'application/merge-patch']) {
    const refused = await patch(client_id, { client_name: type }, { type })
    assert.is(refused.status, 400)
    assert.match(String(refused.json['error_description']), 'application/merge-patch+json or application/json')
  }
  for (const body of ['', '{', '[]', '7', 'null', '{"client_name":"a","client_name":"b"}'])
    assert.is((await patch(client_id, body)).status, 400, body)
})

Patch('the empty patch, and one with the present values, change nothing: not even the version', async () => {
  const { register, patch, read } = createWorld()
  const { client_id, ...members } = await register({ data: { a: 1 } })
  const { tag } = await read(client_id)
  for (const body of [{}, { client_name: 'Before', logo_uri: null }, { data: { a: 1, b: null } }]) {
    const same = await patch(client_id, body)
    assert.equal([same.status, same.tag, same.json], [200, tag, { client_id, ...members }])
  }
})

Patch('the version is compared before the body is judged (RFC 9110 §13.1.1)', async () => {
  const { register, patch, read } = createWorld()
  const { client_id } = await register()
  const { tag } = await read(client_id)
  const first = await patch(client_id, { client_name: 'First' }, { ifMatch: tag })
  assert.is(first.status, 200)
  const late = await patch(client_id, { redirect_uris: 7 }, { ifMatch: tag })
  assert.equal([late.status, late.json['error']], [412, 'precondition_failed'])
  assert.is((await patch(client_id, { client_name: 'Second' }, { ifMatch: first.tag })).status, 200)
})

Patch('where changes must name their version, so must a patch (RFC 6585 §3)', async () => {
  const { register, patch, read } = createWorld({ requiresIfMatch: true })
  const { client_id } = await register()
  assert.is((await patch(client_id, { client_name: 'New' })).status, 428)
  assert.is((await patch(client_id, { client_name: 'New' }, { ifMatch: (await read(client_id)).tag })).status, 200)
})

Patch('faults are those of a PUT with the whole metadata, all at once', async () => {
  const { register, patch, ask } = createWorld()
  const registered = await register()
  const { client_id, client_secret, client_id_issued_at, registration_access_token, ...more } = registered
  assert.ok(client_secret !== undefined && client_id_issued_at !== undefined && registration_access_token !== undefined)
  const { registration_client_uri, client_secret_expires_at, ...metadata } = more
  assert.ok(registration_client_uri !== undefined && client_secret_expires_at !== undefined)
  const patches: ReadonlyArray<object> = [
    { redirect_uris: ['https://rp.example/cb#x'], contacts: 'ops', logo_uri: 'nowhere' },
    { client_id: 'another', client_secret: 'another', registration_access_token: 'another' },
    { registration_client_uri: 'https://op.example/clients/x', client_id_issued_at: 1, client_secret_expires_at: 0 },
    { preferred_client_id: 'another', preferred_client_secret: 'x'.repeat(43) },
    { grant_types: ['client_credentials'] },
    { software_statement: 'e30.e30.AA' },
  ]
  for (const body of patches) {
    const patched = await patch(client_id, body)
    const put = await ask('public', 'PUT', `/clients/${String(client_id)}`, { body: { ...metadata, ...body } })
    assert.is(patched.status, 400, JSON.stringify(body))
    assert.ok(rulesOf(patched).length > 0)
    assert.equal(patched.json, put.json)
  }
  assert.is(
    (await patch(client_id, { grant_types: ['client_credentials'], response_types: null, redirect_uris: null })).status,
    200,
  )
})

Patch('a secret is made or dropped only where the authentication of the client demands it', async () => {
  const { register, patch } = createWorld()
  const { client_id, registration_access_token } = await register({ token_endpoint_auth_method: 'none' })
  const made = await patch(client_id, { token_endpoint_auth_method: 'client_secret_basic' })
  assert.is(made.json['registration_access_token'], registration_access_token)
  assert.is(made.json['client_secret_expires_at'], 0)
  const { client_secret } = made.json
  assert.type(client_secret, 'string')
  const kept = await patch(client_id, { token_endpoint_auth_method: 'client_secret_post' })
  assert.is(kept.json['client_secret'], client_secret)
  const dropped = await patch(client_id, { token_endpoint_auth_method: 'none' })
  assert.equal([dropped.json['client_secret'], dropped.json['client_secret_expires_at']], [undefined, undefined])
})

Patch('a dry run answers what the client would be and what changes, without credentials', async () => {
  const { register, patch, read } = createWorld()
  const { client_id } = await register({ contacts: ['ops@rp.example'] })
  const { tag, json } = await read(client_id)
  const body = {
    contacts: null,
    client_name: 'After',
    logo_uri: 'https://rp.example/l',
    token_endpoint_auth_method: 'none',
  }
  const dry = await patch(client_id, body, {}, '?dry_run=true')
  assert.equal([dry.status, dry.tag, dry.json['dropped']], [200, tag, []])
  for (const query of ['?dry_run=true', '']) {
    const misspelt = await patch(client_id, { ...body, clientname: 'x' }, {}, query)
    assert.equal(
      [misspelt.status, misspelt.json['errors']],
      [
        400,
        [
          {
            pointer: '/clientname',
            rule: 'unknown-member',
            description: 'A member is unknown: did you mean client_name?',
            documentation: 'https://op.example/rules/unknown-member',
          },
        ],
      ],
    )
  }
  const changes = Array.isArray(dry.json['changes']) ? dry.json['changes'] : []
  assert.equal(
    [...changes].sort((one, other) => (one.member < other.member ? -1 : 1)),
    [
      { member: 'client_name', change: 'replaced', before: 'Before', after: 'After' },
      { member: 'client_secret', change: 'removed' },
      { member: 'contacts', change: 'removed', before: ['ops@rp.example'] },
      { member: 'logo_uri', change: 'added', after: 'https://rp.example/l' },
      {
        member: 'token_endpoint_auth_method',
        change: 'replaced',
        before: 'client_secret_basic',
        after: 'none',
      },
    ],
  )
  assert.not.ok(JSON.stringify(dry.json).includes(String(json['client_secret'])))
  const after = await read(client_id)
  assert.equal([after.tag, after.json], [tag, json])
  const done = await patch(client_id, body, { ifMatch: dry.tag })
  for (const [name, value] of Object.entries(done.json))
    if (name !== 'registration_access_token') assert.equal(dry.json[name], value, name)
  assert.is((await patch(client_id, {}, {}, '?dry_run=maybe')).status, 400)
})

Patch('an operator token sees no credentials without clients:secrets, not even a new one', async () => {
  const { register, patch, read, operatorToken } = createWorld()
  const registered = await register({ token_endpoint_auth_method: 'none' })
  const id = registered['client_id']
  const body = { token_endpoint_auth_method: 'client_secret_basic' }
  const writer = await patch(id, body, { token: await operatorToken('clients:write') })
  const { client_secret, registration_access_token, ...others } = (await read(id)).json
  assert.equal([writer.status, writer.json], [200, others])
  const text = JSON.stringify(writer.json)
  for (const secret of [client_secret, registration_access_token]) assert.not.ok(text.includes(String(secret)))
  const seeing = await patch(id, {}, { token: await operatorToken('clients:write clients:secrets') })
  assert.is(seeing.json['client_secret'], client_secret)
  assert.is((await patch(id, body, { token: await operatorToken('clients:read clients:secrets') })).status, 403)
  assert.is((await patch(id, body, { token: String(registration_access_token) })).status, 403)
  assert.is((await patch(id, body, { token: 'unknown' })).status, 401)
  assert.is((await patch('nobody', body)).status, 404)
})

Patch('a scope by which clients register others needs an operator token with tokens', async () => {
  const { register, patch, operatorToken } = createWorld()
  const { client_id } = await register()
  const body = { scope: 'client-reg' }
  assert.is((await patch(client_id, body, { token: await operatorToken('clients:write') })).status, 403)
  assert.is((await patch(client_id, body, { token: await operatorToken('clients:write tokens') })).status, 200)
})

Patch('the path names its methods', async () => {
  const { ask } = createWorld()
  const other = await ask('management', 'POST', '/manage/v1/clients/some-client', { body: {} })
  assert.is(other.status, 405)
  assert.equal((other.headers.get('Allow') ?? '').split(', ').sort(), ['DELETE', 'GET', 'HEAD', 'PATCH'])
})

Patch.run()
