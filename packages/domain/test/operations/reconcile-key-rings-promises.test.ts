// Promises under an earlier policy hold when algorithms are added and removed. Each test was a fault once.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unauditedKeys } from '../../src/operations/roll-over.js'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { type KeyPolicy, type KeyRing, keysOf, maxReadAge, maxSkew } from '../../src/keys/ring.js'
import { ringFaults } from '../../src/keys/signing.js'
import { manageKeys } from '../../src/operations/keys.js'
import { done, namedKey, refused, exampleOrigin } from '@clientele/testing'
import { type KeyService, beginning, keyService, publishedRings } from '../support/key-maker.js'

const promises = suite('reconcileKeyRings under changing settings')

// Longer than the retention, for instances that have not read a change yet.
const margin = maxReadAge + maxSkew
const brief: KeyPolicy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const long: KeyPolicy = { lifetime: 10_000, publishAhead: 1_201, retention: 700, maxAge: 600 }

const reconciledAt = (
  service: KeyService,
  seconds: number,
  policy: KeyPolicy,
  ...signingAlgorithms: ReadonlyArray<string>
) => {
  service.clock.at = secondsAfter(beginning, seconds)
  return done(publishedRings({ policy, signingAlgorithms }, { ...unauditedKeys, ...service.ports }))
}

const ringOf = (rings: ReadonlyArray<KeyRing>, alg: string): KeyRing | undefined =>
  rings.find((ring) => ring.alg === alg)

const kidsOf = (ring: KeyRing | undefined): ReadonlyArray<string> =>
  ring === undefined ? [] : keysOf(ring).map(({ key }) => key.kid)

promises('a closed ring stays until the last key that was retired under a longer policy may go', async () => {
  const service = keyService()
  const patient = { ...brief, retention: 5_000 }
  await reconciledAt(service, 0, patient, 'ES256', 'EdDSA')
  await reconciledAt(service, 1, brief, 'ES256', 'EdDSA')
  const settings = { policy: brief, signingAlgorithms: ['ES256', 'EdDSA'] }
  await done(
    manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin }).rollOver({
      alg: 'ES256',
      dryRun: false,
    }),
  )
  const [retired] = ringOf(await reconciledAt(service, 101, brief, 'ES256', 'EdDSA'), 'ES256')?.retired ?? []
  assert.is(retired?.forgottenAt, secondsAfter(beginning, 5_001 + margin))
  for (const seconds of [102, 152, 5_000 + margin])
    assert.ok(
      kidsOf(ringOf(await reconciledAt(service, seconds, brief, 'EdDSA'), 'ES256')).includes(retired?.key.kid ?? ''),
      `at ${seconds}`,
    )
  assert.is(ringOf(await reconciledAt(service, 5_001 + margin, brief, 'EdDSA'), 'ES256'), undefined)
})

promises('a new ring waits until sets that were given out under an earlier policy are fetched anew', async () => {
  const service = keyService()
  await reconciledAt(service, 0, long, 'EdDSA')
  const rings = await reconciledAt(service, 1, brief, 'EdDSA', 'ES256')
  assert.is(ringOf(rings, 'ES256')?.opensAt, secondsAfter(beginning, 1 + long.publishAhead))
})

promises('a ring that waits is not opened sooner by a policy that publishes less far ahead', async () => {
  const service = keyService()
  await reconciledAt(service, 0, long, 'EdDSA')
  await reconciledAt(service, 1, long, 'EdDSA', 'ES256')
  const rings = await reconciledAt(service, 2, brief, 'EdDSA', 'ES256')
  assert.is(ringOf(rings, 'ES256')?.opensAt, secondsAfter(beginning, 1 + long.publishAhead))
})

promises('while a ring waits, a look changes nothing', async () => {
  const service = keyService()
  await reconciledAt(service, 0, brief, 'EdDSA')
  await reconciledAt(service, 1, brief, 'EdDSA', 'ES256')
  const before = await service.stored()
  const writes = service.writes.length
  for (const seconds of [1, 2, 50, 100]) await reconciledAt(service, seconds, brief, 'EdDSA', 'ES256')
  assert.equal(await service.stored(), before)
  assert.is(service.writes.length, writes)
})

promises('a clock that goes back is caught up with once, and then nothing changes', async () => {
  const service = keyService()
  await reconciledAt(service, 100_000, brief, 'EdDSA')
  await reconciledAt(service, 100_001, brief, 'EdDSA', 'ES256')
  const back = await reconciledAt(service, 0, brief, 'EdDSA', 'ES256')
  assert.is(ringOf(back, 'EdDSA')?.current.since, beginning)
  assert.ok((ringOf(back, 'ES256')?.opensAt ?? Infinity) <= secondsAfter(beginning, brief.publishAhead))
  const writes = service.writes.length
  assert.equal(await reconciledAt(service, 1, brief, 'EdDSA', 'ES256'), back)
  assert.is(service.writes.length, writes)
})

promises('of a forgotten ring no private half is kept, nobody is told of it, and its names stay', async () => {
  const service = keyService()
  const first = kidsOf(ringOf(await reconciledAt(service, 0, brief, 'EdDSA', 'ES256'), 'ES256'))
  await reconciledAt(service, 1, brief, 'EdDSA')
  await reconciledAt(service, 60 + margin, brief, 'EdDSA')
  const reconciled = ringOf(await service.stored(), 'ES256')
  assert.not.match(JSON.stringify(reconciled), 'private half')
  const settings = { policy: brief, signingAlgorithms: ['EdDSA'] }
  const { keys } = await done(
    manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin }).listKeys,
  )
  assert.not.ok(keys.some(({ alg }) => alg === 'ES256'))
  const known = await refused(
    manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin }).revoke({
      kid: first[0] ?? '',
      dryRun: false,
    }),
  )
  assert.is(known.error, 'unknown_kid')
  assert.not.match(JSON.stringify(known), first[0] ?? '')
  const writes = service.writes.length
  await reconciledAt(service, 61 + margin, brief, 'EdDSA')
  assert.is(service.writes.length, writes)
  const anew = ringOf(await reconciledAt(service, 62 + margin, brief, 'EdDSA', 'ES256'), 'ES256')
  assert.equal(anew?.forgotten, first)
})

promises(
  'a key that is compromised before its ring opens is followed by one that every verifier can have',
  async () => {
    const service = keyService()
    await reconciledAt(service, 0, brief, 'EdDSA')
    const [kid = ''] = kidsOf(ringOf(await reconciledAt(service, 1, brief, 'EdDSA', 'ES256'), 'ES256'))
    service.clock.at = secondsAfter(beginning, 100)
    const settings = { policy: brief, signingAlgorithms: ['EdDSA', 'ES256'] }
    const { phase } = await done(
      manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin }).revoke({
        kid,
        dryRun: false,
      }),
    )
    assert.is(phase, 'announced', 'it has signed nothing')
    const ring = ringOf(await reconciledAt(service, 100, brief, 'EdDSA', 'ES256'), 'ES256')
    assert.is(ring?.opensAt, secondsAfter(beginning, 100 + brief.publishAhead))
    assert.not.ok(kidsOf(ring).includes(kid))
  },
)

promises('one name in two groups of an import is refused, and groups of one algorithm are one', async () => {
  const service = keyService()
  await reconciledAt(service, 0, brief, 'RS256', 'PS256')
  const settingsOfTwo = { policy: brief, signingAlgorithms: ['RS256', 'PS256'] }
  const { importKeys } = manageKeys(settingsOfTwo, service.ports)(operatorOfTheStore(), { origin: exampleOrigin })
  const before = await service.stored()
  const twice = ['RS256', 'PS256'].map((alg) => ({ alg, keys: [namedKey('x')] }))
  assert.is((await refused(importKeys({ keys: twice, dryRun: false }))).error, 'kid_known')
  assert.equal(await service.stored(), before)
  const apart = ['y', 'z'].map((kid) => ({ alg: 'RS256', keys: [namedKey(kid)] }))
  await done(importKeys({ keys: apart, dryRun: false }))
  const kids = kidsOf(ringOf(await service.stored(), 'RS256'))
  assert.ok(kids[0] === 'y' && kids.includes('z'), kids.join(' '))
  assert.not.ok(ringFaults(await service.stored(), []).some((fault) => fault.startsWith('two ')))
})

promises.run()
