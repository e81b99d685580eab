import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const specification = suite<{ service: Service }>('specification 7 and contract 5: errors')

specification.before(async (context) => {
  context.service = await startService()
})
specification.after(async ({ service }) => {
  const count = JSON.parse((await send(service, '/clients', { token: service.master })).text).length
  await service.stop()
  discard(service.dataDir)
  assert.ok(count < 20, 'refused requests register nobody')
})

const jsonType = { 'content-type': 'application/json' }

const post = (
  service: Service,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = jsonType,
): ReturnType<typeof send> => send(service, '/clients', { method: 'POST', token: service.master, body, headers })

const valid = JSON.stringify({ redirect_uris })

const unreadable: Readonly<Record<string, string | Uint8Array>> = {
  'an empty body': '',
  'a truncated body': valid.slice(0, -1),
  'a trailing comma': valid.replace('}', ',}'),
  'a comment': `/* */${valid}`,
  'two documents': valid + valid,
  'an array': '[]',
  null: 'null',
  'a string': '"x"',
  'a number': '42',
  'a byte order mark': new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(valid)]),
  'ill-formed UTF-8': new Uint8Array([...new TextEncoder().encode('{"client_name":"'), 0xff, 0x22, 0x7d]),
  'an overlong encoding': new Uint8Array([...new TextEncoder().encode('{"client_name":"'), 0xc0, 0xaf, 0x22, 0x7d]),
  'duplicate members': '{"redirect_uris":["https://a.example/"],"scope":"a","scope":"b"}',
  'duplicate members within data': '{"redirect_uris":["https://a.example/"],"data":{"a":1,"a":2}}',
  'duplicate members by escape': '{"redirect_uris":["https://a.example/"],"scope":"a","sc\\u006fpe":"b"}',
  'a lone surrogate': '{"redirect_uris":["https://a.example/"],"client_name":"\\ud800"}',
  'a NUL character': '{"redirect_uris":["https://a.example/"],"client_name":"a\\u0000b"}',
  'a member named __proto__': '{"redirect_uris":["https://a.example/"],"__proto__":{"x":1}}',
  '33 levels': `{"redirect_uris":["https://a.example/"],"data":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`,
}

for (const [name, body] of Object.entries(unreadable))
  specification(`400 invalid_request for ${name}`, async ({ service }) => {
    const answer = await post(service, body)
    assert.is(answer.status, 400)
    assert.is(answer.json['error'], 'invalid_request')
    assert.type(answer.json['error_description'], 'string')
    assert.match(String(answer.headers.get('content-type')), /^application\/json/)
    assert.is(answer.headers.get('www-authenticate'), null)
    assert.is(answer.headers.get('cache-control'), 'no-store')
  })

const json = 'application/json'
for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'application/json; charset=utf-16',
  `${json}, text/html`,
])
  specification(`400 invalid_request for the content type ${type}`, async ({ service }) => {
    const answer = await post(service, valid, { 'content-type': type })
    assert.is(answer.status, 400)
    assert.is(answer.json['error'], 'invalid_request')
  })

for (const type of ['application/json; charset=UTF-8', 'Application/JSON', 'application/json;charset="utf-8"'])
  specification(`the content type ${type} is taken`, async ({ service }) => {
    assert.is((await post(service, valid, { 'content-type': type })).status, 200)
  })

specification('413 for more than 64 KiB, and the service goes on', async ({ service }) => {
  const answer = await post(service, JSON.stringify({ redirect_uris, data: { x: 'y'.repeat(70_000) } }))
  assert.is(answer.status, 413)
  assert.is((await register(service)).status, 200)
})

specification('400 invalid_redirect_uri for redirect_uris, all faults at once', async ({ service }) => {
  const answer = await register(service, {
    redirect_uris: ['javascript:alert(1)', 'https://rp.example/#x', 'https://u:p@rp.example/'],
    client_name: 7,
    contacts: ['\u0007'],
    scope: 'a  b',
    tos_uri: 'ftp://rp.example/',
  })
  assert.is(answer.status, 400)
  assert.is(answer.json['error'], 'invalid_redirect_uri')
  const errors = Array.isArray(answer.json['errors']) ? answer.json['errors'] : []
  const pointers = errors.map((each: { pointer: string }) => each.pointer)
  const expected = [
    '/redirect_uris/0',
    '/redirect_uris/1',
    '/redirect_uris/2',
    '/client_name',
    '/contacts/0',
    '/scope',
    '/tos_uri',
  ]
  assert.equal([...pointers].sort(), [...expected].sort())
  assert.is(errors[0].description, answer.json['error_description'])
})

specification('400 tells what no redirection URI may be even when grant_types cannot be read', async ({ service }) => {
  const answer = await register(service, { redirect_uris: ['javascript:alert(1)'], grant_types: 'x' })
  const errors = Array.isArray(answer.json['errors']) ? answer.json['errors'] : []
  assert.equal(
    errors.map((each: { pointer: string }) => each.pointer),
    ['/redirect_uris/0', '/grant_types'],
  )
  assert.is(answer.json['error'], 'invalid_redirect_uri')
})

specification('400 invalid_client_metadata for another member, the value is not told again', async ({ service }) => {
  const answer = await register(service, { redirect_uris, client_name: 'a'.repeat(201), logo_uri: '<script>alert(1)' })
  assert.is(answer.status, 400)
  assert.is(answer.json['error'], 'invalid_client_metadata')
  assert.not.match(answer.text, '<script')
})

// RFC 6750 §3: characters that need no escape. The body has the same two texts.
const challengeOf = ({ json: { error, error_description: text } }: Pick<Answer, 'json'>): string => {
  assert.match(String(text), /^[ -!#-[\]-~]+$/)
  return `Bearer error="${String(error)}", error_description="${String(text)}"`
}

specification('401 for an invalid token, alike for an existing and a missing client', async ({ service }) => {
  const { path } = configurationOf(await register(service))
  const there = await send(service, path, { token: 'junk' })
  const missing = await send(service, '/clients/none', { token: 'junk' })
  for (const answer of [there, missing]) {
    assert.is(answer.status, 401)
    assert.is(answer.headers.get('www-authenticate'), challengeOf(answer))
    assert.is(answer.json['error'], 'invalid_token')
    assert.is(answer.text, missing.text)
  }
  const comparable = ({ headers }: { headers: Headers }): unknown =>
    [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  assert.equal(comparable(there), comparable(missing))
})

specification(
  '401 without a credential has a bare challenge, and a body that says what to present',
  async ({ service }) => {
    const { path } = configurationOf(await register(service))
    for (const [method, at, text] of [
      ['POST', '/clients', 'initial access token'],
      ['GET', path, 'registration access token'],
      ['GET', '/clients/none', 'registration access token'],
      ['GET', '/clients', 'master token'],
      ['POST', '/direct-authz', 'master token'],
    ] as const) {
      const answer = await send(
        service,
        at,
        method === 'POST' ? { method, body: valid, headers: jsonType } : { method },
      )
      assert.equal([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'], at)
      assert.is(answer.json['error'], 'missing_token', at)
      assert.match(String(answer.json['error_description']), text, at)
      assert.is(answer.headers.get('cache-control'), 'no-store')
    }
  },
)

specification(
  '403 with the challenge of RFC 6750, the comma of RFC 9110, and both texts as JSON',
  async ({ service }) => {
    const answer = await register(service, { grant_types: ['password'] }, await issueToken(service, 'client-reg:data'))
    assert.is(answer.status, 403)
    assert.is(answer.json['error'], 'insufficient_scope')
    assert.is(answer.headers.get('www-authenticate'), challengeOf(answer))
  },
)

for (const hostile of ['“password”', 'a"b', 'a\r\nb', '😀'])
  specification(`no header is broken by the grant type ${JSON.stringify(hostile)}`, async ({ service }) => {
    const answer = await register(service, { grant_types: [hostile] }, await issueToken(service, 'client-reg:data'))
    assert.ok([400, 403].includes(answer.status))
  })

specification('404 without a body for an unknown path', async ({ service }) => {
  for (const path of ['/client', '/clients/a/b', '/jwks']) assert.is((await send(service, path)).status, 404, path)
})

for (const [method, path, allow] of [
  ['PUT', '/clients', 'GET, HEAD, POST'],
  ['DELETE', '/clients', 'GET, HEAD, POST'],
  ['PATCH', '/clients/x', 'DELETE, GET, HEAD, PUT'],
  ['POST', '/clients/x', 'DELETE, GET, HEAD, PUT'],
  ['GET', '/direct-authz', 'POST'],
] as const)
  specification(`405 for ${method} ${path}, with Allow`, async ({ service }) => {
    const answer = await send(service, path, {
      method,
      token: service.master,
      headers: { 'x-http-method-override': 'DELETE' },
    })
    assert.is(answer.status, 405)
    assert.equal(String(answer.headers.get('allow')).split(', ').sort(), allow.split(', ').sort())
  })

specification('401 comes before 400, and 400 before 403', async ({ service }) => {
  const headers = { 'content-type': 'application/json' }
  assert.is((await send(service, '/clients', { method: 'POST', body: '{', headers })).status, 401)
  assert.is((await send(service, '/clients', { method: 'POST', body: '{', headers, token: 'junk' })).status, 401)
  const token = await issueToken(service, 'client-reg:data')
  assert.is((await register(service, { grant_types: ['password'], client_name: 1 }, token)).status, 400)
})

for (const id of ['%FF', '..%2F..', '%00', 'a'.repeat(500), "'%20OR%201=1--", '__proto__'])
  specification(`a client id that cannot be is unknown, not a defect: ${id.slice(0, 12)}`, async ({ service }) => {
    assert.is((await send(service, `/clients/${id}`, { token: 'junk' })).status, 401)
    assert.is((await send(service, `/clients/${id}`, { token: service.master })).status, 404)
  })

specification.run()
