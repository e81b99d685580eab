import { type EpochSeconds, type JsonObject, secondsAfter } from '@clientele/domain/kernel'
import {
  type KeyRing,
  type RingKey,
  type UnsignedToken,
  advance,
  maxReadAge,
  publishedKeys,
  rollOver,
} from '@clientele/domain/keys'
import { namedKey } from '@clientele/testing'
import { type JWTVerifyResult, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTokenSigner } from '../src/signing.js'
import { at } from '../../adapters-http/test/support/in-memory-ports.js'
import {
  keyFor,
  keyPolicyHere as policy,
  keySource,
  left,
  right,
  ringWith,
} from '../../adapters-http/test/support/keys.js'

const signer = suite('token signer')
const issuer = 'https://op.example'

const signingWith = (rings: ReadonlyArray<KeyRing>, now: EpochSeconds = at) => {
  const { signToken } = createTokenSigner(
    { issuer, policy },
    {
      ...keySource(
        () => rings,
        () => [],
        () => now,
      ),
      now: () => now,
    },
  )
  return (given: Partial<UnsignedToken> = {}) =>
    signToken({ alg: 'ES256', typ: 'logout+jwt', claims: {}, expiresAt: secondsAfter(now, 120), ...given })()
}

const verified = async (rings: ReadonlyArray<KeyRing>, token: string, now: EpochSeconds): Promise<JWTVerifyResult> => {
  const published = createLocalJWKSet({ keys: [...publishedKeys(rings).keys] })
  return jwtVerify(token, published, { currentDate: new Date(now * 1000) })
}

const published = async (alg: string, nth: number): Promise<RingKey> => ({
  ...(await keyFor(alg, nth)),
  publishedAt: at,
})

const first = await keyFor('ES256')
const second = await keyFor('ES256', 1)
const ring = ringWith('ES256', first)
const encryption = ringWith('RSA-OAEP-256', await keyFor('RSA-OAEP-256'), 'enc')

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

// One RSA key is in all RSA rings, with a name of its own in each.
const allRings = await Promise.all(
  algorithms.map(async (alg) => ringWith(alg, { ...(await keyFor(alg)), kid: `the key of ${alg}` })),
)

signer('what it signs verifies with the published set, for every algorithm', async () => {
  const rings = [...allRings, encryption]
  const sign = signingWith(rings)
  for (const alg of algorithms) {
    const token = right(await sign({ alg, typ: 'secevent+jwt', claims: { sub: alg } }))
    const { payload, protectedHeader } = await verified(rings, token, at)
    assert.equal(protectedHeader, { alg, typ: 'secevent+jwt', kid: `the key of ${alg}` })
    assert.equal(payload, { sub: alg, iss: issuer, iat: at, exp: at + 120 })
  }
})

signer('iss, iat and exp are its own, whatever the claims say; the others are kept', async () => {
  const claims: JsonObject = {
    iss: 'https://else.example',
    iat: 1,
    exp: 9_999_999_999,
    nbf: 5,
    aud: ['a', 'b'],
    jti: 'j',
  }
  const token = right(await signingWith([ring])({ claims }))
  assert.equal(decodeJwt(token), { ...claims, iss: issuer, iat: at, exp: at + 120 })
})

signer('no claim changes the header', async () => {
  const claims: JsonObject = { alg: 'none', typ: 'JWT', kid: 'another', jwk: {} }
  const token = right(await signingWith([ring])({ claims }))
  assert.equal(decodeProtectedHeader(token), { alg: 'ES256', typ: 'logout+jwt', kid: first.kid })
})

signer('an algorithm without a ring is refused with those that sign, which encryption is not', async () => {
  const sign = signingWith([ring, encryption, ringWith('EdDSA', await keyFor('EdDSA'))])
  for (const alg of ['RS256', 'RSA-OAEP-256', 'none', 'HS256', '', 'es256', '__proto__'])
    assert.equal(left(await sign({ alg })), { error: 'no_such_ring', known: ['ES256', 'EdDSA'] }, alg)
  assert.equal(left(await signingWith([])()), { error: 'no_such_ring', known: [] })
})

signer('a key for encryption never signs, not even where its algorithm could', async () => {
  const key = await keyFor('RS256')
  const sign = signingWith([ringWith('RS256', key, 'enc')])
  assert.equal(left(await sign({ alg: 'RS256' })), { error: 'no_such_ring', known: [] })
  assert.equal(left(await sign({ alg: 'RS256', kid: key.kid })), { error: 'no_such_ring', known: [] })
})

signer('only the key that signs now signs: not one announced, retired, of another ring or unknown', async () => {
  const announced = await published('ES256', 1)
  const retired = await published('ES256', 2)
  const other = await keyFor('EdDSA')
  const full: KeyRing = {
    ...ring,
    announced: { key: announced, signsFrom: secondsAfter(at, 100) },
    retired: [{ key: retired, since: at, forgottenAt: secondsAfter(at, 1000) }],
  }
  const sign = signingWith([full, ringWith('EdDSA', other)])
  assert.is(decodeProtectedHeader(right(await sign({ kid: first.kid }))).kid, first.kid)
  for (const kid of [announced.kid, retired.kid, other.kid, 'unknown', ''])
    assert.equal(left(await sign({ kid })), { error: 'not_the_signing_key' }, kid)
})

signer('a closed ring does not sign, whether its key is named or not', async () => {
  const sign = signingWith([{ ...ring, closedAt: at }])
  for (const given of [{}, { kid: first.kid }]) assert.equal(left(await sign(given)), { error: 'ring_closed' })
})

signer('a ring that is not open yet signs from its very second on', async () => {
  const opensAt = secondsAfter(at, 60)
  const rings: ReadonlyArray<KeyRing> = [{ ...ring, opensAt }]
  const early = await signingWith(rings, secondsAfter(at, 59))({ kid: first.kid })
  assert.equal(left(early), { error: 'ring_not_open', opensAt })
  const token = right(await signingWith(rings, opensAt)())
  assert.is((await verified(rings, token, opensAt)).payload.iat, opensAt)
})

signer('a token is good for the retention at most, and not one second more', async () => {
  const sign = signingWith([ring])
  const token = right(await sign({ expiresAt: secondsAfter(at, policy.retention) }))
  assert.is(decodeJwt(token).exp, at + policy.retention)
  const tooLong = await sign({ expiresAt: secondsAfter(at, policy.retention + 1) })
  assert.equal(left(tooLong), { error: 'good_for_too_long', retention: policy.retention })
})

signer(
  'a token without an end in whole seconds is refused, by a key and by the secret of the client alike',
  async () => {
    const sign = signingWith([ring])
    const bySecret = { alg: 'HS256', secret: 's'.repeat(43) }
    assert.is(decodeJwt(right(await sign(bySecret))).exp, at + 120)
    for (const expiresAt of [undefined, NaN, at + 0.5, String(at), new Date(at)])
      for (const given of [{}, bySecret])
        assert.equal(left(await sign({ ...given, expiresAt: expiresAt as EpochSeconds })), { error: 'no_time' })
  },
)

signer('after a roll-over the successor signs, the old kid is refused, and its tokens still verify', async () => {
  const now = { at, rings: [ring] }
  const { signToken } = createTokenSigner(
    { issuer, policy },
    {
      ...keySource(
        () => now.rings,
        () => [],
        () => now.at,
      ),
      now: () => now.at,
    },
  )
  const sign = (kid?: string) => {
    const token = { alg: 'ES256', typ: 'JWT', claims: {}, expiresAt: secondsAfter(now.at, policy.retention) }
    return signToken(kid === undefined ? token : { ...token, kid })()
  }
  const rolled = right(rollOver(policy, at)(ring, second))
  now.rings = [rolled]
  now.at = secondsAfter(at, policy.publishAhead - 1)
  const before = right(await sign())
  assert.is(decodeProtectedHeader(before).kid, first.kid)
  assert.equal(left(await sign(second.kid)), { error: 'not_the_signing_key' })
  now.at = secondsAfter(at, policy.publishAhead)
  now.rings = [advance(policy, now.at)(rolled)]
  const after = right(await sign())
  assert.is(decodeProtectedHeader(after).kid, second.kid)
  assert.equal(left(await sign(first.kid)), { error: 'not_the_signing_key' })
  for (const token of [before, after]) assert.is((await verified(now.rings, token, now.at)).payload.iss, issuer)
})

signer(
  'on keys that were read too long ago nothing is signed; a read that succeeds makes it possible again',
  async () => {
    const read = { at, age: maxReadAge, succeeds: false }
    const source = {
      ...keySource(() => [ring]),
      lastRead: () => read,
      refreshKeys: async () => {
        if (read.succeeds) Object.assign(read, { at: secondsAfter(read.at, read.age), age: 0 })
      },
    }
    const { signToken } = createTokenSigner({ issuer, policy }, { ...source, now: () => at })
    const sign = signToken({ alg: 'ES256', typ: 'JWT', claims: {}, expiresAt: secondsAfter(at, 60) })
    assert.type(right(await sign()), 'string')
    read.age += 1
    const detail = `the key rings were not read since ${at} (in seconds since 1970)`
    assert.equal(left(await sign()), { error: 'unavailable', detail })
    read.succeeds = true
    assert.type(right(await sign()), 'string')
  },
)

signer('a private half that cannot be read is unavailable, and nothing is thrown', async () => {
  const sign = signingWith([ringWith('EdDSA', namedKey('broken')), ring])
  assert.is(left(await sign({ alg: 'EdDSA' })).error, 'unavailable')
  assert.is(left(await sign({ alg: 'EdDSA' })).error, 'unavailable')
  assert.type(right(await sign()), 'string')
})

signer.run()
