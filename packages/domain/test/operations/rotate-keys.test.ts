import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import type { KeyRing, KeySettings } from '../../src/keys/ring.js'
import { clockTolerance } from '../../src/keys/roll-over.js'
import { manageKeys } from '../../src/operations/keys.js'
import { keyRingsLeaseLength, rotateKeys } from '../../src/operations/roll-over.js'
import { done, namedKey, refused, shouldNotBeCalled, exampleOrigin } from '@clientele/testing'
import { type KeyInstance, beginKeyInstance, isLeaseHolder, looks, stops } from '../support/key-instance.js'
import { maxAgeAt } from '../support/just-read.js'
import { type KeyService, beginning, keyService } from '../support/key-maker.js'

const Rotate = suite('rotateKeys')

const policy = { lifetime: 100_000, publishAhead: 10_000, retention: 5_000, maxAge: 4_000 }
const settingsOf = (...signingAlgorithms: ReadonlyArray<string>): KeySettings => ({ policy, signingAlgorithms })
const es256 = settingsOf('ES256')
const both = settingsOf('ES256', 'EdDSA')

const passes = ({ clock }: KeyService, seconds: number): void => {
  clock.at = secondsAfter(clock.at, seconds)
}

const maxAgeNow = ({ settings, state }: KeyInstance): number => maxAgeAt(settings.policy, state.published, state.readAt)

const openAlgorithms = (rings: ReadonlyArray<KeyRing>): ReadonlyArray<string> =>
  rings.filter(({ use, closedAt }) => use === 'sig' && closedAt === undefined).map(({ alg }) => alg)

Rotate(
  'the first that looks makes the keys; another one, whatever its settings, makes none and changes nothing',
  async () => {
    const service = keyService()
    const one = beginKeyInstance(service, es256, 'one')
    const other = beginKeyInstance(service, both, 'other')
    await looks(one)
    await looks(other)
    assert.equal([isLeaseHolder(one), isLeaseHolder(other)], [true, false])
    assert.equal(openAlgorithms(other.state.published), ['ES256'])
    assert.equal([service.maker.made.length, service.writes.length], [2, 1])
  },
)

Rotate('of instances that look at once, one makes the keys', async () => {
  const service = keyService()
  const instances = ['a', 'b', 'c', 'd'].map((name) => beginKeyInstance(service, both, name))
  await Promise.all(instances.map(looks))
  assert.is(instances.filter(isLeaseHolder).length, 1)
  assert.equal([service.maker.made.length, service.writes.length], [3, 1])
})

Rotate('different algorithms settle: those of the keeper count until another instance follows it', async () => {
  const service = keyService()
  const old = beginKeyInstance(service, es256, 'old')
  const anew = beginKeyInstance(service, both, 'new')
  for (let look = 0; look < 50; look += 1) {
    await looks(old)
    await looks(anew)
    passes(service, 2)
  }
  assert.equal([service.writes.length, openAlgorithms(anew.state.rings)], [1, ['ES256']])
  await stops(old)
  await looks(anew)
  assert.equal([service.writes.length, openAlgorithms(anew.state.rings)], [2, ['ES256', 'EdDSA']])
})

Rotate('an instance that ends without a word is followed when its lease has ended', async () => {
  const service = keyService()
  const one = beginKeyInstance(service, es256, 'one')
  const other = beginKeyInstance(service, both, 'other')
  await looks(one)
  passes(service, keyRingsLeaseLength - 1)
  await looks(other)
  assert.is(isLeaseHolder(other), false)
  passes(service, 1)
  await looks(other)
  assert.is(isLeaseHolder(other), true)
  assert.equal(openAlgorithms(other.state.rings), ['ES256', 'EdDSA'])
  await looks(one)
  assert.equal([isLeaseHolder(one), openAlgorithms(one.state.rings)], [false, ['ES256', 'EdDSA']])
})

Rotate(
  'different max-ages settle: each instance answers by the shorter one, and the rings change once for each keeper',
  async () => {
    const service = keyService()
    const long = beginKeyInstance(service, es256, 'long')
    const short = beginKeyInstance(service, { ...es256, policy: { ...policy, maxAge: 1_000 } }, 'short')
    for (let look = 0; look < 50; look += 1) {
      await looks(long)
      await looks(short)
      passes(service, 2)
    }
    assert.is(service.writes.length, 1)
    assert.equal([maxAgeNow(long), maxAgeNow(short)], [4_000, 1_000])
    await stops(long)
    for (const instance of [short, long, short, long]) await looks(instance)
    assert.is(service.writes.length, 2)
    assert.equal([maxAgeNow(long), maxAgeNow(short)], [1_000, 1_000])
  },
)

Rotate('a keeper whose clock is behind by seconds writes nothing, and no successor signs before its time', async () => {
  const service = keyService()
  const ahead = beginKeyInstance(service, es256, 'ahead', clockTolerance)
  const behind = beginKeyInstance(service, es256, 'behind')
  await looks(ahead)
  await done(
    manageKeys(ahead.settings, ahead.ports)(operatorOfTheStore(), { origin: exampleOrigin }).rollOver({
      dryRun: false,
    }),
  )
  await stops(ahead)
  const stored = await service.stored()
  await looks(behind)
  assert.is(isLeaseHolder(behind), true)
  assert.equal(await service.stored(), stored)
  const { announced } = stored[0] ?? {}
  assert.is(announced?.signsFrom, secondsAfter(beginning, clockTolerance + policy.publishAhead))
  passes(service, clockTolerance + policy.publishAhead - 1)
  await looks(behind)
  assert.equal(await service.stored(), stored)
  passes(service, 1)
  await looks(behind)
  assert.is(behind.state.published[0]?.current.key.kid, announced?.key.kid)
})

Rotate('a clock that was wrong by more than the tolerance is corrected once', async () => {
  const service = keyService()
  const ahead = beginKeyInstance(service, es256, 'ahead', clockTolerance + 1)
  const right = beginKeyInstance(service, es256, 'right')
  await looks(ahead)
  await stops(ahead)
  for (let look = 0; look < 10; look += 1) {
    await looks(right)
    passes(service, 2)
  }
  assert.is(service.writes.length, 2)
  assert.is(right.state.published[0]?.current.since, beginning)
})

Rotate(
  'the lease is asked for when half of it is over, and when a clock went back, and not at every look',
  async () => {
    const service = keyService()
    let requested = 0
    const acquireLease: KeyService['ports']['acquireLease'] = (lease, at) => {
      requested += 1
      return service.ports.acquireLease(lease, at)
    }
    const one = beginKeyInstance({ ...service, ports: { ...service.ports, acquireLease } }, es256, 'one')
    const requestedAt = async (seconds: number): Promise<number> => {
      service.clock.at = secondsAfter(beginning, seconds)
      await looks(one)
      return requested
    }
    assert.equal([await requestedAt(0), await requestedAt(2), await requestedAt(14)], [1, 1, 1])
    assert.equal(
      [await requestedAt(15), await requestedAt(17), await requestedAt(30), await requestedAt(60)],
      [2, 2, 3, 4],
    )
    service.clock.at = epochSeconds(0)
    await looks(one)
    assert.is(requested, 5)
  },
)

Rotate('an operator acts on any instance at once; the keeper goes on from there', async () => {
  const service = keyService()
  const scheduler = beginKeyInstance(service, both, 'keeper')
  const other = beginKeyInstance(service, settingsOf(), 'other')
  await looks(scheduler)
  await looks(other)
  const keys = manageKeys(other.settings, other.ports)(operatorOfTheStore(), { origin: exampleOrigin })
  await done(keys.rollOver({ alg: 'ES256', dryRun: false }))
  await done(keys.revoke({ kid: 'EdDSA-1', dryRun: false }))
  await done(keys.importKeys({ keys: [{ alg: 'RSA-OAEP-256', keys: [namedKey('imported')] }], dryRun: false }))
  const acts = service.writes.length
  for (const instance of [scheduler, other, scheduler, other]) await looks(instance)
  assert.is(service.writes.length, acts, 'there is nothing left to do')
  assert.equal(
    scheduler.state.published.map(({ current, announced }) => [current.key.kid, announced?.key.kid]),
    [
      ['ES256-0', 'ES256-3'],
      ['EdDSA-4', undefined],
      ['imported', undefined],
    ],
  )
  assert.equal(new Set(other.state.published), new Set(scheduler.state.published))
})

Rotate('the lease is held by whoever has it, although no key can be made; it is tried again', async () => {
  let isFailing = true
  const service = keyService(() => isFailing)
  const one = beginKeyInstance(service, es256, 'one')
  const rotate = rotateKeys(es256, one.ports, 'one')
  assert.is((await refused(rotate(one.state))).error, 'unavailable')
  const other = beginKeyInstance(service, both, 'other')
  await looks(other)
  assert.equal([isLeaseHolder(other), other.state.published], [false, []])
  isFailing = false
  await looks(one)
  assert.equal(openAlgorithms(one.state.published), ['ES256'])
})

Rotate('where the leases cannot be asked, no key is made and nothing is changed', async () => {
  const { ports } = keyService()
  const down = { ...ports, acquireLease: () => TE.left(unavailable('disk')), makeKey: shouldNotBeCalled }
  const one = beginKeyInstance({ ...keyService(), ports: down }, es256, 'one')
  assert.equal(await refused(rotateKeys(es256, down, 'one')(one.state)), unavailable('disk'))
})

Rotate.run()
