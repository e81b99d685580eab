import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allClients, assertCareful, assertUntold, post } from '../support/metadata/refusals.js'
import { type Answer, configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const attacks = suite<{ service: Service }>('attacks by bodies, on POST and PUT')

attacks.before(async (context) => {
  context.service = await startService({ CLIENTELE_LOG_LEVEL: 'trace' })
})
attacks.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

type Raw = { readonly body: string | Uint8Array; readonly headers?: Readonly<Record<string, string>> }

const withstandRaw = async (service: Service, status: number, raw: Raw): Promise<void> => {
  const registered = await register(service)
  const { path, token: rat } = configurationOf(registered)
  const token = await issueToken(service, 'client-reg')
  const before = await allClients(service)
  const headers = { 'content-type': 'application/json', ...raw.headers }
  const answers: ReadonlyArray<Answer> = [
    await send(service, '/clients', { method: 'POST', token, body: raw.body, headers }),
    await send(service, path, { method: 'PUT', token: rat, body: raw.body, headers }),
  ]
  for (const answer of answers) {
    assertCareful(answer, status, 'invalid_request')
    await assertUntold(service, answer, 'SECRET')
  }
  assert.is(await allClients(service), before)
  assert.equal((await send(service, path, { token: rat })).json, registered.json)
  assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
}

const valid = '{"redirect_uris":["https://rp.example/SECRET"]}'
const withMember = (member: string): string => valid.replace('}', `,${member}}`)
const bytes = (...parts: ReadonlyArray<string | number>): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))
const nested = (levels: number): string => withMember(`"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

const unreadable: Readonly<Record<string, string | Uint8Array>> = {
  '73 nothing': '',
  '73 blanks': ' \n\t ',
  '73 null': 'null',
  '73 an array around the object': `[${valid}]`,
  '73 a string': '"SECRET"',
  '73 true': 'true',
  '74 cut off': valid.slice(0, -1),
  '74 a trailing comma': valid.replace('}', ',}'),
  '74 a comment': `${valid}// SECRET`,
  '74 NaN': withMember('"default_max_age":NaN'),
  '74 Infinity': withMember('"default_max_age":-Infinity'),
  '74 a hexadecimal number': withMember('"default_max_age":0x10'),
  '74 a leading zero': withMember('"default_max_age":010'),
  '74 single quotes': valid.replaceAll('"', "'"),
  '74 no quotes': valid.replace('"redirect_uris"', 'redirect_uris'),
  '74 trailing garbage': `${valid}SECRET`,
  '74 two documents': `${valid}\n${valid}`,
  '74 a prefix against hijacking': `)]}',\n${valid}`,
  '74 a line break within a string': withMember('"client_name":"SECRET\n"'),
  '74 a form': 'redirect_uris=https://rp.example/SECRET',
  '76 a byte order mark': bytes(0xef, 0xbb, 0xbf, valid),
  '76 UTF-16': Buffer.from(valid, 'utf16le'),
  '76 a stray byte': bytes(valid.slice(0, -1), ',"client_name":"SECRET', 0xff, '"}'),
  '76 an overlong slash': bytes(valid.slice(0, -1), ',"client_name":"SECRET', 0xc0, 0xaf, '"}'),
  '76 a surrogate in UTF-8': bytes(valid.slice(0, -1), ',"client_name":"', 0xed, 0xa0, 0x80, '"}'),
  '76 a character cut off': bytes(valid.slice(0, -1), ',"client_name":"', 0xe2, 0x82, '"}'),
  '77 __proto__': withMember('"__proto__":{"isAdmin":true}'),
  '77 __proto__ by escapes': withMember('"\\u005f_proto__":{"isAdmin":true}'),
  '77 __proto__ within data': withMember('"data":{"a":[{"__proto__":{"isAdmin":true}}]}'),
  '77 __proto__ within an unknown member': withMember('"unknown":{"__proto__":1}'),
  '78 33 levels': nested(32),
  '78 5,000 levels': nested(5_000),
  '78 5,000 levels of arrays in an unknown member': withMember(`"x":${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  '79 a member twice': withMember('"scope":"openid","scope":"SECRET"'),
  '79 a member twice, once by escapes': withMember('"scope":"openid","sc\\u006fpe":"SECRET"'),
  '79 a member twice within keys': withMember('"jwks":{"keys":[{"kty":"X","kid":"a","kid":"b"}]}'),
  '79 an unknown member twice': withMember('"x":1,"x":1'),
  '80 a number that a double cannot hold': withMember('"data":{"n":[1e-400]}'),
  '80 more digits than a double has': withMember('"data":{"n":1.00000000000000000001}'),
  '80 a whole number beyond 2^53': withMember('"unknown":9007199254740993'),
  '83 a lone surrogate': withMember('"client_name":"SECRET\\ud800"'),
  '83 a lone surrogate in data': withMember('"data":{"a":["\\udfff"]}'),
  '83 a lone surrogate as name': withMember('"data":{"\\ud800":1}'),
  '84 a NUL character': withMember('"client_name":"SECRET\\u0000"'),
  '84 a NUL character in a list': withMember('"contacts":["a\\u0000b"]'),
  '84 a NUL character in a name': withMember('"client_name#a\\u0000b":"x"'),
  '99 markup that is no JSON': '{"<img src=x onerror=SECRET>": <script>alert(1)</script>}',
}

for (const [name, body] of Object.entries(unreadable))
  attacks(`row ${name}: 400 invalid_request`, async ({ service }) => {
    await withstandRaw(service, 400, { body })
    await withstandRaw(service, 400, { body, headers: { accept: 'text/html' } })
  })

for (const type of [
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/jsonx',
  'application/json, text/html',
  'application/jwt',
  'application/json; charset=utf-8; charset=utf-16',
])
  attacks(`row 75 the content type '${type}': 400 invalid_request`, async ({ service }) => {
    await withstandRaw(service, 400, { body: Buffer.from(valid), headers: { 'content-type': type } })
  })

const tooLarge: Readonly<Record<string, string>> = {
  '52 10,000 redirection URIs': JSON.stringify({
    redirect_uris: Array.from({ length: 10_000 }, (_, i) => `https://a/${i}`),
  }),
  '56 a key of 1 MiB': withMember(`"jwks":{"keys":[{"kty":"RSA","n":"${'A'.repeat(1_048_576)}"}]}`),
  '78 1,000,000 levels': '['.repeat(1_000_000),
  '79 200,000 keys': JSON.stringify({ data: Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [i, i])) }),
  '79 a key of 1 MiB': withMember(`"data":{"${'k'.repeat(1_048_576)}":1}`),
  '87 one byte too many': valid + ' '.repeat(65_537 - valid.length),
}

for (const [name, body] of Object.entries(tooLarge))
  attacks(`row ${name}: 413`, async ({ service }) => {
    await withstandRaw(service, 413, { body })
  })

attacks('row 87 a body of exactly 64 KiB is read', async ({ service }) => {
  const answer = await post(service, valid + ' '.repeat(65_536 - valid.length), service.master)
  assert.is(answer.status, 200)
})

for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown'])
  attacks(`row 88 the content encoding ${encoding}: 415`, async ({ service }) => {
    await withstandRaw(service, 415, { body: valid, headers: { 'content-encoding': encoding } })
  })

attacks.run()
