import {
  type EpochSeconds,
  type FreshKey,
  type KeyRing,
  epochSeconds,
  keysOf,
  operatorOfTheStore,
  secondsAfter,
  unavailable,
  unreadableKeyRing,
} from '@clientele/domain'
import type { KeyRotationPorts, KeyRotationScheduler } from '@clientele/adapters-jose'
import { createTurns, emptyState, inMemoryStore, keyRingsOf } from '@clientele/adapters-memory'
import { noPauses } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startKeyRotation } from '../../src/keys/key-rotation.js'
import { createLog } from '../../src/observing/log.js'

const keeping = suite('key rotation')

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const settings = { policy, signingAlgorithms: ['EdDSA'] }
const beginning = epochSeconds(1_000_000_000_000)

type World = {
  at: EpochSeconds
  /** The store and the maker refuse while this holds. */
  failing: boolean
  made: number
  /** What was logged, by level. */
  readonly errors: Array<string>
  readonly told: Array<string>
  readonly ports: KeyRotationPorts
}

const keyNamed = (kid: string): FreshKey => ({
  kid,
  jwk: { kty: 'OKP', crv: 'Ed25519', x: kid.padEnd(43, 'A') },
  privateKey: 'private half',
})

const begin = (rings: ReadonlyArray<KeyRing> = []): World => {
  const { keyRings, foreignKeys, leases } = inMemoryStore({ ...emptyState(), keyRings: keyRingsOf(rings) })
  const world: World = {
    at: beginning,
    failing: false,
    made: 0,
    errors: [],
    told: [],
    ports: {
      ...foreignKeys,
      ...leases,
      ...createTurns(noPauses),
      readKeyRingVersions: async () =>
        world.failing ? E.left(unavailable('failing')) : keyRings.readKeyRingVersions(),
      readKeyRings: async () => (world.failing ? E.left(unavailable('failing')) : keyRings.readKeyRings()),
      replaceKeyRings: (changes) => async () =>
        world.failing ? E.left(unavailable('failing')) : keyRings.replaceKeyRings(changes)(),
      makeKey: () => TE.fromIO(() => keyNamed(`key-${(world.made += 1)}`)),
      now: () => world.at,
      identifier: randomUUID,
    },
  }
  return world
}

const ringsTold = ({ told }: World): ReadonlyArray<string> => told.filter((line) => line.includes('a key ring changed'))

const logTo = (world: World) =>
  createLog('info', {
    write: (line) => (line.includes('"level":"error"') ? world.errors : world.told).push(line),
    writableLength: 0,
  })

const started = async (world: World): Promise<KeyRotationScheduler> => {
  const keeper = await startKeyRotation({ settings, ports: world.ports, log: logTo(world) })()
  if (E.isLeft(keeper)) throw new Error(keeper.left)
  return keeper.right
}

const refusal = async (ports: KeyRotationPorts): Promise<string> => {
  const keeper = await startKeyRotation({ settings, ports, log: logTo(begin()) })()
  return E.isLeft(keeper) ? keeper.left : 'started'
}

const phasesOf = (keeper: KeyRotationScheduler): ReadonlyArray<string> =>
  keeper
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
  const keeper = await started(world)
  await keeper.reconcile()
  assert.is(ringsTold(world).length, 2)
  assert.match(world.told.join(''), '"alg":"EdDSA","use":"sig","keys":{"key-1":"signing"}')
  await keeper.keys(operatorOfTheStore()).rollOver({ alg: 'EdDSA', dryRun: false })()
  assert.is(ringsTold(world).length, 3)
  assert.match(ringsTold(world)[2] ?? '', '"keys":{"key-3":"announced","key-1":"signing"}')
  assert.not.match(world.told.join(''), 'private')
  await keeper.stop()
})

keeping(
  'the log tells which instance keeps the rings, and a start that finds the rings tells nothing else',
  async () => {
    const world = begin()
    const keeper = await started(world)
    await keeper.stop()
    const before = world.told.length
    const other = await started(world)
    await other.stop()
    assert.equal(
      world.told.slice(before).map((line) => /"msg":"([^"]*)"/.exec(line)?.[1]),
      ['this instance keeps the key rings', 'this instance keeps the key rings no more'],
    )
  },
)

keeping('however long it slept, it makes one successor, and that is published before it signs', async () => {
  const world = begin()
  const keeper = await started(world)
  world.at = secondsAfter(beginning, 100 * policy.lifetime)
  await keeper.reconcile()
  assert.equal(phasesOf(keeper), ['key-3 announced', 'key-1 signing'])
  world.at = secondsAfter(world.at, policy.publishAhead - 1)
  await keeper.reconcile()
  assert.equal(phasesOf(keeper), ['key-3 announced', 'key-1 signing'])
  world.at = secondsAfter(world.at, 1)
  await keeper.reconcile()
  assert.equal(phasesOf(keeper), ['key-3 signing', 'key-1 retired'])
  await keeper.stop()
})

keeping('a clock that goes back takes nothing out of the set, and holds nothing up for long', async () => {
  const world = begin()
  const keeper = await started(world)
  world.at = secondsAfter(beginning, policy.lifetime - policy.publishAhead)
  await keeper.reconcile()
  assert.equal(phasesOf(keeper), ['key-3 announced', 'key-1 signing'])
  world.at = epochSeconds(0)
  await keeper.reconcile()
  assert.equal(phasesOf(keeper), ['key-3 announced', 'key-1 signing'])
  world.at = secondsAfter(world.at, policy.publishAhead)
  await keeper.reconcile()
  assert.equal(phasesOf(keeper), ['key-3 signing', 'key-1 retired'])
  await keeper.stop()
})

keeping(
  'while the store fails the set is served as it was; what is due is done of itself once it works again',
  async () => {
    const world = begin()
    const keeper = await started(world)
    world.at = secondsAfter(beginning, policy.lifetime)
    world.failing = true
    await keeper.reconcile()
    assert.equal(phasesOf(keeper), ['key-1 signing'])
    assert.is(world.errors.length, 1)
    assert.match(world.errors[0] ?? '', 'tried again')
    world.failing = false
    const deadline = Date.now() + 20_000
    while (phasesOf(keeper).length < 2 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(phasesOf(keeper), ['key-3 announced', 'key-1 signing'])
    await keeper.stop()
  },
)

keeping('operations at once take turns: one rolls over, the others hear that it is under way', async () => {
  const world = begin()
  const keeper = await started(world)
  const rollOver = keeper.keys(operatorOfTheStore()).rollOver({ alg: 'EdDSA', dryRun: false })
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => rollOver()))
  assert.equal(
    outcomes.map((outcome) => (E.isLeft(outcome) ? outcome.left.error : 'done')),
    ['done', ...Array.from({ length: 4 }, () => 'roll_over_under_way')],
  )
  assert.is(phasesOf(keeper).length, 2)
  await keeper.stop()
})

keeping('what an operator did is published when the answer comes', async () => {
  const keeper = await started(begin())
  const done = await keeper.keys(operatorOfTheStore()).revoke({ kid: 'key-1', dryRun: false })()
  assert.ok(E.isRight(done))
  assert.equal(phasesOf(keeper), ['key-3 signing'])
  await keeper.keys(operatorOfTheStore()).rollOver({ dryRun: true })()
  assert.equal(phasesOf(keeper), ['key-3 signing'])
  await keeper.stop()
})

keeping.run()
