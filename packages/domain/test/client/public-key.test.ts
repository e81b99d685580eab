import * as fc from 'fast-check'
import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { publicKeyFaults } from '../../src/client/public-key.js'
import { bitLength, byteLength, isBase64url, isOdd } from '../../src/codec/base64url.js'
import { law } from '../../src/testing/index.js'

const PublicKey = suite('publicKeyFaults')
const it = law(PublicKey)

it(
  'the number that base64url stands for has the bits, bytes and parity of the number',
  [fc.uint8Array({ minLength: 1, maxLength: 40 })],
  (bytes) => {
    const text = Buffer.from(bytes).toString('base64url')
    const number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
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

const pairs = {
  'RSA of 2048 bits': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA of 3072 bits': () => generateKeyPairSync('rsa', { modulusLength: 3072 }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  Ed448: () => generateKeyPairSync('ed448'),
  X25519: () => generateKeyPairSync('x25519'),
}
for (const [name, make] of Object.entries(pairs))
  PublicKey(`the public half of a new ${name} key is one, and its private half is not`, () => {
    const { publicKey, privateKey } = make()
    assert.equal(publicKeyFaults(publicKey.export({ format: 'jwk' })), [])
    assert.ok(publicKeyFaults(privateKey.export({ format: 'jwk' })).every(({ rule }) => rule === 'jwk-private'))
    assert.not.equal(publicKeyFaults(privateKey.export({ format: 'jwk' })), [])
  })

PublicKey('RSA of 1024 bits is too short', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  assert.equal(publicKeyFaults(publicKey.export({ format: 'jwk' })), [{ rule: 'jwk-rsa-size', member: 'n' }])
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
    const coordinate = (length: number) => Buffer.alloc(length, 1).toString('base64url')
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
  (all) => assert.equal(withChain(all.map((bytes) => Buffer.from(bytes).toString('base64'))), []),
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
