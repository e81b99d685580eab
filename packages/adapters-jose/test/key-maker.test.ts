import type { GeneratedKey } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import { type JWK, CompactEncrypt, CompactSign, compactDecrypt, compactVerify, importJWK } from 'jose'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyMaker } from '../src/ring-keys.js'
import { left, privateJwk, right } from '../../adapters-http/test/support/keys.js'

const maker = suite('key maker')

type Kind = { readonly kty: string; readonly crv?: string }

// RFC 7518 §3.1 and §4.3, RFC 8037 §3.1
const kinds: Readonly<Record<string, Kind>> = {
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  'RSA-OAEP-256': { kty: 'RSA' },
}

const make = async (alg: string): Promise<GeneratedKey> => right(await createKeyMaker().makeKey(alg)())

// RSA keys take long: all of their algorithms are compared with one second key.
const secondRsa = make('RS256')

const pairs = await Promise.all(
  Object.entries(kinds).map(async ([alg, { kty }]) => ({
    alg,
    keys: await Promise.all([make(alg), kty === 'RSA' ? secondRsa : make(alg)]),
  })),
)

/** Tests all algorithms; the other key is another one of the same type. */
const ofEach = (
  statement: string,
  holds: (alg: string, key: GeneratedKey, other: GeneratedKey) => Promise<void> | void,
): void =>
  maker(statement, async () => {
    assert.is(pairs.length, 11)
    for (const { alg, keys } of pairs) await holds(alg, ...keys)
  })

// RFC 7638 §3.2: the required members, in lexicographic order
const canonicalMembers: Readonly<Record<string, ReadonlyArray<string>>> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
}

ofEach('the kid is the thumbprint of the public half (RFC 7638)', (alg, key) => {
  const jwk: Readonly<Record<string, string>> = key.jwk
  const canonical = canonicalMembers[key.jwk.kty]?.map((name) => `"${name}":"${jwk[name] ?? ''}"`) ?? []
  const hash = createHash('sha256').update(`{${canonical.join(',')}}`)
  assert.is(key.kid, hash.digest('base64url'), alg)
})

ofEach('the public half is of the right type and curve, and has no member beside', (alg, { jwk }) => {
  const { kty, crv }: { readonly kty: string; readonly crv?: string } = jwk
  assert.equal([kty, crv], [kinds[alg]?.kty, kinds[alg]?.crv], alg)
  assert.equal(Object.keys(jwk).sort(), canonicalMembers[kty], alg)
  for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
    assert.not.ok(Object.hasOwn(jwk, name), `${alg} ${name}`)
})

ofEach('an RSA modulus has 2048 bits, and the usual exponent', (alg, { jwk }) => {
  if (jwk.kty !== 'RSA') return
  const modulus = Buffer.from(jwk.n, 'base64url')
  assert.is(modulus.length, 256, alg)
  assert.ok(modulus.readUInt8(0) >= 128, alg)
  assert.is(jwk.e, 'AQAB', alg)
})

const probe = Buffer.from('what nobody else could have made')

const signedBy = async (alg: string, key: GeneratedKey): Promise<string> => {
  const signature = new CompactSign(probe).setProtectedHeader({ alg })
  return signature.sign(await importJWK(privateJwk(key) as JWK, alg))
}

const sealedFor = async (alg: string, key: GeneratedKey): Promise<string> => {
  const encryption = new CompactEncrypt(probe).setProtectedHeader({ alg, enc: 'A256GCM' })
  return encryption.encrypt(await importJWK(key.jwk as JWK, alg))
}

const reads = async (alg: string, key: GeneratedKey, token: string): Promise<boolean> => {
  try {
    const read =
      alg === 'RSA-OAEP-256'
        ? (await compactDecrypt(token, await importJWK(privateJwk(key) as JWK, alg))).plaintext
        : (await compactVerify(token, await importJWK(key.jwk as JWK, alg))).payload
    return probe.equals(read)
  } catch {
    return false
  }
}

ofEach('what one half signs or seals, the other reads, and no other key does', async (alg, key, other) => {
  const token = alg === 'RSA-OAEP-256' ? await sealedFor(alg, key) : await signedBy(alg, key)
  assert.ok(await reads(alg, key, token), alg)
  assert.not.ok(await reads(alg, other, token), alg)
})

ofEach('the private half has the public one in it', (alg, key) => {
  const secret = privateJwk(key)
  for (const [name, value] of Object.entries(key.jwk)) assert.is(secret[name], value, `${alg} ${name}`)
  assert.type(secret['d'], 'string', alg)
})

ofEach('two keys are not alike', (alg, key, other) => {
  assert.is.not(key.kid, other.kid, alg)
  assert.not.equal(key.jwk, other.jwk, alg)
  assert.is.not(privateJwk(key)['d'], privateJwk(other)['d'], alg)
})

maker('an algorithm without public keys, or that is not known, is unavailable, and nothing is thrown', async () => {
  for (const alg of ['HS256', 'none', 'dir', 'A256KW', 'RS1', 'es256', 'RSA', '', '__proto__', 'constructor']) {
    const outcome = await createKeyMaker().makeKey(alg)()
    assert.ok(E.isLeft(outcome), alg)
    assert.is(left(outcome).error, 'unavailable', alg)
  }
})

maker.run()
