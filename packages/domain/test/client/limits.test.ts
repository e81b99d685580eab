import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientSecret } from '../../src/registration/client-secrets.js'
import { law, validate } from '@clientele/testing'

const Limits = suite('limits of values')
const it = law(Limits)

const rulesOf = (members: object) => validate({ grant_types: [], ...members }).faults.map(({ rule }) => rule)

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const tls = { token_endpoint_auth_method: 'tls_client_auth' }
const key = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }

for (const [name, longest, tooLong] of [
  ['client_name', { client_name: 'x'.repeat(200) }, { client_name: 'x'.repeat(201) }],
  ['client_name of two code units a character', { client_name: '😀'.repeat(200) }, { client_name: '😀'.repeat(201) }],
  ['description', { description: 'x'.repeat(1000) }, { description: 'x'.repeat(1001) }],
  ['keywords', { keywords: ['x'.repeat(200)] }, { keywords: ['x'.repeat(201)] }],
  [
    'vp_formats_supported',
    { vp_formats_supported: { x: { y: 'é'.repeat(2041) } } },
    { vp_formats_supported: { x: { y: 'é'.repeat(2042) } } },
  ],
  ['contacts', { contacts: ['x'.repeat(254)] }, { contacts: ['x'.repeat(255)] }],
  [
    'the number of contacts',
    { contacts: Array.from({ length: 32 }, (_, index) => String(index)) },
    { contacts: Array.from({ length: 33 }, (_, index) => String(index)) },
  ],
  ['scope', { scope: 'x'.repeat(2048) }, { scope: 'x'.repeat(2049) }],
  [
    'tls_client_auth_subject_dn',
    { ...tls, tls_client_auth_subject_dn: 'x'.repeat(2048) },
    { ...tls, tls_client_auth_subject_dn: 'x'.repeat(2049) },
  ],
  [
    'software_statement',
    { software_statement: `a.${'b'.repeat(32_764)}.c` },
    { software_statement: `a.${'b'.repeat(32_765)}.c` },
  ],
  [
    'keys of jwks',
    { jwks: { keys: Array.from({ length: 32 }, () => key) } },
    { jwks: { keys: Array.from({ length: 33 }, () => key) } },
  ],
] as const)
  Limits(`${name}: the longest is taken, one more is not`, () => {
    assert.equal(rulesOf(longest), [])
    assert.is(rulesOf(tooLong).length, 1)
  })

Limits('a list of redirection URIs: the longest is taken, and each of its entries is judged', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `https://rp.example/${index}`)
  const rules = (redirect_uris: ReadonlyArray<string>) => validate({ redirect_uris }).faults.map(({ rule }) => rule)
  assert.equal(rules(many(256)), [])
  assert.equal(rules(many(257)), ['array-size'])
  assert.equal(rules([...many(255), 'javascript:1']), ['uri-scheme'])
})

const joined: ReadonlyArray<readonly [name: string, isTaken: boolean]> = [
  ['نرم\u200Cافزار', true],
  ['می\u200Cخواهم', true],
  ['क्\u200Dष', true],
  ['क्\u200Cष', true],
  ['\u{1F469}\u200D\u{1F4BB}', true],
  ['\u{1F469}\u{1F3FD}\u200D\u{1F4BB}', true],
  ['\u{1F3F3}\uFE0F\u200D\u{1F308}', true],
  ['pay\u200Cpal', false],
  ['pay\u200Dpal', false],
  ['\u200Cنرم', false],
  ['نرم\u200C', false],
  ['نرم\u200C\u200Cافزار', false],
  ['دا\u200Cر', false],
  ['نرم\u200Dافزار', false],
  ['क\u200Dष', false],
  ['क्\u200C', false],
  ['\u{1F469}\u200D', false],
  ['\u{1F469}\u200Da', false],
  ['\u{1F469}\u200D\u200D\u{1F4BB}', false],
]

for (const [client_name, isTaken] of joined)
  Limits(`joiners: ${JSON.stringify(client_name)} is ${isTaken ? 'a name' : 'none'}`, () => {
    assert.equal(rulesOf({ client_name }), isTaken ? [] : ['text'])
  })

it(
  'data may have 16,384 bytes, of whichever letters',
  [fc.constantFrom('a', 'é', '\u07ff', '\u0800', '한', '\ud7ff', '\ue000', '😀'), fc.integer({ min: -2, max: 2 })],
  (letter, more) => {
    const room = 16_384 - bytesOf('{"a":""}') + more
    const letters = letter.repeat(Math.floor(room / bytesOf(letter)))
    const data = { a: letters + 'x'.repeat(room - bytesOf(letters)) }
    assert.is(bytesOf(JSON.stringify(data)), 16_384 + more)
    assert.equal(rulesOf({ data }), more > 0 ? ['data'] : [])
  },
)

Limits('of more than 256 redirection URIs, no more are judged', () => {
  const uris = Array.from({ length: 257 }, (_, index) => `http://rp.example/${index}`)
  const { faults } = validate({ redirect_uris: uris })
  assert.is(faults.filter(({ rule }) => rule === 'redirect-uri-web').length, 256)
})

Limits('a secret is a text, and expires at a time', () => {
  assert.ok(ClientSecret.is({ client_secret: 's', client_secret_expires_at: 0 }))
  assert.not(ClientSecret.is({ client_secret: 7, client_secret_expires_at: 0 }))
  assert.not(ClientSecret.is({ client_secret: 's', client_secret_expires_at: -1 }))
})

Limits.run()
