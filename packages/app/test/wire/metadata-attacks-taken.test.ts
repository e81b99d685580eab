import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allClients } from '../support/metadata/refusals.js'
import { configurationOf, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const attacks = suite<{ service: Service }>('hostile metadata that is taken, and harms nobody')

attacks.before(async (context) => {
  context.service = await startService()
})
attacks.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const native = { application_type: 'native' }
const strangeNames = { constructor: { prototype: { isAdmin: true } }, toString: 1, hasOwnProperty: 2, valueOf: null }

const taken: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '46 loopback for a native client': {
    ...native,
    redirect_uris: [
      'http://localhost/cb',
      'http://127.0.0.1:8080/cb',
      'http://[::1]:1/cb',
      'com.example.app:/cb',
      'com.example.app://evil.example/cb',
      'COM.example.app:cb',
    ],
  },
  '48 strings that a URL parser would make equal': {
    redirect_uris: [
      'https://rp.example:443/cb',
      'https://RP.EXAMPLE/cb',
      'https://rp.example',
      'https://rp.example/',
      'https://rp.example/cb?',
      'HTTPS://rp.example/cb',
      'https://rp.example/%63b',
    ],
  },
  '49 a punycode host': { redirect_uris: ['https://xn--80ak6aa92e.com/'] },
  '52 the most there may be': {
    redirect_uris: Array.from({ length: 32 }, (_, i) => `https://rp.example/${i}/${'a'.repeat(2_000)}`),
  },
  '52 the longest there may be': { redirect_uris: [`https://rp.example/${'a'.repeat(2_048 - 19)}`] },
  '53 a query that a parser would rewrite': { redirect_uris: ['https://rp.example/cb?a=%20b+c&d=%7E~!*&%e9=%C3%A9'] },
  '55 logout that leads to another host': { redirect_uris, post_logout_redirect_uris: ['https://other.example/bye'] },
  '56 a key type that nobody knows': {
    redirect_uris,
    jwks: { keys: [{ kty: 'AKP', alg: 'ML-DSA-44', pub: 'x' }], more: 1 },
  },
  '57 a logo at the attacker': { redirect_uris, logo_uri: 'https://evil.example/track.svg?%3Cx' },
  '61 response types in another order': {
    redirect_uris,
    grant_types: ['implicit', 'authorization_code'],
    response_types: ['token id_token code', 'id_token code'],
  },
  '61 nothing of the authorization endpoint': { redirect_uris, grant_types: [], response_types: ['none'] },
  '77 prototypes within data': { redirect_uris, data: strangeNames },
  '79 the most data there may be': { redirect_uris, data: { x: 'y'.repeat(16_384 - 8) } },
  '85 SQL': {
    redirect_uris: ["https://rp.example/'--"],
    client_name: "' OR 1=1 --",
    software_id: '"; DROP TABLE clients; --',
    contacts: ["x'); DELETE FROM clients; --"],
    scope: "'||(select(1))||'",
    data: { "'": ['";--', '$1', '?', ':id', '@x'] },
  },
  '96 markup and templates': {
    redirect_uris,
    client_name: '"><script>alert(1)</script>',
    'client_name#de': '<img src=x onerror=alert(1)>',
    'client_name#fr': '</title>{{7*7}}{% raw %}${7*7}<%= 7 %>',
    organization_name: '&lt;b&gt; &#x3c;',
    contacts: ['=HYPERLINK("http://evil.example")'],
  },
  '97 scripts that look alike': { redirect_uris, client_name: 'Pаypal \u0301\u{1f600}' },
}

for (const [name, metadata] of Object.entries(taken))
  attacks(`row ${name}: taken and told byte for byte, by POST, GET, PUT and the list`, async ({ service }) => {
    const registered = await register(service, metadata)
    assert.is(registered.status, 200, registered.text.slice(0, 300))
    const { path, token } = configurationOf(registered)
    const updated = await send(service, path, { method: 'PUT', token: service.master, json: metadata })
    assert.is(updated.status, 200, updated.text.slice(0, 300))
    const read = await send(service, path, { token: configurationOf(updated).token })
    assert.is((await send(service, path, { token })).status, 401)
    const listed: unknown = JSON.parse(await allClients(service))
    const all: ReadonlyArray<Record<string, unknown>> = Array.isArray(listed) ? listed : []
    const inList = all.find((each) => each['client_id'] === registered.json['client_id'])
    for (const shown of [registered.json, updated.json, read.json, inList ?? {}])
      for (const [member, value] of Object.entries(metadata))
        assert.is(JSON.stringify(shown[member]), JSON.stringify(value), member)
  })

const dropped = {
  is_admin: true,
  skip_consent: true,
  enabled: true,
  trusted: true,
  registered_by: 'master',
  privileges: { grant_types: 'any' },
  version: 99,
  constructor: 'x',
  valueOf: 'y',
  hasOwnProperty: 'z',
  toString: 1,
  'redirect_uris#fr': ['javascript:alert(1)'],
  'client_name ': 'x',
  REDIRECT_URIS: ['javascript:alert(1)'],
  tls_client_auth: 'x',
  id_token_token_binding_cnf: 'tbh',
}

attacks('rows 63 and 86: unknown members are dropped, on POST and PUT', async ({ service }) => {
  const plain = await register(service)
  const names = Object.keys(plain.json).sort()
  const registered = await register(service, { redirect_uris, ...dropped })
  assert.is(registered.status, 200, registered.text)
  assert.equal(Object.keys(registered.json).sort(), names)
  const { path, token } = configurationOf(registered)
  const updated = await send(service, path, { method: 'PUT', token, json: { redirect_uris, ...dropped } })
  assert.is(updated.status, 200, updated.text)
  assert.equal(Object.keys(updated.json).sort(), names)
})

attacks('row 30: members of the answer that a registration sends are not believed', async ({ service }) => {
  const chosen = {
    client_id: 'mine',
    client_secret: 'my own secret of more than 32 characters',
    client_secret_expires_at: 1,
    client_id_issued_at: 1,
    registration_access_token: 'mine',
    registration_client_uri: 'https://evil.example/',
  }
  const { json, status } = await register(service, { redirect_uris, ...chosen })
  assert.is(status, 200)
  for (const [member, value] of Object.entries(chosen)) assert.is.not(json[member], value, member)
})

attacks('row 100: the list is whole and JSON, with every hostile client in it', async ({ service }) => {
  const answer = await send(service, '/clients', { token: service.master })
  assert.is(answer.status, 200)
  assert.match(String(answer.headers.get('content-type')), /^application\/json/)
  assert.is(answer.headers.get('x-content-type-options'), 'nosniff')
  const clients: unknown = JSON.parse(answer.text)
  assert.ok(Array.isArray(clients) && clients.length >= Object.keys(taken).length)
})

attacks.run()
