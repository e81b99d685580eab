import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unauditedKeys } from '../../src/operations/roll-over.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { publishedKeys } from '../../src/keys/published.js'
import { type KeyRing, type KeySettings, knownKids, maxReadAge, maxSkew, signingKey } from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { keyRingChanged, unreadableKeyRing } from '../../src/ports/store.js'
import { done, refused, shouldNotBeCalled } from '@clientele/testing'
import { type KeyService, beginning, keyService, publishedRings } from '../support/key-maker.js'
import { justRead } from '../support/just-read.js'

const Reconcile = suite('reconcileKeyRings')

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const settingsOf = (...signingAlgorithms: ReadonlyArray<string>): KeySettings => ({ policy, signingAlgorithms })
// Longer than the retention, for instances that have not read a change yet.
const margin = maxReadAge + maxSkew
const both = settingsOf('ES256', 'EdDSA')
const onlyEdDSA = settingsOf('EdDSA')

/** The rings of the service so many seconds after its start. */
const reconciledAt = (service: KeyService, seconds: number, settings: KeySettings) => {
  service.clock.at = secondsAfter(beginning, seconds)
  return done(publishedRings(settings, { ...unauditedKeys, ...service.ports }))
}

const ringOf = (rings: ReadonlyArray<KeyRing>, alg: string): KeyRing => {
  const [ring, another] = rings.filter((each) => each.alg === alg)
  if (ring === undefined || another !== undefined) throw new Error(`not one ring of ${alg}`)
  return ring
}

const algorithms = (rings: ReadonlyArray<KeyRing>) => rings.map(({ alg, use }) => `${alg} ${use}`)

const signsAt = (ring: KeyRing, seconds: number): boolean => {
  const at = secondsAfter(beginning, seconds)
  return E.isRight(permitSigning(policy, justRead(at))(ring, { kid: signingKey(ring).kid, expiresAt: at }))
}

Reconcile('first there is one ring for each algorithm and one to encrypt to, and all are in use at once', async () => {
  const service = keyService()
  const rings = await reconciledAt(service, 0, both)
  assert.equal(algorithms(rings), ['ES256 sig', 'EdDSA sig', 'RSA-OAEP-256 enc'])
  for (const ring of rings) {
    assert.is(ring.opensAt, undefined)
    assert.is(signsAt(ring, 0), ring.use === 'sig')
    assert.ok(signingKey(ring).kid.startsWith(ring.alg))
    assert.is(ring.version, 1)
  }
  assert.equal(await service.stored(), rings)
  assert.is(service.maker.made.length, 3)
  assert.is(service.writes.length, 1, 'all of them are stored together')
})

Reconcile('without an algorithm to sign with there is the ring to encrypt to', async () => {
  assert.equal(algorithms(await reconciledAt(keyService(), 0, settingsOf())), ['RSA-OAEP-256 enc'])
})

Reconcile('at the same time nothing is done twice', async () => {
  const service = keyService()
  for (const seconds of [0, 899, 900, 1_000, 1_050]) {
    const rings = await reconciledAt(service, seconds, both)
    const made = service.maker.made.length
    const writes = service.writes.length
    assert.equal(await reconciledAt(service, seconds, both), rings)
    assert.equal([service.maker.made.length, service.writes.length], [made, writes])
  }
  assert.is(service.maker.made.length, 6)
})

Reconcile('a successor is announced, signs when the lifetime is over, and its predecessor is forgotten', async () => {
  const service = keyService()
  const [first] = (await reconciledAt(service, 0, onlyEdDSA)).map(signingKey)
  const phases = async (seconds: number) => {
    const ring = ringOf(await reconciledAt(service, seconds, onlyEdDSA), 'EdDSA')
    const retired = ring.retired.map(({ key }) => key.kid)
    return { announced: ring.announced?.key.kid, signs: signingKey(ring).kid, retired, gone: ring.forgotten }
  }
  const old = first?.kid ?? ''
  const next = 'EdDSA-2'
  assert.equal(await phases(899), { announced: undefined, signs: old, retired: [], gone: [] })
  assert.equal(await phases(900), { announced: next, signs: old, retired: [], gone: [] })
  assert.equal(await phases(999), { announced: next, signs: old, retired: [], gone: [] })
  assert.equal(await phases(1_000), { announced: undefined, signs: next, retired: [old], gone: [] })
  assert.equal(await phases(1_049 + margin), { announced: undefined, signs: next, retired: [old], gone: [] })
  assert.equal(await phases(1_050 + margin), { announced: undefined, signs: next, retired: [], gone: [old] })
})

Reconcile('an algorithm that is added later is published at once, and opens after publishAhead', async () => {
  const service = keyService()
  await reconciledAt(service, 0, onlyEdDSA)
  const added = ringOf(await reconciledAt(service, 10, both), 'ES256')
  assert.is(publishedKeys([added]).keys.length, 1)
  const opens = async (seconds: number) => signsAt(ringOf(await reconciledAt(service, seconds, both), 'ES256'), seconds)
  assert.equal([await opens(10), await opens(109), await opens(110)], [false, false, true])
  const open = ringOf(await service.stored(), 'ES256')
  assert.is(open.opensAt, undefined)
  assert.is(signingKey(open).kid, signingKey(added).kid)
})

Reconcile(
  'an algorithm that is taken out signs no more, and is published until its last signature has expired',
  async () => {
    const service = keyService()
    const old = ringOf(await reconciledAt(service, 0, both), 'ES256')
    const closed = ringOf(await reconciledAt(service, 10, onlyEdDSA), 'ES256')
    assert.is(signsAt(closed, 10), false)
    assert.is(closed.version, 2)
    assert.equal(publishedKeys([closed]), publishedKeys([old]))
    assert.equal(ringOf(await reconciledAt(service, 59 + margin, onlyEdDSA), 'ES256'), closed)
    assert.equal(algorithms(await reconciledAt(service, 60 + margin, onlyEdDSA)), ['EdDSA sig', 'RSA-OAEP-256 enc'])
    assert.is(service.maker.made.length, 3)
  },
)

Reconcile('brought back before it is forgotten, it signs at once with the same key', async () => {
  const service = keyService()
  const old = ringOf(await reconciledAt(service, 0, both), 'ES256')
  await reconciledAt(service, 10, onlyEdDSA)
  const again = ringOf(await reconciledAt(service, 59, both), 'ES256')
  assert.equal(again, { ...old, closedAt: undefined, version: 3 })
  assert.is(signsAt(again, 59), true)
})

Reconcile('brought back just before it is forgotten, it waits until every verifier has its key again', async () => {
  const service = keyService()
  const old = ringOf(await reconciledAt(service, 0, both), 'ES256')
  await reconciledAt(service, 10, onlyEdDSA)
  const back = 60 + margin - maxSkew
  const again = ringOf(await reconciledAt(service, back, both), 'ES256')
  assert.is(signingKey(again), signingKey(old))
  assert.equal([signsAt(again, back), signsAt(again, back + 99), signsAt(again, back + 100)], [false, false, true])
})

Reconcile('brought back after that it begins anew, opens after publishAhead, and repeats no kid', async () => {
  const service = keyService()
  const old = ringOf(await reconciledAt(service, 0, both), 'ES256')
  await reconciledAt(service, 10, onlyEdDSA)
  const back = 60 + margin
  const anew = ringOf(await reconciledAt(service, back, both), 'ES256')
  assert.equal([signsAt(anew, back), signsAt(anew, back + 99), signsAt(anew, back + 100)], [false, false, true])
  assert.equal(knownKids(anew), ['ES256-3', signingKey(old).kid])
  assert.equal(anew.forgotten, [signingKey(old).kid])
  assert.is(anew.version, 3)
  assert.equal(ringOf(await service.stored(), 'ES256'), anew)
})

Reconcile('when no key can be made, be it the last, nothing is stored', async () => {
  for (const failing of ['ES256', 'EdDSA', 'RSA-OAEP-256']) {
    const service = keyService((alg) => alg === failing)
    assert.is((await refused(publishedRings(both, { ...unauditedKeys, ...service.ports }))).error, 'unavailable')
    assert.equal(await service.stored(), [])
  }
})

Reconcile('when no successor can be made the rings stay as they are, and it is tried again', async () => {
  let isFailing = false
  const service = keyService(() => isFailing)
  const rings = await reconciledAt(service, 0, both)
  isFailing = true
  service.clock.at = secondsAfter(beginning, 950)
  assert.is((await refused(publishedRings(both, { ...unauditedKeys, ...service.ports }))).error, 'unavailable')
  assert.equal(await service.stored(), rings)
  isFailing = false
  for (const { announced } of await reconciledAt(service, 960, both))
    assert.is(announced?.signsFrom, secondsAfter(beginning, 1_060))
})

Reconcile('a store that cannot be read or written is unavailable', async () => {
  const service = keyService()
  const down = TE.left(unavailable('disk'))
  const unread = {
    ...service.ports,
    readKeyRings: down,
    makeKey: shouldNotBeCalled,
    replaceKeyRings: shouldNotBeCalled,
  }
  assert.equal(await refused(publishedRings(both, { ...unauditedKeys, ...unread })), unavailable('disk'))
  const unwritten = { ...service.ports, replaceKeyRings: () => down }
  assert.equal(await refused(publishedRings(both, { ...unauditedKeys, ...unwritten })), unavailable('disk'))
  assert.equal(await service.stored(), [])
})

Reconcile('a ring that cannot be read is told by its algorithm, no key is made and nothing replaced', async () => {
  const unreadable = TE.left(unreadableKeyRing('ES256'))
  const { ports } = keyService()
  const broken = { ...ports, readKeyRings: unreadable, makeKey: shouldNotBeCalled, replaceKeyRings: shouldNotBeCalled }
  assert.equal(await refused(publishedRings(both, { ...unauditedKeys, ...broken })), unreadableKeyRing('ES256'))
})

Reconcile('rings that change all the time are given up as unavailable', async () => {
  const { ports } = keyService()
  const losing = { ...ports, replaceKeyRings: () => TE.left(keyRingChanged) }
  assert.is((await refused(publishedRings(both, { ...unauditedKeys, ...losing }))).error, 'unavailable')
})

Reconcile('two that keep one store at once end with the same rings; the keys of who lost are nowhere', async () => {
  const service = keyService()
  for (const [seconds, due] of [
    [0, 3],
    [950, 3],
    [1_050, 0],
  ] as const) {
    const before = service.maker.made.length
    service.clock.at = secondsAfter(beginning, seconds)
    const reconcile = () => done(publishedRings(both, { ...unauditedKeys, ...service.ports }))
    const [one, other] = await Promise.all([reconcile(), reconcile()])
    assert.equal(one, other)
    assert.equal(await service.stored(), one)
    const generated = service.maker.made.slice(before).map(({ kid }) => kid)
    const known = one.flatMap(knownKids)
    assert.is(generated.filter((kid) => known.includes(kid)).length, due)
    assert.ok(generated.length <= 2 * due, 'each makes one key for a ring at the most')
  }
  assert.is(service.writes.length, 3)
})

Reconcile.run()
