import { deflateRawSync } from 'node:zlib'
import type { HintFault } from '@clientele/domain/logout'
import { suite } from 'uvu'
import {
  base64url,
  claims,
  reading,
  reads,
  refuses,
  sealedText,
  sealedTo,
  signedText,
  signedWith,
  withTimeout,
} from '../../adapters-http/test/support/hints.js'
import * as assert from 'uvu/assert'
import { keyFor, ringWith } from '../../adapters-http/test/support/keys.js'

const sealed = suite('ID token hints that are encrypted')

const ours = await keyFor('RSA-OAEP-256')
const other = await keyFor('RSA-OAEP-256', 1)
const ed = await keyFor('EdDSA')
const rsa = await keyFor('RS256')
const rings = [ringWith('EdDSA', ed), ringWith('RS256', rsa), ringWith('RSA-OAEP-256', ours, 'enc')]
const read = reading(rings)
const signed = await signedWith(ed, { alg: 'EdDSA' })
const good = await sealedTo(ours, signed)
const [header = '', encryptedKey = '', iv = '', ciphertext = '', tag = ''] = good.split('.')
const usual = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: ours.kid }

const joined = (...segments: ReadonlyArray<string>): string => segments.join('.')

const flipped = (segment: string): string => {
  const bytes = Buffer.from(segment, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1)
  return base64url(bytes)
}

sealed('whatever cannot be decrypted is told by one code', async () => {
  await reads(read, good)
  const altered = [
    joined(base64url(JSON.stringify(usual)), encryptedKey, iv, ciphertext, tag),
    joined(header, flipped(encryptedKey), iv, ciphertext, tag),
    joined(header, base64url('short'), iv, ciphertext, tag),
    joined(header, '', iv, ciphertext, tag),
    joined(header, encryptedKey, flipped(iv), ciphertext, tag),
    joined(header, encryptedKey, '', ciphertext, tag),
    joined(header, encryptedKey, base64url(Buffer.alloc(16)), ciphertext, tag),
    joined(header, encryptedKey, iv, flipped(ciphertext), tag),
    joined(header, encryptedKey, iv, '', tag),
    joined(header, encryptedKey, iv, ciphertext, flipped(tag)),
    joined(header, encryptedKey, iv, ciphertext, ''),
    joined(header, encryptedKey, iv, ciphertext, tag.slice(0, 8)),
    joined(header, '', '', '', ''),
  ]
  for (const hint of altered) await refuses(read, hint, 'hint_undecryptable')
})

sealed('an altered tag of an HMAC is told by the same code', async () => {
  const segments = (await sealedTo(ours, signed, { enc: 'A128CBC-HS256' })).split('.')
  await refuses(read, joined(...segments.slice(0, 4), flipped(segments[4] ?? '')), 'hint_undecryptable')
})

sealed('a key that is not ours does not open it, nor a kid that is not ours', async () => {
  for (const kid of [other.kid, null, ours.kid, '', '../../dev/null', ed.kid])
    await refuses(read, await sealedTo(other, signed, { kid }), 'hint_undecryptable', kid ?? 'absent')
  for (const kid of [other.kid, '', ed.kid, `${ours.kid} `])
    await refuses(read, await sealedTo(ours, signed, { kid }), 'hint_undecryptable', kid)
  for (const kid of [null, 0, [ours.kid], {}])
    await refuses(read, sealedText(ours, { ...usual, kid }, signed), 'hint_undecryptable', JSON.stringify(kid))
  await refuses(reading(rings.slice(0, 2)), good, 'hint_undecryptable')
})

sealed('a key to sign with does not decrypt', async () => {
  await refuses(read, await sealedTo(rsa, signed), 'hint_undecryptable')
  const named = reading([ringWith('EdDSA', ed), ringWith('RSA-OAEP-256', rsa)])
  await refuses(named, await sealedTo(rsa, signed), 'hint_undecryptable')
})

sealed('only RSA-OAEP-256 is taken, although the key could do more', async () => {
  await reads(read, sealedText(ours, usual, signed))
  for (const alg of ['RSA1_5', 'RSA-OAEP', 'rsa-oaep-256', 'RSA-OAEP-512', 'dir', 'none', 'RS256', '', undefined])
    await refuses(read, sealedText(ours, { ...usual, alg }, signed), 'hint_undecryptable', alg)
  await refuses(read, await sealedTo(ours, signed, { alg: 'RSA-OAEP' }), 'hint_undecryptable')
})

sealed('only the content encryption of RFC 7518 is taken', async () => {
  for (const enc of ['A128CBC', 'A256GCMKW', 'C20P', 'none', '', undefined, null, 1])
    await refuses(read, sealedText(ours, { ...usual, enc }, signed), 'hint_undecryptable', String(enc))
})

sealed('a password that takes hours to try is not tried', async () => {
  await withTimeout(500, async () => {
    for (const kid of [ours.kid, undefined])
      for (const alg of ['PBES2-HS256+A128KW', 'PBES2-HS384+A192KW', 'PBES2-HS512+A256KW']) {
        const slow = { ...usual, kid, alg, p2c: 1_000_000_000, p2s: base64url('salt of the attacker') }
        await refuses(read, sealedText(ours, slow, signed), 'hint_undecryptable', alg)
      }
  })
})

sealed('nothing is unzipped', async () => {
  const zip = 'DEF'
  await refuses(read, sealedText(ours, { ...usual, zip }, deflateRawSync(signed)), 'hint_undecryptable')
  await refuses(read, sealedText(ours, { ...usual, zip }, signed), 'hint_undecryptable')
  const bomb = sealedText(ours, { ...usual, zip }, deflateRawSync(Buffer.alloc(8_388_608)))
  assert.ok(bomb.length < 16_384)
  await withTimeout(500, () => refuses(read, bomb, 'hint_undecryptable'))
})

sealed('an extension that is demanded is none that we know', async () => {
  for (const crit of [[], ['exp'], ['b64']])
    await refuses(read, sealedText(ours, { ...usual, crit, exp: 1, b64: false }, signed), 'hint_malformed')
})

const attacker = await keyFor('EdDSA', 1)
const inside: ReadonlyArray<readonly [string, string | Uint8Array, HintFault]> = [
  ['nothing', '', 'hint_malformed'],
  ['claims', JSON.stringify(claims), 'hint_malformed'],
  ['a JWE', good, 'hint_malformed'],
  ['two', `${signed}.${signed}`, 'hint_malformed'],
  ['white space', `${signed}\n`, 'hint_malformed'],
  ['no UTF-8', Buffer.from([0xff, 0xfe]), 'hint_malformed'],
  ['a byte order mark', `\ufeff${signed}`, 'hint_malformed'],
  ['no signature', `${signed.slice(0, signed.lastIndexOf('.'))}.`, 'hint_bad_signature'],
  ['none', `${base64url(JSON.stringify({ alg: 'none' }))}.${base64url(JSON.stringify(claims))}.`, 'hint_algorithm'],
  ['no kid', signedText(ed, '{"alg":"EdDSA"}'), 'hint_unknown_key'],
  ['of an attacker', await signedWith(attacker, { alg: 'EdDSA', kid: ed.kid }), 'hint_bad_signature'],
  ['of a key unknown', await signedWith(attacker, { alg: 'EdDSA' }), 'hint_unknown_key'],
]

sealed('to encrypt to us is open to everybody: what is inside must be signed by us', async () => {
  for (const [name, plaintext, fault] of inside)
    for (const kid of [ours.kid, null]) await refuses(read, await sealedTo(ours, plaintext, { kid }), fault, name)
})

sealed('nothing that is nested deeper is read, two deep or ten', async () => {
  const nested = async (depth: number): Promise<string> =>
    depth === 0 ? signedText(ed, `{"alg":"EdDSA","kid":"${ed.kid}"}`, '{}') : sealedTo(ours, await nested(depth - 1))
  await reads(read, await nested(1), {})
  await refuses(read, await nested(2), 'hint_malformed')
  await refuses(read, await nested(3), 'hint_malformed')
  await refuses(read, await nested(10), 'hint_too_long')
  const quoted = (depth: number): string =>
    depth === 0 ? signed : signedText(ed, `{"alg":"EdDSA","kid":"${ed.kid}"}`, quoted(depth - 1))
  for (const depth of [1, 2, 8]) await refuses(read, quoted(depth), 'hint_malformed')
})

sealed.run()
