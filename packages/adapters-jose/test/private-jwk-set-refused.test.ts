import { calculateJwkThumbprint } from 'jose'
import { type KeyPairKeyObjectResult, generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPrivateJwkSet } from '../src/jwk-sets.js'
import { type Jwk, keyFor, left, privateJwk, secretsOf, tellsNothing } from '../../adapters-http/test/support/keys.js'

const set = suite('private JWK set, refused')

const [rsa, otherRsa, es256, otherEs256, es384, es512, otherEs512, edDsa, otherEdDsa] = (
  await Promise.all([
    keyFor('RS256'),
    keyFor('RS256', 1),
    keyFor('ES256'),
    keyFor('ES256', 1),
    keyFor('ES384'),
    keyFor('ES512'),
    keyFor('ES512', 1),
    keyFor('EdDSA'),
    keyFor('EdDSA', 1),
  ] as const)
).map(privateJwk) as [Jwk, Jwk, Jwk, Jwk, Jwk, Jwk, Jwk, Jwk, Jwk]

const ofNode = ({ privateKey }: KeyPairKeyObjectResult): Jwk => ({ ...privateKey.export({ format: 'jwk' }) })

const rsa1024 = ofNode(generateKeyPairSync('rsa', { modulusLength: 1024 }))
const secp256k1 = ofNode(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))
const x25519 = ofNode(generateKeyPairSync('x25519'))
const ed448 = ofNode(generateKeyPairSync('ed448'))
const oct: Jwk = { kty: 'oct', k: Buffer.from('a secret that two sides share!!!').toString('base64url') }

const faultsOf = async (json: unknown): Promise<ReadonlyArray<string>> => left(await readPrivateJwkSet(json)())

/** Asserts that the key is refused, each fault with its place, and that no fault reveals a secret. */
const refuses = async (key: unknown, name: string, ...expected: ReadonlyArray<RegExp>): Promise<void> => {
  const faults = await faultsOf({ keys: [edDsa, key] })
  assert.is(faults.length, expected.length, `${name}: ${faults.join('; ')}`)
  for (const [index, pattern] of expected.entries()) {
    assert.match(faults[index] ?? '', /^\/keys\/1 [\x20-\x7E]+$/, name)
    assert.match(faults[index] ?? '', pattern, name)
  }
  tellsNothing(faults.join('\n'), secretsOf({ ...edDsa, ...(key as Jwk) }))
}

const cutTo = (bytes: number, text: unknown): string =>
  Buffer.from(String(text), 'base64url').subarray(0, bytes).toString('base64url')

const without = (jwk: Jwk, ...names: ReadonlyArray<string>): Jwk =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !names.includes(name)))

const publicHalf = (jwk: Jwk): Jwk => without(jwk, 'd', 'p', 'q', 'dp', 'dq', 'qi')

const notOneKey = /must be one key: .*does not belong to its public half$/

set('what is no set, or one of no key or of more than 32, is told as such', async () => {
  const many = Array.from({ length: 33 }, (_, index) => ({ ...edDsa, kid: `key-${index}` }))
  const values = [undefined, null, true, 1, 'keys', [], [edDsa], edDsa, {}, Object.create({ keys: [edDsa] })]
  const sets = [{ keys: [] }, { keys: edDsa }, { keys: { 0: edDsa, length: 1 } }, { keys: null }, { keys: many }]
  for (const json of [...values, ...sets])
    assert.equal(await faultsOf(json), [
      'must be a JSON Web Key set: an object with the array keys, of 1 to 32 private keys',
    ])
})

set('what is no object is no key', async () => {
  for (const value of [null, true, 1, 'key', [], [edDsa], undefined])
    await refuses(value, JSON.stringify([value]), /must be an object$/)
})

set('a public key is refused', async () => {
  for (const jwk of [rsa, es256, es384, es512, edDsa]) await refuses(publicHalf(jwk), String(jwk['kty']), /is public$/)
  await refuses(without(rsa, 'd'), 'RSA without d', /is public$/)
})

set('a key without a public half is refused, and so is a key of no known type', async () => {
  await refuses(oct, 'oct', /^\/keys\/1 kty /)
  await refuses({ ...oct, ...without(edDsa, 'kty') }, 'oct with d', /^\/keys\/1 kty /)
  await refuses(without(es256, 'kty'), 'no kty', /^\/keys\/1 kty /)
  await refuses({ ...es256, kty: 'ec' }, 'kty ec', /^\/keys\/1 kty /)
})

set('a weak or unusual RSA key is refused', async () => {
  await refuses(rsa1024, '1024 bits', /^\/keys\/1 n must be an odd RSA modulus of 2048/)
  await refuses({ ...rsa, oth: [] }, 'no third prime', /oth$/)
  await refuses({ ...rsa, oth: [{ r: rsa['p'], d: rsa['dp'], t: rsa['qi'] }] }, 'a third prime', /oth$/)
  await refuses({ ...rsa, e: 'Aw' }, 'exponent 3', /^\/keys\/1 e must be an odd RSA exponent/)
  await refuses({ ...rsa, e: 'AQAC' }, 'even exponent', /^\/keys\/1 e must be an odd RSA exponent/)
})

set('a key of a curve that no ring signs with is refused, whatever its algorithm says', async () => {
  for (const [name, jwk] of Object.entries({ secp256k1, x25519, ed448 }))
    for (const more of [{}, { use: 'sig' }, { use: 'enc' }, { alg: 'ES256' }, { alg: 'EdDSA' }, { alg: 'ES256K' }])
      await refuses({ ...jwk, ...more }, name, /^\/keys\/1 crv must be P-256, P-384, P-521 or Ed25519/)
})

set('the private half of another key is refused', async () => {
  const pairs = [
    [rsa, otherRsa],
    [es256, otherEs256],
    [es512, otherEs512],
    [edDsa, otherEdDsa],
  ] as const
  for (const [one, other] of pairs)
    for (const [mine, theirs] of [
      [one, other],
      [other, one],
    ] as const)
      await refuses({ ...theirs, ...publicHalf(mine) }, String(mine['kty']), notOneKey)
  await refuses({ ...otherRsa, ...publicHalf(rsa), use: 'enc' }, 'RSA to encrypt', notOneKey)
  await refuses({ ...es256, y: otherEs256['y'] }, 'a point that is not on the curve', notOneKey)
})

set('a private half that is cut off is refused', async () => {
  for (const jwk of [es256, es384, es512, edDsa])
    for (const bytes of [1, 12, 31])
      await refuses({ ...jwk, d: cutTo(bytes, jwk['d']) }, `${String(jwk['crv'])} ${bytes}`, notOneKey)
  // One byte is removed as well, because the value may be shorter than the modulus by itself.
  for (const bytes of [1, 128, -1]) await refuses({ ...rsa, d: cutTo(bytes, rsa['d']) }, `RSA ${bytes}`, notOneKey)
})

set('every member of a private half is unpadded base64url, in the one text of its bytes', async () => {
  const rule = (name: string): RegExp => new RegExp(`^/keys/1 ${name} must be base64url`)
  for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi'])
    for (const value of ['', 'A', '=', `${String(rsa[name])}=`, 1, true, {}, [rsa[name]], null])
      await refuses({ ...rsa, [name]: value }, `${name} ${JSON.stringify(value)}`, rule(name))
  for (const name of ['p', 'q', 'dp', 'dq', 'qi']) await refuses(without(rsa, name), `without ${name}`, rule(name))
  for (const jwk of [es256, edDsa]) {
    const last = String(jwk['x']).slice(-1)
    const text = String(jwk['x']).slice(0, -1)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sameBytes = alphabet[alphabet.indexOf(last) + 1] ?? ''
    await refuses({ ...jwk, x: text + sameBytes }, `${String(jwk['kty'])} with bits that say nothing`, rule('x'))
  }
})

set('numbers of another RSA key are refused, whichever they are', async () => {
  for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi'])
    await refuses({ ...rsa, [name]: otherRsa[name] }, `${name} of another`, notOneKey)
  await refuses({ ...rsa, p: rsa['q'], q: rsa['p'] }, 'primes that changed places', notOneKey)
})

set('the same key under two algorithms is repeated, without a kid and with its thumbprint as one', async () => {
  const text = /kid must not repeat a kid/
  for (const others of [
    {},
    { kid: await calculateJwkThumbprint({ kty: 'RSA', n: String(rsa['n']), e: String(rsa['e']) }) },
  ]) {
    const [fault, ...more] = await faultsOf({
      keys: [
        { ...rsa, alg: 'RS256' },
        { ...rsa, ...others, alg: 'PS256' },
      ],
    })
    assert.match(fault ?? '', text)
    assert.equal(more, [])
  }
})

set('a repeated name is told of each key but the first', async () => {
  const named = [rsa, es256, edDsa, es384, es512].map((jwk, index) => ({
    ...jwk,
    kid: ['a', 'b', 'a', 'A', 'a'][index],
  }))
  const text = 'kid must not repeat a kid: give each key its own'
  assert.equal(await faultsOf({ keys: named }), [`/keys/2 ${text}`, `/keys/4 ${text}`])
})

set('a bad name is refused', async () => {
  for (const kid of ['', 'a b', '../a', 'a..b', 'k'.repeat(257), 'é', 'a\n', '\u0000', 1, null, true, ['a'], {}])
    for (const jwk of [rsa, es256, edDsa])
      await refuses({ ...jwk, kid }, JSON.stringify(kid), /^\/keys\/1 kid must be a kid/)
})

set('an algorithm that does not fit the key or its use is refused, and those that fit are told', async () => {
  const table = [
    [rsa, ['ES256', 'EdDSA', 'HS256', 'none', 'RSA1_5', 'RSA-OAEP', 'rs256', ''], /: RS256, .*PS512, RSA-OAEP-256$/],
    [{ ...rsa, use: 'sig' }, ['RSA-OAEP-256', 'ES256'], /: RS256, RS384, RS512, PS256, PS384, PS512$/],
    [{ ...rsa, use: 'enc' }, ['RS256', 'PS512', 'RSA-OAEP'], /: RSA-OAEP-256$/],
    [es256, ['ES384', 'ES512', 'ES256K', 'RS256', 'RSA-OAEP-256', 'ECDH-ES', 'EdDSA'], /: ES256$/],
    [es384, ['ES256'], /: ES384$/],
    [es512, ['ES384'], /: ES512$/],
    [edDsa, ['ES256', 'Ed448', 'ECDH-ES'], /: EdDSA$/],
  ] as const
  for (const [jwk, algs, known] of table)
    for (const alg of algs) {
      await refuses({ ...jwk, alg }, alg, /^\/keys\/1 alg must fit the key and its use: /)
      await refuses({ ...jwk, alg }, alg, known)
    }
})

set('a use of another word is refused, and so is encryption to a key that only signs', async () => {
  for (const use of ['both', 'SIG', 'sign', '', ' sig']) await refuses({ ...rsa, use }, use, /use must be sig or enc$/)
  for (const jwk of [es256, edDsa]) await refuses({ ...jwk, use: 'enc' }, 'enc', /only RSA keys encrypt here$/)
})

set('everything that is wrong is told at once, each with its place, and good keys are not named', async () => {
  const keys = [edDsa, publicHalf(rsa), es256, oct, 1, { ...es384, d: otherEs256['d'] }, rsa1024, { ...es512, kid: '' }]
  const faults = await faultsOf({ keys: [...keys, { ...rsa, kid: 'a', use: 'x' }, { ...otherRsa, kid: 'a' }] })
  const places = new Set(faults.map((fault) => fault.split(' ')[0]))
  assert.equal(
    [...places],
    [1, 3, 4, 5, 6, 7, 8].map((index) => `/keys/${index}`),
  )
  assert.equal(await faultsOf({ keys: [{ ...rsa1024, e: 'Aw', kid: '', use: 'x' }] }).then((all) => all.length), 4)
  tellsNothing(faults.join('\n'), [rsa, oct, es256, es384, es512, edDsa, rsa1024, otherRsa].flatMap(secretsOf))
})

set.run()
