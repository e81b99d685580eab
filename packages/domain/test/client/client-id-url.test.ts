import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientId, clientIdUrlText, httpsUri, law } from '@clientele/testing'
import { clientIdUrl } from '../../src/client/ids.js'

const ClientIdUrl = suite('clientIdUrl')
const it = law(ClientIdUrl)

const faultsOf = (id: unknown): ReadonlyArray<string> => {
  const read = clientIdUrl(id)
  return read.kind === 'faulty' ? read.faults.map(({ pointer, rule }) => `${pointer} ${rule}`) : [read.kind]
}

// Most texts are no URL: these are near to one.
const nearUrls = fc.oneof(
  clientIdUrlText(),
  httpsUri(),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(fc.constantFrom('https://', 'HTTPS://', 'https:', 'http://'), fc.string({ unit: 'binary', maxLength: 12 }))
    .map((parts) => parts.join('')),
  fc.tuple(clientIdUrlText(), fc.nat(30), fc.string({ maxLength: 3 })).map(([url, at, text]) => {
    return `${url.slice(0, at)}${text}${url.slice(at)}`
  }),
)

it('every value is opaque, faulty or a URL', [fc.anything()], (id) => {
  assert.ok(['opaque', 'faulty', 'url'].includes(clientIdUrl(id).kind))
})

it('the client_id of a registered client is opaque', [clientId()], (id) => {
  assert.equal(clientIdUrl(id), { kind: 'opaque' })
})

it('a faulty URL has a fault, and each fault is one of client_id', [nearUrls], (id) => {
  const read = clientIdUrl(id)
  if (read.kind !== 'faulty') return
  assert.ok(read.faults.length > 0)
  for (const { pointer } of read.faults) assert.is(pointer, '/client_id')
})

// Labels that begin with xn-- may be invalid Punycode, with which the request fails.
it('a URL is requested as it is written, and has a path and no user or fragment', [nearUrls], (id) => {
  const read = clientIdUrl(id)
  if (read.kind !== 'url' || !URL.canParse(id)) return
  const { href, protocol, username, password, hash, pathname } = new URL(id)
  assert.is(href, id)
  assert.equal([protocol, username, password, hash], ['https:', '', '', ''])
  assert.ok(pathname.startsWith('/') && id.length <= 2048)
})

it('no path leads upwards, however its slashes are written', [clientIdUrlText(), fc.nat(20)], (url, at) => {
  const { origin, pathname } = new URL(url)
  const climbed = (climb: string): ReadonlyArray<string> =>
    faultsOf(`${origin}/a${pathname.replaceAll('%', '').slice(0, at)}a${climb}x`)
  for (const climb of ['/../', '/.%2E/', '/%2e%2E/']) assert.equal(climbed(climb), ['/client_id uri-dot-segment'])
  for (const climb of ['%2F..%2f', '/..%5C', '%5c.%2F', '/..;/'])
    assert.equal(climbed(climb), ['/client_id client-id-url-spelling'])
})

it('scheme and host in capital letters are another spelling', [clientIdUrlText()], (url) => {
  assert.equal(faultsOf(url.replace('https', 'HTTPS')), ['/client_id client-id-url-spelling'])
  if (/^https:\/\/[a-z]/.test(url))
    assert.equal(faultsOf(url.replace(/\/\/[^/]+/, (host) => host.toUpperCase())), [
      '/client_id client-id-url-spelling',
    ])
})

for (const [id, ...rules] of [
  ['http://app.example/client.json', 'https-uri'],
  ['https://app.example', 'client-id-url-path'],
  ['HTTPS://app.example', 'client-id-url-path', 'client-id-url-spelling'],
  ['https://app.example:443/client.json', 'client-id-url-spelling'],
  ["https://app.example/client?of='me'", 'client-id-url-spelling'],
  ['https://app.example:22/client.json', 'fetched-port'],
  ['https://user@app.example/client.json', 'uri-user-info'],
  ['https://app.example/client.json#', 'uri-fragment'],
  ['https://app.example/./client.json', 'uri-dot-segment'],
  ['https://app.example/a/%2e%2E', 'uri-dot-segment'],
  ['https://app.example/a/..%2Fclient.json', 'client-id-url-spelling'],
  ['https://app.example/a/..;x/client.json', 'client-id-url-spelling'],
  ['https://app.example/bad%2Fclient.json', 'client-id-url-spelling'],
  ['https://app.example/bad;x/client.json', 'client-id-url-spelling'],
  ['https://app.example//bad/client.json', 'client-id-url-spelling'],
  ['https://app.example/%2562ad/client.json', 'client-id-url-spelling'],
  ['https://app.example/%62ad/client.json', 'client-id-url-spelling'],
  ['https://app.example/%2dad', 'client-id-url-spelling'],
  ['https://127.1/client.json', 'uri-host'],
  ['https://app.example./client.json', 'uri-host'],
  ['https://app.example/client json', 'uri'],
  ['https:app.example/client.json', 'uri-host'],
  [`https://app.example/${'a'.repeat(2048)}`, 'uri'],
] as const)
  ClientIdUrl(`${id.slice(0, 40)} is faulty: ${rules.join(', ')}`, () =>
    assert.equal(
      faultsOf(id),
      rules.map((rule) => `/client_id ${rule}`),
    ),
  )

ClientIdUrl('what the draft advises against is reported', () => {
  const remarksOn = (id: string) => {
    const read = clientIdUrl(id)
    return read.kind === 'url' ? read.remarks : undefined
  }
  assert.equal(remarksOn('https://app.example/client.json'), [])
  assert.equal(remarksOn('https://app.example:8443/?'), ['query', 'root_path'])
})

// A list of prefixes compares texts. RFC 3986 §3.3: these stand in a path as themselves.
it(
  'no two URLs differ in the encoding of what stands in a path, or of a percent sign',
  [fc.integer({ min: 0, max: 255 })],
  (code) => {
    const encoded = `%${code.toString(16).padStart(2, '0')}`
    const isRefused = /[A-Za-z\d\-._~!$&'()*+,;=:@/\\%]/.test(String.fromCharCode(code))
    for (const each of [encoded, encoded.toUpperCase()])
      assert.is(
        faultsOf(`https://app.example/a${each}b`).join(),
        isRefused ? '/client_id client-id-url-spelling' : 'url',
      )
  },
)

ClientIdUrl('other schemes are opaque', () => {
  for (const id of ['did:web:app.example', 'cursor://app', 'httpsclient', '', undefined])
    assert.is(clientIdUrl(id).kind, 'opaque')
})

ClientIdUrl.run()
