import * as T from 'fp-ts/lib/Task.js'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, advance, revoke, rollOver, unreadKeys } from '@clientele/domain/keys'
import { rotateKeys, unaudited } from '@clientele/domain/operations'
import { emptyState, inMemoryStore, keyRingsOf } from '@clientele/adapters-memory'
import { namedKey, noPauses } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createIdTokenHints } from '../src/id-token-hints.js'
import { createTokenSigner } from '../src/signing.js'
import {
  claims,
  reading,
  reads,
  refuses,
  sealedTo,
  signedText,
  signedWith,
} from '../../adapters-http/test/support/hints.js'
import { at } from '../../adapters-http/test/support/in-memory-ports.js'
import {
  keyFor,
  keyPolicyHere as policy,
  keySource,
  margin,
  right,
  ringWith,
} from '../../adapters-http/test/support/keys.js'

const hints = suite('ID token hints')

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

// One RSA key is in all RSA rings, with a name of its own in each.
const keys = new Map(
  await Promise.all(
    algorithms.map(async (alg) => [alg, { ...(await keyFor(alg)), kid: `the key of ${alg}` }] as const),
  ),
)
const keyOf = (alg: string) => keys.get(alg) ?? namedKey(alg)
const allRings = algorithms.map((alg) => ringWith(alg, keyOf(alg)))
const first = await keyFor('ES256')
const second = await keyFor('ES256', 1)
const third = await keyFor('ES256', 2)
const encryption = [await keyFor('RSA-OAEP-256'), await keyFor('RSA-OAEP-256', 1)] as const

hints('what a key of ours signed counts, for every algorithm', async () => {
  const read = reading(allRings)
  for (const alg of algorithms) await reads(read, await signedWith(keyOf(alg), { alg }), claims, alg)
})

hints('what the token signer signs counts, whenever it expires', async () => {
  const { signToken } = createTokenSigner(
    { issuer: claims.iss, policy },
    { ...keySource(() => allRings), now: () => at },
  )
  for (const alg of algorithms) {
    const expiresAt = secondsAfter(at, -60)
    const token = right(await signToken({ alg, typ: 'JWT', claims: { sub: 'somebody' }, expiresAt })())
    await reads(reading(allRings), token, { sub: 'somebody', iss: claims.iss, iat: at, exp: expiresAt }, alg)
  }
})

hints('times, issuer and audience are told as they are, and not judged', async () => {
  const read = reading(allRings)
  const odd: ReadonlyArray<object> = [
    {},
    { iss: 'https://else.example' },
    { exp: 1, nbf: 9_999_999_999, iat: 9_999_999_999 },
    { exp: 'soon', iat: null, nbf: -1, aud: 7 },
    { toString: 'a', valueOf: {} },
  ]
  for (const each of odd)
    await reads(read, await signedWith(keyOf('EdDSA'), { alg: 'EdDSA' }, JSON.stringify(each)), each)
})

hints('a number that changes when it is read does not spoil a hint', async () => {
  const text = `{"sub":"${claims.sub}","user_number":1234567890123456789}`
  const signed = await signedWith(keyOf('EdDSA'), { alg: 'EdDSA' }, text)
  await reads(reading(allRings), signed, { sub: claims.sub, user_number: Number('1234567890123456789') })
})

hints('the typ of the header is told, since tokens of every kind are signed by the same keys', async () => {
  const read = reading(allRings)
  for (const typ of ['JWT', 'at+jwt', 'logout+jwt', 'application/jwt', '']) {
    const result = await read(await signedWith(keyOf('EdDSA'), { alg: 'EdDSA', typ }))
    assert.equal(result, E.right({ typ, claims }))
  }
  const untyped = signedText(keyOf('EdDSA'), JSON.stringify({ alg: 'EdDSA', kid: keyOf('EdDSA').kid }))
  assert.equal(await read(untyped), E.right({ typ: undefined, claims }))
})

const next = (ring: KeyRing, now: EpochSeconds): KeyRing => advance(policy, now)(ring)

hints('through roll-overs the announced, the signing and the retired key count, and no forgotten one', async () => {
  const signed = await Promise.all([first, second, third].map((key) => signedWith(key, { alg: 'ES256' })))
  const counted = async (ring: KeyRing) => {
    const results = await Promise.all(signed.map(reading([ring])))
    return results.map((result) => (E.isRight(result) ? 'counts' : result.left))
  }
  const new1 = ringWith('ES256', first)
  assert.equal(await counted(new1), ['counts', 'hint_unknown_key', 'hint_unknown_key'])
  const announced = right(rollOver(policy, at)(new1, second))
  assert.equal(await counted(announced), ['counts', 'counts', 'hint_unknown_key'])
  const signsAt = secondsAfter(at, policy.publishAhead)
  const rolled = next(announced, signsAt)
  assert.is(rolled.current.key.kid, second.kid)
  assert.equal(await counted(rolled), ['counts', 'counts', 'hint_unknown_key'])
  const again = right(rollOver(policy, signsAt)(rolled, third))
  const forgot = next(again, secondsAfter(signsAt, policy.publishAhead + policy.retention + margin))
  assert.equal(forgot.forgotten, [first.kid])
  assert.equal(await counted(forgot), ['hint_unknown_key', 'counts', 'counts'])
})

hints('a compromised key counts for nothing from that moment on', async () => {
  const now = { rings: [ringWith('ES256', first)] }
  const { readIdTokenHint } = createIdTokenHints(keySource(() => now.rings))
  const read = (hint: string) => readIdTokenHint(hint, () => T.of([]))()
  const old = await signedWith(first, { alg: 'ES256' })
  const anew = await signedWith(second, { alg: 'ES256' })
  await reads(read, old)
  now.rings = now.rings.map((ring) => right(revoke(at)(ring, first.kid, second)).ring)
  await refuses(read, old, 'hint_unknown_key')
  await reads(read, anew)
})

hints('the keys of an algorithm that is not used any more count until they are forgotten', async () => {
  const clock = { at }
  const rings = [ringWith('ES256', first), ringWith('EdDSA', await keyFor('EdDSA'))]
  const { keyRings, leases } = inMemoryStore({ ...emptyState(), keyRings: keyRingsOf(rings) }, () => clock.at)
  const makeKey = () => () => Promise.resolve(E.right(encryption[0]))
  const ports = { ...keyRings, ...leases, ...noPauses, makeKey }
  const rotate = rotateKeys({ policy, signingAlgorithms: ['EdDSA'] }, { ...unaudited, ...ports }, 'this instance')
  const stored = async () => reading(right(await rotate(unreadKeys)()).published)
  const hint = await signedWith(first, { alg: 'ES256' })
  await reads(await stored(), hint)
  clock.at = secondsAfter(at, policy.retention + margin - 1)
  await reads(await stored(), hint)
  clock.at = secondsAfter(at, policy.retention + margin)
  await refuses(await stored(), hint, 'hint_algorithm')
})

hints('one encrypted to a key of ours counts, for every content encryption, with a kid and without', async () => {
  const read = reading([...allRings, ringWith('RSA-OAEP-256', encryption[0], 'enc')])
  for (const enc of ['A128GCM', 'A192GCM', 'A256GCM', 'A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512']) {
    const signed = await signedWith(keyOf('ES256'), { alg: 'ES256' })
    await reads(read, await sealedTo(encryption[0], signed, { enc }), claims, enc)
    await reads(read, await sealedTo(encryption[0], signed, { enc, kid: null }), claims, enc)
  }
})

hints('what was encrypted before a roll-over is read until the key is forgotten', async () => {
  const ring = right(rollOver(policy, at)(ringWith('RSA-OAEP-256', encryption[0], 'enc'), encryption[1]))
  const rolled = next(ring, secondsAfter(at, policy.publishAhead))
  const signed = await signedWith(first, { alg: 'ES256' })
  for (const kid of [encryption[0].kid, null]) {
    const hint = await sealedTo(encryption[0], signed, { kid })
    await reads(reading([ringWith('ES256', first), ring]), hint)
    await reads(reading([ringWith('ES256', first), rolled]), hint)
    const forgot = next(rolled, secondsAfter(at, policy.publishAhead + policy.retention + margin))
    await refuses(reading([ringWith('ES256', first), forgot]), hint, 'hint_undecryptable')
  }
})

hints('without a kid the latest four keys are tried, and no more', async () => {
  const [current, old] = encryption
  const retired = (count: number): KeyRing => {
    const others = Array.from({ length: count }, (_, index) => ({ ...current, kid: `retired ${index}` }))
    const keysBefore = [old, ...others].map((key) => ({
      key: { ...key, publishedAt: at },
      since: at,
      forgottenAt: secondsAfter(at, 1_000),
    }))
    return { ...ringWith('RSA-OAEP-256', current, 'enc'), retired: keysBefore }
  }
  const signed = await signedWith(first, { alg: 'ES256' })
  const unnamed = await sealedTo(old, signed, { kid: null })
  const named = await sealedTo(old, signed)
  await reads(reading([ringWith('ES256', first), retired(2)]), unnamed)
  const many = reading([ringWith('ES256', first), retired(3)])
  await refuses(many, unnamed, 'hint_undecryptable')
  await reads(many, named)
})

hints.run()
