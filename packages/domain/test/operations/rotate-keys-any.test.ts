// Any history of two instances with their own settings and clocks over one store.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { type KeyPolicy, type KeySettings, keysOf, knownKids } from '../../src/keys/ring.js'
import { areReconciled } from '../../src/keys/roll-over.js'
import { manageKeys } from '../../src/operations/keys.js'
import { keyRingsLeaseLength } from '../../src/operations/roll-over.js'
import { namedKey, runParameters, exampleOrigin } from '@clientele/testing'
import {
  type KeyInstance,
  beginKeyInstance,
  isLeaseHolder,
  looks,
  stops,
  storeTimeOf,
} from '../support/key-instance.js'
import { type KeyService, keyService } from '../support/key-maker.js'

const Rotate = suite('rotateKeys, in every history')

const algorithms = ['ES256', 'EdDSA', 'RS256']

// All phases are longer than a history, so that time alone makes no change due.
const longPolicy: fc.Arbitrary<KeyPolicy> = fc
  .record({ maxAge: fc.integer({ min: 10_000, max: 90_000 }), more: fc.integer({ min: 10_000, max: 90_000 }) })
  .map(({ maxAge, more }) => ({
    maxAge,
    publishAhead: 2 * maxAge + more,
    lifetime: 4 * maxAge + 3 * more,
    retention: maxAge + more,
  }))
const settings: fc.Arbitrary<KeySettings> = fc.record({
  policy: longPolicy,
  signingAlgorithms: fc.subarray(algorithms),
})
// One clock may be ahead of the other by more than a lease.
const ahead = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(2 * keyRingsLeaseLength))

type Act =
  | { readonly kind: 'looks' | 'stops' }
  | { readonly kind: 'passes'; readonly seconds: number }
  | { readonly kind: 'dies'; readonly settings: KeySettings }
  | { readonly kind: 'rolls over'; readonly alg: string | undefined }
  | { readonly kind: 'revokes'; readonly index: number }
  | { readonly kind: 'imports'; readonly alg: string }
type Step = { readonly who: 0 | 1; readonly act: Act }

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'looks' as const }) },
  {
    weight: 3,
    arbitrary: fc.oneof(fc.nat(3), fc.nat(40)).map((seconds) => ({ kind: 'passes' as const, seconds })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'stops' as const }) },
  { weight: 1, arbitrary: settings.map((given) => ({ kind: 'dies' as const, settings: given })) },
  {
    weight: 1,
    arbitrary: fc
      .option(fc.constantFrom(...algorithms), { nil: undefined })
      .map((alg) => ({ kind: 'rolls over' as const, alg })),
  },
  { weight: 1, arbitrary: fc.nat(20).map((index) => ({ kind: 'revokes' as const, index })) },
  { weight: 1, arbitrary: fc.constantFrom(...algorithms).map((alg) => ({ kind: 'imports' as const, alg })) },
)
const step: fc.Arbitrary<Step> = fc.record({ who: fc.constantFrom(0 as const, 1 as const), act: anyAct })

type World = {
  readonly service: KeyService
  readonly instances: [KeyInstance, KeyInstance]
  /** How often the lease changed its holder, or a holder stopped. */
  keepers: number
  acts: number
  /** How many reconciliations wrote. */
  writingLooks: number
  begun: number
  lastHolder: string | undefined
}

const begunWorld = (given: readonly [KeySettings, KeySettings], clocks: readonly [number, number]): World => {
  const service = keyService()
  return {
    service,
    instances: [
      beginKeyInstance(service, given[0], 'instance 0', clocks[0]),
      beginKeyInstance(service, given[1], 'instance 1', clocks[1]),
    ],
    keepers: 0,
    acts: 0,
    writingLooks: 0,
    begun: 2,
    lastHolder: undefined,
  }
}

/** A reconciliation with its invariants: only the holder writes, and no key is made in vain. */
const watched = async (world: World, instance: KeyInstance): Promise<void> => {
  const { service } = world
  const writes = service.writes.length
  const made = service.maker.made.length
  await looks(instance)
  const stored = await service.stored()
  const kids = stored.flatMap(knownKids)
  for (const { kid } of service.maker.made.slice(made)) assert.ok(kids.includes(kid), `${kid} was made in vain`)
  if (service.writes.length > writes) world.writingLooks += 1
  if (!isLeaseHolder(instance)) {
    assert.equal([service.writes.length, service.maker.made.length], [writes, made], 'another instance keeps the rings')
    return
  }
  if (world.lastHolder !== instance.holder) world.keepers += 1
  world.lastHolder = instance.holder
  assert.ok(areReconciled(instance.settings, await storeTimeOf(instance), stored), 'the keeper leaves nothing undone')
}

const anew = async (world: World, who: 0 | 1, given: KeySettings): Promise<void> => {
  world.begun += 1
  const clock = (await storeTimeOf(world.instances[who])) - world.service.clock.at
  world.instances[who] = beginKeyInstance(world.service, given, `instance ${world.begun}`, clock)
}

const actOf = async (world: World, instance: KeyInstance, act: Act): Promise<void> => {
  const keys = manageKeys(instance.settings, instance.ports)(operatorOfTheStore(), { origin: exampleOrigin })
  const stored = await world.service.stored()
  world.acts += 1
  if (act.kind === 'rolls over')
    await keys.rollOver({ ...(act.alg === undefined ? {} : { alg: act.alg }), dryRun: false })()
  if (act.kind === 'imports') {
    const key = namedKey(`imported-${world.acts}`)
    await keys.importKeys({ keys: [{ alg: act.alg, keys: [key] }], dryRun: false })()
  }
  if (act.kind === 'revokes') {
    const kids = stored.flatMap(keysOf).map(({ key }) => key.kid)
    await keys.revoke({ kid: kids[act.index % kids.length] ?? '', dryRun: false })()
  }
}

const happens = async (world: World, { who, act }: Step): Promise<void> => {
  const instance = world.instances[who]
  if (act.kind === 'looks') return watched(world, instance)
  if (act.kind === 'passes') {
    world.service.clock.at = secondsAfter(world.service.clock.at, act.seconds)
    return
  }
  if (act.kind === 'dies') return anew(world, who, act.settings)
  if (act.kind === 'stops') {
    await stops(instance)
    return anew(world, who, instance.settings)
  }
  return actOf(world, instance, act)
}

const lived = async (world: World, steps: ReadonlyArray<Step>): Promise<void> => {
  for (const each of steps) await happens(world, each)
}

/** Both reconcile every two seconds, as by their schedules. */
const settled = async (world: World, seconds: number): Promise<void> => {
  for (let passed = 0; passed < seconds; passed += 2) {
    for (const instance of world.instances) await watched(world, instance)
    world.service.clock.at = secondsAfter(world.service.clock.at, 2)
  }
}

const begun = fc.tuple(fc.tuple(settings, settings), fc.tuple(ahead, ahead))
const history = fc.array(step, { maxLength: 40 })

Rotate('looks write once for each change of the keeper and each act of an operator, at most', () =>
  fc.assert(
    fc.asyncProperty(begun, history, async ([given, clocks], steps) => {
      const world = begunWorld(given, clocks)
      await lived(world, steps)
      assert.ok(world.writingLooks <= world.keepers + world.acts, `${world.writingLooks} looks wrote`)
    }),
    runParameters(),
  ),
)

Rotate('whatever happened before, one instance keeps the rings in the end, and nothing is written any more', () =>
  fc.assert(
    fc.asyncProperty(begun, history, async ([given, clocks], steps) => {
      const world = begunWorld(given, clocks)
      await lived(world, steps)
      // The lease of a crashed instance may end late by the clock of the other.
      await settled(world, 4 * keyRingsLeaseLength)
      const { lastHolder } = world
      const writes = world.service.writes.length
      await settled(world, 4 * keyRingsLeaseLength)
      assert.is(world.lastHolder, lastHolder)
      assert.is(world.service.writes.length, writes)
      const [one, other] = world.instances
      assert.is(Number(isLeaseHolder(one)) + Number(isLeaseHolder(other)), 1)
      assert.equal(new Set(one.state.rings), new Set(other.state.rings), 'both know the same rings')
    }),
    runParameters(),
  ),
)

Rotate('the looks of the instance that does not keep the rings leave no trace', () =>
  fc.assert(
    fc.asyncProperty(begun, fc.array(fc.nat(14), { maxLength: 20 }), async ([given], pauses) => {
      const stored = async (beside: boolean): Promise<unknown> => {
        const world = begunWorld(given, [0, 0])
        for (const seconds of pauses) {
          await watched(world, world.instances[0])
          if (beside) await watched(world, world.instances[1])
          world.service.clock.at = secondsAfter(world.service.clock.at, seconds)
        }
        return world.service.stored()
      }
      assert.equal(await stored(true), await stored(false))
    }),
    runParameters(),
  ),
)

Rotate.run()
