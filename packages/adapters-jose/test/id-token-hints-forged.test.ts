import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HintFault } from '@clientele/domain/logout'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Payload,
  base64url,
  claims,
  publicObject,
  reading,
  reads,
  refuses,
  signedText,
  signedWith,
  withTimeout,
} from '../../adapters-http/test/support/hints.js'
import { keyFor, ringWith } from '../../adapters-http/test/support/keys.js'

const forged = suite('forged and faulty ID token hints')

const rsa = await keyFor('RS256')
const ed = await keyFor('EdDSA')
const ec = await keyFor('ES256')
const attacker = await keyFor('RS256', 1)
const otherEd = await keyFor('EdDSA', 1)
const read = reading([
  ringWith('RS256', rsa),
  ringWith('EdDSA', ed),
  ringWith('ES256', ec),
  ringWith('RSA-OAEP-256', await keyFor('RSA-OAEP-256'), 'enc'),
])
const payload = JSON.stringify(claims)
const good = await signedWith(rsa, { alg: 'RS256' })
const [header = '', body = '', signature = ''] = good.split('.')

const unsigned = (fields: object, end = ''): string =>
  `${base64url(JSON.stringify(fields))}.${base64url(payload)}.${end}`

forged('without a signature it does not count, however none is spelt', async () => {
  for (const alg of ['none', 'None', 'nOnE', 'NONE', 'none ', '', 'HS256', 'rs256', 'RS256 ', 'ES384', 'toString'])
    for (const end of ['', signature]) {
      await refuses(read, unsigned({ alg, kid: rsa.kid }, end), 'hint_algorithm', alg)
      await refuses(read, unsigned({ alg }, end), 'hint_algorithm', alg)
    }
  for (const alg of [undefined, null, 1, {}, ['RS256'], [['RS256']], true])
    await refuses(read, unsigned({ alg, kid: rsa.kid }, signature), 'hint_algorithm', JSON.stringify(alg))
  await refuses(read, `${header}.${body}.`, 'hint_bad_signature')
})

forged('a key of ours is no secret: as PEM, DER or JWK it does not verify an HMAC', async () => {
  const key = publicObject(rsa)
  const secrets: ReadonlyArray<Payload> = [
    key.export({ type: 'spki', format: 'pem' }),
    key.export({ type: 'pkcs1', format: 'pem' }),
    key.export({ type: 'spki', format: 'der' }),
    key.export({ type: 'pkcs1', format: 'der' }),
    JSON.stringify(rsa.jwk),
    JSON.stringify({ ...rsa.jwk, kid: rsa.kid, use: 'sig', alg: 'RS256' }),
    '',
  ]
  for (const secret of secrets)
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const input = unsigned({ alg, kid: rsa.kid, typ: 'JWT' }).slice(0, -1)
      const mac = createHmac(hash, secret).update(input).digest('base64url')
      await refuses(read, `${input}.${mac}`, 'hint_algorithm')
    }
})

forged('only the algorithm of its ring verifies with a key, although the key could do another', async () => {
  for (const alg of ['RS384', 'RS512', 'PS256', 'PS384', 'PS512'])
    await refuses(read, await signedWith(rsa, { alg }), 'hint_algorithm', alg)
  const both = reading([ringWith('RS256', rsa), ringWith('PS256', attacker)])
  await refuses(both, await signedWith(rsa, { alg: 'PS256' }), 'hint_algorithm')
  await refuses(both, await signedWith(attacker, { alg: 'RS256' }), 'hint_algorithm')
  await reads(both, await signedWith(attacker, { alg: 'PS256' }))
})

forged("another's key is not ours under our kid, and what the header offers is not used or fetched", async () => {
  const requested: Array<string | undefined> = []
  const server = createServer(({ url }, response) => {
    requested.push(url)
    response.end(JSON.stringify({ keys: [{ ...attacker.jwk, kid: rsa.kid, use: 'sig', alg: 'RS256' }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  const jwk = { ...attacker.jwk }
  const certificate = publicObject(attacker).export({ type: 'spki', format: 'der' }).toString('base64')
  for (const offer of [{}, { jwk }, { jku: url }, { x5u: url }, { x5c: [certificate] }, { jwk, jku: url, x5u: url }]) {
    const fields = { alg: 'RS256', ...offer }
    await refuses(read, await signedWith(attacker, { ...fields, kid: rsa.kid }), 'hint_bad_signature')
    await refuses(read, await signedWith(attacker, fields), 'hint_unknown_key')
    await reads(read, await signedWith(rsa, fields))
  }
  await new Promise((resolve) => server.close(resolve))
  assert.equal(requested, [])
})

forged('the kid is a name and nothing else', async () => {
  const kids = ['', '../../dev/null', "' OR 1=1--", '__proto__', 'constructor', 'undefined', `${rsa.kid} `, '\u0007']
  for (const kid of kids) await refuses(read, await signedWith(rsa, { alg: 'RS256', kid }), 'hint_unknown_key', kid)
  for (const kid of [null, 0, true, [ed.kid], { kid: ed.kid }, [], {}])
    await refuses(read, signedText(ed, JSON.stringify({ alg: 'EdDSA', kid })), 'hint_unknown_key', JSON.stringify(kid))
  await refuses(read, signedText(ed, '{"alg":"EdDSA"}'), 'hint_unknown_key', 'absent')
  const enc = await keyFor('RSA-OAEP-256')
  await refuses(read, unsigned({ alg: 'RS256', kid: enc.kid }, signature), 'hint_unknown_key', 'for encryption')
})

forged('without a kid none is guessed, although there is only one key', async () => {
  await refuses(reading([ringWith('EdDSA', ed)]), signedText(ed, '{"alg":"EdDSA"}'), 'hint_unknown_key')
  await refuses(reading([]), good, 'hint_algorithm')
})

const tampered: ReadonlyArray<readonly [string, HintFault]> = [
  [`${header}.${base64url(JSON.stringify({ ...claims, sub: 'another' }))}.${signature}`, 'hint_bad_signature'],
  [`${base64url(JSON.stringify({ alg: 'RS256', kid: rsa.kid }))}.${body}.${signature}`, 'hint_bad_signature'],
  [`${header}.${body}.${base64url(Buffer.alloc(256))}`, 'hint_bad_signature'],
  [`${header}.${body}.${base64url(Buffer.from(signature, 'base64url').reverse())}`, 'hint_bad_signature'],
  [`${header}.${body}.${signature}AAAA`, 'hint_bad_signature'],
  [`${header}..${signature}`, 'hint_bad_signature'],
]

forged('what was altered after it was signed does not count', async () => {
  for (const [hint, fault] of tampered) await refuses(read, hint, fault)
  await refuses(
    read,
    signedText({ ...otherEd, kid: ed.kid }, `{"alg":"EdDSA","kid":"${ed.kid}"}`),
    'hint_bad_signature',
  )
})

const json = { payload: body, protected: header, signature }
// The last character for 256 bytes has four unused bits: another text encodes the same bytes.
const sameBytes = (text: string): string =>
  text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1)
const noHint: ReadonlyArray<string> = [
  '',
  '.',
  '..',
  '....',
  'null',
  '{}',
  header,
  `${header}.${body}`,
  `${good}.`,
  `.${good}`,
  `${good}...`,
  `${good}.a.b.c`,
  `${good} `,
  ` ${good}`,
  `${good}\n`,
  `${header}\n.${body}.${signature}`,
  `${header}=.${body}.${signature}`,
  `${header}.${body}.${signature}=`,
  `${header}.${body}.${signature}==`,
  `${header}.${body}.${sameBytes(signature)}`,
  `${header}.${body}.${signature}\u0000`,
  `${header}.${body}.%${signature}`,
  `${header}.\ud800.${signature}`,
  `Bearer ${good}`,
  `"${good}"`,
  JSON.stringify(json),
  JSON.stringify({ payload: body, signatures: [{ protected: header, signature }] }),
  good.replaceAll('.', '\u3002'),
]

forged('what is not exactly one compact serialization is malformed', async () => {
  for (const hint of noHint) await refuses(read, hint, 'hint_malformed', hint)
})

const fields = `"alg":"EdDSA","kid":"${ed.kid}"`
const badHeaders: ReadonlyArray<Payload> = [
  'null',
  '[]',
  `[{${fields}}]`,
  `"${fields}"`,
  `{${fields}`,
  `{${fields},"alg":"EdDSA"}`,
  `{"kid":"else",${fields}}`,
  `{${fields},"__proto__":{}}`,
  `{${fields},"typ":null}`,
  `{${fields},"typ":["JWT"]}`,
  `{${fields},"crit":[]}`,
  `{${fields},"crit":["exp"],"exp":1}`,
  `{${fields},"crit":["b64"],"b64":false}`,
  `\ufeff{${fields}}`,
  `{${fields},"x":"\\ud800"}`,
  `{${fields},"x":${'['.repeat(40)}${']'.repeat(40)}}`,
  Buffer.concat([Buffer.from(`{${fields},"x":"`), Buffer.from([0xff]), Buffer.from('"}')]),
]

forged('a header that readers could take differently, or that demands an extension, is malformed', async () => {
  await reads(read, signedText(ed, `{${fields}}`))
  await reads(read, signedText(ed, `{${fields},"b64":false}`))
  for (const each of badHeaders) await refuses(read, signedText(ed, each), 'hint_malformed', String(each))
})

const badPayloads: ReadonlyArray<Payload> = [
  '',
  'null',
  '[]',
  '"text"',
  '1',
  'true',
  `[${payload}]`,
  `${payload}${payload}`,
  `${payload}\u0000`,
  payload.slice(0, -1),
  `\ufeff${payload}`,
  '{"sub":"a","sub":"b"}',
  '{"act":{"sub":"a","sub":"b"}}',
  '{"sub":"\\ud800"}',
  '{"sub":"\\u0000"}',
  '{"__proto__":{"sub":"a"}}',
  Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from(payload, 'utf16le'),
  `{"deep":${'['.repeat(4_000)}${']'.repeat(4_000)}}`,
  good,
]

forged('a payload that is no JSON object in well-formed UTF-8 is malformed, although we signed it', async () => {
  for (const each of badPayloads)
    await refuses(read, signedText(ed, `{${fields}}`, each), 'hint_malformed', String(each).slice(0, 40))
})

forged('a hint of more than 16,384 characters is not looked at, and one of exactly that many is', async () => {
  const long = (size: number) => signedText(ed, `{${fields}}`, JSON.stringify({ x: 'x'.repeat(size) }))
  const size = Math.floor(((16_384 - long(0).length) * 3) / 4)
  await reads(read, long(size), { x: 'x'.repeat(size) })
  await refuses(read, long(size + 2), 'hint_too_long')
  await refuses(read, 'x'.repeat(16_384), 'hint_malformed')
  await refuses(read, 'x'.repeat(16_385), 'hint_too_long')
  const wide = (kid: string) => unsigned({ alg: 'RS256', kid }, signature)
  await refuses(read, wide('x'.repeat(3_000)), 'hint_unknown_key')
  await refuses(read, wide('x'.repeat(3_100)), 'hint_too_long')
  await withTimeout(500, async () => {
    const much = 1_048_576
    for (const each of ['x', '.', '{', '\ud800', `${good}.`])
      await refuses(read, each.repeat(much / each.length), 'hint_too_long')
    await refuses(read, wide('x'.repeat(much)), 'hint_too_long')
    await refuses(read, '.'.repeat(16_384), 'hint_malformed')
  })
})

forged.run()
