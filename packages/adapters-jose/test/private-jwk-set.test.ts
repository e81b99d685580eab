import { secondsAfter } from '@clientele/domain/kernel'
import { type ImportedKeys, publishedKeys } from '@clientele/domain/keys'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPrivateJwkSet } from '../src/jwk-sets.js'
import { createTokenSigner } from '../src/signing.js'
import { at } from '../../adapters-http/test/support/in-memory-ports.js'
import {
  type Jwk,
  keyFor,
  keyPolicyHere as policy,
  keySource,
  privateJwk,
  right,
  ringWith,
} from '../../adapters-http/test/support/keys.js'

const set = suite('private JWK set, taken')

const [rsa, es256, es384, es512, edDsa] = await Promise.all([
  keyFor('RS256'),
  keyFor('ES256'),
  keyFor('ES384'),
  keyFor('ES512'),
  keyFor('EdDSA'),
])

const ofRsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const fitting = [
  ...ofRsa.map((alg) => ({ alg, key: rsa })),
  { alg: 'ES256', key: es256 },
  { alg: 'ES384', key: es384 },
  { alg: 'ES512', key: es512 },
  { alg: 'EdDSA', key: edDsa },
]

const read = async (...keys: ReadonlyArray<Jwk>): Promise<ReadonlyArray<ImportedKeys>> =>
  right(await readPrivateJwkSet({ keys })())

/** The algorithms with the names of their keys. */
const names = (imported: ReadonlyArray<ImportedKeys>): ReadonlyArray<readonly [string, ReadonlyArray<string>]> =>
  imported.map(({ alg, keys }) => [alg, keys.map(({ kid }) => kid)])

set('a key of every algorithm is taken with its own name', async () => {
  for (const { alg, key } of fitting)
    for (const use of [{}, { use: 'sig' }]) {
      const [only, ...others] = await read({ ...privateJwk(key), ...use, alg, kid: `mine.${alg}` })
      assert.equal(others, [])
      assert.is(only?.alg, alg)
      assert.equal(
        only?.keys.map(({ kid, jwk }) => ({ kid, jwk })),
        [{ kid: `mine.${alg}`, jwk: key.jwk }],
      )
    }
})

set('a key that does not say its algorithm has the first of its type and curve', async () => {
  const byType: ReadonlyArray<readonly [string, Jwk]> = [
    ['RS256', privateJwk(rsa)],
    ['ES256', privateJwk(es256)],
    ['ES384', privateJwk(es384)],
    ['ES512', privateJwk(es512)],
    ['EdDSA', privateJwk(edDsa)],
  ]
  for (const [alg, jwk] of byType)
    for (const use of [{}, { use: 'sig' }])
      assert.equal(names(await read({ ...jwk, ...use, kid: 'a' })), [[alg, ['a']]])
})

set('an RSA key encrypts when its use or its algorithm says so', async () => {
  const alg = 'RSA-OAEP-256'
  for (const given of [{ use: 'enc' }, { use: 'enc', alg }, { alg }])
    assert.equal(names(await read({ ...privateJwk(rsa), ...given, kid: 'a' })), [[alg, ['a']]], JSON.stringify(given))
})

set('a key without a name has its thumbprint (RFC 7638)', async () => {
  for (const { alg, key } of fitting)
    assert.equal(names(await read({ ...privateJwk(key), alg })), [[alg, [key.kid]]], alg)
})

set('a name may be of 1 to 256 visible characters', async () => {
  for (const kid of ['!', '~', '2024-01-01/a.b', 'k'.repeat(256)])
    assert.equal(names(await read({ ...privateJwk(edDsa), kid })), [['EdDSA', [kid]]])
})

set('each key comes with its algorithm, in the order of the file', async () => {
  const imported = await read(
    { ...privateJwk(rsa), alg: 'PS256', kid: 'a' },
    { ...privateJwk(edDsa), kid: 'b' },
    { ...privateJwk(await keyFor('RS256', 1)), alg: 'PS256', kid: 'c' },
    { ...privateJwk(es256), kid: 'd' },
    { ...privateJwk(await keyFor('EdDSA', 1)), kid: 'e' },
    { ...privateJwk(await keyFor('RS256', 1)), use: 'enc', kid: 'f' },
    { ...privateJwk(await keyFor('EdDSA', 2)), kid: 'A' },
  )
  const algorithms = ['PS256', 'EdDSA', 'PS256', 'ES256', 'EdDSA', 'RSA-OAEP-256', 'EdDSA']
  assert.equal(
    names(imported),
    ['a', 'b', 'c', 'd', 'e', 'f', 'A'].map((kid, index) => [algorithms[index], [kid]]),
  )
})

set('32 keys are taken at once', async () => {
  const keys = Array.from({ length: 32 }, (_, index) => ({ ...privateJwk(edDsa), kid: `key-${index}` }))
  assert.equal(
    names(await read(...keys)),
    keys.map(({ kid }) => ['EdDSA', [kid]]),
  )
})

const beside = {
  use: 'sig',
  key_ops: ['sign'],
  ext: true,
  x5c: ['MIIB'],
  x5t: 'AA',
  x5u: 'https://else.example',
  k: 'c2VjcmV0',
  secret: 'secret',
  privateKey: 'secret',
  constructor: 'secret',
}

set('of the private half nothing is kept but the members of its type', async () => {
  for (const { alg, key } of fitting) {
    const [only] = await read({ ...beside, ...privateJwk(key), alg, kid: 'a' })
    const [stored] = only?.keys ?? []
    assert.ok(stored)
    assert.equal(privateJwk(stored), privateJwk(key), alg)
    assert.equal(stored.jwk, key.jwk, alg)
    assert.equal(Object.keys(stored).sort(), ['jwk', 'kid', 'privateKey'], alg)
  }
})

set('a key that was taken signs, and its token verifies with the published set', async () => {
  for (const { alg, key } of fitting) {
    const [only] = await read({ ...privateJwk(key), alg, kid: `mine.${alg}` })
    const rings = (only?.keys ?? []).map((each) => ringWith(alg, each))
    const source = keySource(() => rings)
    const { signToken } = createTokenSigner({ issuer: 'https://op.example', policy }, { ...source, now: () => at })
    const token = right(await signToken({ alg, typ: 'JWT', claims: {}, expiresAt: secondsAfter(at, 60) })())
    const published = createLocalJWKSet({ keys: [...publishedKeys(rings).keys] })
    const { protectedHeader } = await jwtVerify(token, published, { currentDate: new Date(at * 1000) })
    assert.equal(protectedHeader, { alg, typ: 'JWT', kid: `mine.${alg}` })
  }
})

set.run()
