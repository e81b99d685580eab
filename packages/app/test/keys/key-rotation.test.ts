import { operatorOfTheStore } from '@clientele/domain/authorization'
import { type EpochSeconds, epochSeconds, secondsAfter, unavailable } from '@clientele/domain/kernel'
import { type GeneratedKey, type KeyRing, keysOf } from '@clientele/domain/keys'
import { createTurns, unaudited } from '@clientele/domain/operations'
import { unreadableKeyRing } from '@clientele/domain/ports'
import type { KeyRotationPorts, KeyRotationScheduler } from '@clientele/adapters-jose'
import { emptyState, inMemoryStore, keyRingsOf } from '@clientele/adapters-memory'
import { noPauses, exampleOrigin, noRow } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startKeyRotation } from '../../src/running/key-rotation.js'
import { createLog } from '../../src/observing/log.js'

const keeping = suite('key rotation')

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const settings = { policy, signingAlgorithms: ['EdDSA'] }
const beginning = epochSeconds(1_000_000_000_000)

type World = {
  at: EpochSeconds
  /** The store and the key maker refuse while this is true. */
  failing: boolean
  made: number
  /** The logged texts, by level. */
  readonly errors: Array<string>
  readonly reported: Array<string>
  readonly ports: KeyRotationPorts
}

const keyNamed = (kid: string): GeneratedKey => ({
  kid,
  jwk: { kty: 'OKP', crv: 'Ed25519', x: kid.padEnd(43, 'A') },
  privateKey: 'private half',
})

const begin = (rings: ReadonlyArray<KeyRing> = []): World => {
  const { keyRings, foreignKeys, leases } = inMemoryStore(
    { ...emptyState(), keyRings: keyRingsOf(rings) },
    () => world.at,
  )
  const world: World = {
    at: beginning,
    failing: false,
    made: 0,
    errors: [],
    reported: [],
    ports: {
      ...unaudited,
      ...foreignKeys,
      ...leases,
      ...createTurns(noPauses),
      confirmReads: TE.right(undefined),
      readStoreTime: TE.fromIO(() => world.at),
      readKeyRingVersions: async () =>
        world.failing ? E.left(unavailable(new Error('the disk fails'))) : keyRings.readKeyRingVersions(),
      readKeyRings: async () =>
        world.failing ? E.left(unavailable(new Error('the disk fails'))) : keyRings.readKeyRings(),
      replaceKeyRings: (changes, decidedAt) => async () =>
        world.failing ? E.left(unavailable('failing')) : keyRings.replaceKeyRings(changes, decidedAt, noRow)(),
      makeKey: () => TE.fromIO(() => keyNamed(`key-${(world.made += 1)}`)),
      now: () => world.at,
      identifier: randomUUID,
    },
  }
  return world
}

const ringsReported = ({ reported }: World): ReadonlyArray<string> =>
  reported.filter((line) => line.includes('a key ring changed'))

const logTo = (world: World) =>
  createLog('info', {
    write: (line) => (line.includes('"level":"error"') ? world.errors : world.reported).push(line),
    writableLength: 0,
  })

const started = async (world: World): Promise<KeyRotationScheduler> => {
  const scheduler = await startKeyRotation({ settings, ports: world.ports, log: logTo(world) })()
  if (E.isLeft(scheduler)) throw new Error(scheduler.left)
  return scheduler.right
}

const refusal = async (ports: KeyRotationPorts): Promise<string> => {
  const scheduler = await startKeyRotation({ settings, ports, log: logTo(begin()) })()
  return E.isLeft(scheduler) ? scheduler.left : 'started'
}

const phasesOf = (scheduler: KeyRotationScheduler): ReadonlyArray<string> =>
  scheduler
    .keyRings()
    .filter(({ use }) => use === 'sig')
    .flatMap((ring) => keysOf(ring).map(({ key, phase }) => `${key.kid} ${phase}`))

keeping('a start makes the rings; the next one finds them and makes nothing', async () => {
  const world = begin()
  const first = await started(world)
  assert.equal(phasesOf(first), ['key-1 signing'])
  await first.stop()
  const second = await started(world)
  assert.equal(second.keyRings(), first.keyRings())
  assert.is(world.made, 2)
  await second.stop()
})

keeping('a start whose clock went back by a day is told before the times of keys are moved, and once', async () => {
  const world = begin()
  await (await started(world)).stop()
  world.at = secondsAfter(world.at, -86_400)
  const told = () => world.reported.filter((line) => line.includes('the clock is behind the last change of a key'))
  await (await started(world)).stop()
  assert.is(told().length, 1)
  assert.match(told()[0] ?? '', '"seconds":86400')
  await (await started(world)).stop()
  assert.is(told().length, 1)
})

keeping('a start that cannot read or make keys is refused in one line', async () => {
  const { ports } = begin()
  const unreadable = await refusal({ ...ports, readKeyRings: TE.left(unreadableKeyRing('RS256')) })
  assert.match(unreadable, /^the key ring of RS256 cannot be opened: .*encryption-key/)
  for (const part of [
    { readKeyRings: TE.left(unavailable('disk')) },
    { makeKey: () => TE.left(unavailable('no random bytes')) },
    { replaceKeyRings: () => TE.left(unavailable('disk')) },
  ])
    assert.is(await refusal({ ...ports, ...part }), 'the key rings cannot be read or stored now')
})

keeping('the log tells what becomes of each key by its name, when it changes, and nothing private', async () => {
  const world = begin()
  const scheduler = await started(world)
  await scheduler.reconcile()
  assert.is(ringsReported(world).length, 2)
  assert.match(world.reported.join(''), '"alg":"EdDSA","use":"sig","keys":{"key-1":"signing"}')
  await scheduler.keys(operatorOfTheStore(), { origin: exampleOrigin }).rollOver({ alg: 'EdDSA', dryRun: false })()
  assert.is(ringsReported(world).length, 3)
  assert.match(ringsReported(world)[2] ?? '', '"keys":{"key-3":"announced","key-1":"signing"}')
  assert.not.match(world.reported.join(''), 'private')
  await scheduler.stop()
})

keeping(
  'the log tells which instance keeps the rings, and a start that finds the rings tells nothing else',
  async () => {
    const world = begin()
    const scheduler = await started(world)
    await scheduler.stop()
    const before = world.reported.length
    const other = await started(world)
    await other.stop()
    assert.equal(
      world.reported.slice(before).map((line) => /"msg":"([^"]*)"/.exec(line)?.[1]),
      ['this instance manages the key rings', 'this instance no longer manages the key rings'],
    )
  },
)

keeping('however long it slept, it makes one successor, and that is published before it signs', async () => {
  const world = begin()
  const scheduler = await started(world)
  world.at = secondsAfter(beginning, 100 * policy.lifetime)
  await scheduler.reconcile()
  assert.equal(phasesOf(scheduler), ['key-3 announced', 'key-1 signing'])
  world.at = secondsAfter(world.at, policy.publishAhead - 1)
  await scheduler.reconcile()
  assert.equal(phasesOf(scheduler), ['key-3 announced', 'key-1 signing'])
  world.at = secondsAfter(world.at, 1)
  await scheduler.reconcile()
  assert.equal(phasesOf(scheduler), ['key-3 signing', 'key-1 retired'])
  await scheduler.stop()
})

keeping('a clock that goes back takes nothing out of the set, and holds nothing up for long', async () => {
  const world = begin()
  const scheduler = await started(world)
  world.at = secondsAfter(beginning, policy.lifetime - policy.publishAhead)
  await scheduler.reconcile()
  assert.equal(phasesOf(scheduler), ['key-3 announced', 'key-1 signing'])
  world.at = epochSeconds(0)
  await scheduler.reconcile()
  assert.equal(phasesOf(scheduler), ['key-3 announced', 'key-1 signing'])
  world.at = secondsAfter(world.at, policy.publishAhead)
  await scheduler.reconcile()
  assert.equal(phasesOf(scheduler), ['key-3 signing', 'key-1 retired'])
  await scheduler.stop()
})

keeping(
  'while the store fails the set is served as it was; what is due is done of itself once it works again',
  async () => {
    const world = begin()
    const scheduler = await started(world)
    world.at = secondsAfter(beginning, policy.lifetime)
    world.failing = true
    await scheduler.reconcile()
    assert.equal(phasesOf(scheduler), ['key-1 signing'])
    assert.is(world.errors.length, 1)
    assert.match(world.errors[0] ?? '', /"message":"the disk fails".*tried again/)
    world.failing = false
    const deadline = Date.now() + 20_000
    while (phasesOf(scheduler).length < 2 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(phasesOf(scheduler), ['key-3 announced', 'key-1 signing'])
    await scheduler.stop()
  },
)

keeping('operations at once take turns: one rolls over, the others hear that it is under way', async () => {
  const world = begin()
  const scheduler = await started(world)
  const rollOver = scheduler
    .keys(operatorOfTheStore(), { origin: exampleOrigin })
    .rollOver({ alg: 'EdDSA', dryRun: false })
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => rollOver()))
  assert.equal(
    outcomes.map((outcome) => (E.isLeft(outcome) ? outcome.left.error : 'done')),
    ['done', ...Array.from({ length: 4 }, () => 'roll_over_under_way')],
  )
  assert.is(phasesOf(scheduler).length, 2)
  await scheduler.stop()
})

keeping('what an operator did is published when the answer comes', async () => {
  const scheduler = await started(begin())
  const done = await scheduler
    .keys(operatorOfTheStore(), { origin: exampleOrigin })
    .revoke({ kid: 'key-1', dryRun: false })()
  assert.ok(E.isRight(done))
  assert.equal(phasesOf(scheduler), ['key-3 signing'])
  await scheduler.keys(operatorOfTheStore(), { origin: exampleOrigin }).rollOver({ dryRun: true })()
  assert.equal(phasesOf(scheduler), ['key-3 signing'])
  await scheduler.stop()
})

keeping.run()
