import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds } from '../../src/kernel/time.js'
import { type KeyRing, type KeyUse, type PublicJwk, keysOf } from '../../src/keys/ring.js'
import { ringFaults } from '../../src/keys/signing.js'
import { type GeneratedKey, newRing } from '../../src/keys/roll-over.js'
import { base64urlOf, exampleForeignKey, law, namedKey } from '@clientele/testing'
import { anyRing, privateText } from '../support/key-maker.js'

const RingFaults = suite('ringFaults')
const it = law(RingFaults)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const at = epochSeconds(1_000_000_000_000)
const ringOf = (key: GeneratedKey, alg = 'EdDSA', use: KeyUse = 'sig'): KeyRing => newRing(policy, at)(alg, use, key)
const keyWith = (kid: string, jwk: PublicJwk): GeneratedKey => ({ ...namedKey(kid), jwk })

/** All bytes are 0xff: a number of that many bits, and an odd one. */
const bytes = (count: number): string => base64urlOf(new Uint8Array(count).fill(0xff))

const tooShort: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: bytes(31) }

const repeated = (kid: string) => `two published keys have the kid ${kid}: restore a backup`
const weak = (kid: string, alg: string) =>
  `the key ${kid} of the key ring ${alg} is not a sound public key (RSA: 2048 bits or more): restore a backup`

it('rings as this service makes them have no fault, in any phase', [anyRing()], ({ ring }) => {
  assert.equal(ringFaults([ring], []), [])
})

it(
  'a kid that stands n times, in one ring or in several, is told n - 1 times, and nothing else is',
  [fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 8 }), fc.boolean()],
  (kids, inOneRing) => {
    const [first = 'a', ...others] = kids
    const retired = others.map((kid) => ({ key: { ...namedKey(kid), publishedAt: at }, since: at, forgottenAt: at }))
    const rings = inOneRing ? [{ ...ringOf(namedKey(first)), retired }] : kids.map((kid) => ringOf(namedKey(kid)))
    const reported = kids.filter((kid, index) => kids.indexOf(kid) < index).map(repeated)
    assert.equal([...ringFaults(rings, [])].sort(), reported.sort())
  },
)

it('a weak key is told by its kid and ring, in whichever phase it is', [anyRing(), fc.nat(9)], ({ ring }, index) => {
  const known = keysOf(ring)
  const kid = known[index % known.length]?.key.kid
  const valid = namedKey(kid ?? 'none').jwk
  const spoilt: KeyRing = JSON.parse(JSON.stringify(ring).replace(JSON.stringify(valid), JSON.stringify(tooShort)))
  assert.equal(ringFaults([spoilt], []), [weak(kid ?? 'none', 'EdDSA')])
})

it('no fault holds the private half of a key', [anyRing(), anyRing()], ({ ring }, other) => {
  const spoilt: KeyRing = JSON.parse(JSON.stringify(ring).replaceAll('"OKP"', '"EC"'))
  const reported = ringFaults([ring, spoilt, other.ring], []).join('\n')
  return reported !== '' && !reported.includes(privateText)
})

RingFaults('an RSA key has 2048 bits or more, and an odd exponent of 65537 or more', () => {
  const valid = keyWith('rsa', { kty: 'RSA', n: bytes(256), e: 'AQAB' })
  assert.equal(ringFaults([ringOf(valid, 'RS256'), ringOf({ ...valid, kid: 'other' }, 'RSA-OAEP-256', 'enc')], []), [])
  for (const jwk of [
    { kty: 'RSA', n: bytes(255), e: 'AQAB' },
    { kty: 'RSA', n: bytes(256), e: 'Aw' },
    { kty: 'RSA', n: bytes(256), e: 'AQAA' },
    { kty: 'RSA', n: 'no base64url!', e: 'AQAB' },
  ] as const)
    assert.equal(ringFaults([ringOf(keyWith('rsa', jwk), 'PS256')], []), [weak('rsa', 'PS256')])
})

RingFaults('the coordinates of a curve have their length', () => {
  const jwk = { kty: 'EC', crv: 'P-256', x: bytes(32), y: bytes(32) } as const
  assert.equal(ringFaults([ringOf(keyWith('ec', jwk), 'ES256')], []), [])
  assert.equal(ringFaults([ringOf(keyWith('ec', { ...jwk, y: bytes(31) }), 'ES256')], []), [weak('ec', 'ES256')])
})

RingFaults('everything that is wrong is told, each on a line of its own', () => {
  const short = keyWith('short', { kty: 'RSA', n: bytes(128), e: 'AQAB' })
  const rings = [ringOf(namedKey('same'), 'ES256'), ringOf(short, 'RS256'), ringOf(namedKey('same'))]
  assert.equal(ringFaults(rings, []), [repeated('same'), weak('short', 'RS256')])
})

RingFaults('a kid of another signer that a ring has as well is removed by a command, without a backup', () => {
  const rings = [ringOf(namedKey('own')), ringOf(namedKey('both'), 'ES256')]
  assert.equal(ringFaults(rings, [exampleForeignKey('both'), exampleForeignKey('theirs')]), [
    'two published keys have the kid both: remove that of another signer by clientele keys remove both',
  ])
})

RingFaults('no rings have no fault', () => assert.equal(ringFaults([], []), []))

RingFaults.run()
