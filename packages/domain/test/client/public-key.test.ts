import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { publicKeyFaults } from '../../src/client/keys.js'
import { bitLength, byteLength, isBase64url, isOdd } from '../../src/kernel/values.js'
import { base64urlOf, law } from '@clientele/testing'

const PublicKey = suite('publicKeyFaults')
const it = law(PublicKey)

it(
  'the number that base64url stands for has the bits, bytes and parity of the number',
  [fc.uint8Array({ minLength: 1, maxLength: 40 })],
  (bytes) => {
    const text = base64urlOf(bytes)
    const number = bytes.reduce((all, byte) => all * 256n + BigInt(byte), 0n)
    assert.ok(isBase64url(text))
    assert.is(byteLength(text), bytes.length)
    assert.is(bitLength(text), number === 0n ? 0 : number.toString(2).length)
    assert.is(isOdd(text), number % 2n === 1n)
  },
)

it(
  'text is base64url exactly when decoding and encoding again could make it',
  [fc.string({ unit: fc.constantFrom('A', 'b', '7', '-', '_', '=', '+', ' ', 'é') })],
  (text) => assert.is(isBase64url(text), /^[\w-]+$/.test(text) && text.length % 4 !== 1),
)

it('any value whatever is judged', [fc.anything()], (value) => {
  assert.ok(Array.isArray(publicKeyFaults(value)))
})

it(
  'any members of a key of any type are judged, and a private one is always told',
  [
    fc.constantFrom('RSA', 'EC', 'OKP', 'oct', 'AKP'),
    fc.constantFrom('d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'),
    fc.dictionary(fc.constantFrom('n', 'e', 'crv', 'x', 'y', 'kid', 'use', 'alg', 'x5c', 'key_ops'), fc.anything()),
    fc.anything(),
  ],
  (kty, name, members, value) => {
    assert.ok(Array.isArray(publicKeyFaults({ kty, ...members })))
    const faults = publicKeyFaults({ kty, ...members, [name]: value })
    assert.ok(faults.some((fault) => fault.rule === 'jwk-private' && fault.member === name))
  },
)

// As JSON, because one runtime adds undefined members.
const jwkOf = async (key: Parameters<typeof crypto.subtle.exportKey>[1]): Promise<unknown> =>
  JSON.parse(JSON.stringify(await crypto.subtle.exportKey('jwk', key)))

const rsa = (modulusLength: number) =>
  crypto.subtle.generateKey(
    { name: 'RSASSA-PKCS1-v1_5', modulusLength, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  )
const ecdsa = (namedCurve: string) => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify'])

const pairs = {
  'RSA of 2048 bits': () => rsa(2048),
  'RSA of 3072 bits': () => rsa(3072),
  'P-256': () => ecdsa('P-256'),
  'P-384': () => ecdsa('P-384'),
  'P-521': () => ecdsa('P-521'),
  Ed25519: () => crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']),
  X25519: () => crypto.subtle.generateKey('X25519', true, ['deriveBits']),
}
for (const [name, make] of Object.entries(pairs))
  PublicKey(`the public half of a new ${name} key is one, and its private half is not`, async () => {
    const pair = await make()
    assert.ok('publicKey' in pair)
    assert.equal(publicKeyFaults(await jwkOf(pair.publicKey)), [])
    const reported = publicKeyFaults(await jwkOf(pair.privateKey))
    assert.ok(reported.every(({ rule }) => rule === 'jwk-private'))
    assert.not.equal(reported, [])
  })

PublicKey('RSA of 1024 bits is too short', async () => {
  const { publicKey } = await rsa(1024)
  assert.equal(publicKeyFaults(await jwkOf(publicKey)), [{ rule: 'jwk-rsa-size', member: 'n' }])
})

// Two curves for which WebCrypto makes no keys: RFC 8032 §7.4 "Blank", and the base point of SEC 2 §2.4.1.
for (const { d, ...key } of [
  {
    kty: 'OKP',
    crv: 'Ed448',
    d: 'bIKlYsuAjRDWMr6JyFE-v2ySnzTd-oyfY8mWDvbjSKNSjIo_zC8ETjmj_FuUSS-PAy51SaIAmPlb',
    x: 'X9dEm1m0Yf0s54fsYWrUah2hNCSFpw4fig6nXYDpZ3jt8SR2m0bHBhvWeD3x5Q9s0foavq_oJWGA',
  },
  {
    kty: 'EC',
    crv: 'secp256k1',
    d: `${'A'.repeat(42)}E`,
    x: 'eb5mfvncu6xVoGKVzocLBwKb_NstzijZWfKBWxb4F5g',
    y: 'SDradyajxGVdpPv8DhEIqP0XtEimhVQZnEfQj_sQ1Lg',
  },
])
  PublicKey(`the public half of a known ${key.crv} key is one, and its private half is not`, () => {
    assert.equal(publicKeyFaults(key), [])
    assert.equal(publicKeyFaults({ ...key, d }), [{ rule: 'jwk-private', member: 'd' }])
  })

const faultsOf = (key: object) => publicKeyFaults(key).map(({ rule, member }) => `${member ?? ''} ${rule}`)

PublicKey('the longest odd numbers are taken, longer ones are not', () => {
  const rsa = { kty: 'RSA', n: `u${'A'.repeat(340)}Q`, e: 'AQAB' }
  assert.equal(faultsOf({ ...rsa, n: `u${'A'.repeat(2729)}E` }), [])
  assert.equal(faultsOf({ ...rsa, n: `u${'A'.repeat(2730)}B` }), ['n jwk-rsa-size'])
  assert.equal(faultsOf({ ...rsa, e: `u${'A'.repeat(41)}E` }), [])
  assert.equal(faultsOf({ ...rsa, e: `u${'A'.repeat(42)}B` }), ['e jwk-rsa-exponent'])
})

const curves = [
  ['EC', 'P-256', 32],
  ['EC', 'P-384', 48],
  ['EC', 'P-521', 66],
  ['EC', 'secp256k1', 32],
  ['OKP', 'Ed25519', 32],
  ['OKP', 'Ed448', 57],
  ['OKP', 'X25519', 32],
  ['OKP', 'X448', 56],
] as const
for (const [kty, crv, bytes] of curves)
  PublicKey(`a coordinate on ${crv} has ${bytes} bytes, and the curve is one of ${kty}`, () => {
    const coordinate = (length: number) => base64urlOf(new Uint8Array(length).fill(1))
    const y = kty === 'EC' ? { y: coordinate(bytes) } : {}
    assert.equal(faultsOf({ kty, crv, x: coordinate(bytes), ...y }), [])
    for (const length of [bytes - 1, bytes + 1])
      assert.equal(faultsOf({ kty, crv, x: coordinate(length), ...y }), ['x jwk-member'])
    assert.equal(faultsOf({ kty: kty === 'EC' ? 'OKP' : 'EC', crv, x: 'AA', y: 'AA' }), ['crv jwk-member'])
  })

PublicKey('a symmetric key is told as private, once', () => {
  assert.equal(faultsOf({ kty: 'oct', k: 'AA' }), ['k jwk-private'])
})

const withChain = (x5c: unknown) => faultsOf({ kty: 'of-tomorrow', x5c })

it(
  'certificates are base64 of DER',
  [fc.array(fc.uint8Array({ minLength: 3 }), { minLength: 1, maxLength: 10 })],
  (all) => assert.equal(withChain(all.map((bytes) => btoa(String.fromCharCode(...bytes)))), []),
)

for (const entry of [
  'AAAAA',
  'AAAAAA',
  'AAAA=',
  'AAAA==',
  'AAAAA=',
  'AAAAA==',
  'AAAA--==',
  'AAAA---=',
  'AAAA ',
  ' AAAA',
  7,
])
  PublicKey(`${JSON.stringify(entry)} is no certificate`, () => {
    assert.equal(withChain([entry]), ['x5c jwk-member'])
    assert.equal(withChain(['AAAA', entry]), ['x5c jwk-member'])
  })

PublicKey('keys of a type or curve that is not known are left to those who know it', () => {
  assert.equal(publicKeyFaults({ kty: 'AKP', pub: 'AA', alg: 'ML-DSA-44' }), [])
  assert.equal(publicKeyFaults({ kty: 'EC', crv: 'of-tomorrow', x: 'AA', y: 'AA' }), [])
})

PublicKey.run()
