// Three instances with different settings and clocks over months, each cut off from the store at times. The bounds are
// derived in docs/decisions/keys-of-several-instances.md; without any one of the three rules, verifications fail.
import { identity } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../src/kernel/time.js'
import { nextChange } from '../../src/keys/published.js'
import { type LastRead, maxReadAge, maxSkew, presentTime } from '../../src/keys/ring.js'
import {
  type Figures,
  type Rules,
  type World,
  beginWorld,
  isCutOff,
  looks,
  operates,
  signs,
  storeTime,
  verifies,
} from '../support/key-simulation.js'

const Several = suite('keys of several instances, over months')

const hour = 3_600
const day = 24 * hour
const usual = { lifetime: 8 * hour, publishAhead: 2 * hour, retention: hour, maxAge: hour / 2 }
const other = { lifetime: 6 * hour, publishAhead: hour, retention: hour / 2, maxAge: hour / 4 }
const settings = [
  { policy: usual, signingAlgorithms: ['ES256', 'EdDSA'] },
  { policy: usual, signingAlgorithms: ['ES256', 'EdDSA'] },
  { policy: other, signingAlgorithms: ['ES256'] },
]

const allRules: Rules = {
  publishing: identity,
  signing: identity,
  storing: identity,
}

const drawing = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const between = ({ draw }: World, ...spans: ReadonlyArray<number>): number =>
  draw() * (spans[Math.floor(draw() * spans.length)] ?? 0)

/** Time passes, but not beyond the next change of a ring. */
const passes = async (world: World): Promise<void> => {
  const due = (await world.service.stored()).map((ring) => nextChange(usual, ring) - storeTime(world))
  const next = Math.min(...due.filter((seconds) => seconds > 0))
  world.now += Math.min(between(world, 3, 40, 600, hour), next)
}

/** The store is at one of two hosts, whose clocks are 5 seconds apart; an instance may lose its connection. */
const disturbs = (world: World): void => {
  if (world.draw() < 0.02) world.ahead = -world.ahead
  for (const instance of world.instances)
    if (!isCutOff(world, instance) && world.draw() < 0.04)
      instance.cutOffUntil = world.now + between(world, 2 * maxReadAge, hour, 3 * usual.publishAhead)
}

const step = async (world: World): Promise<void> => {
  await passes(world)
  disturbs(world)
  for (const instance of world.instances) if (world.draw() < 0.9) await looks(world, instance)
  const acting = world.instances[Math.floor(world.draw() * world.instances.length)]
  if (acting !== undefined && world.draw() < 0.03) await operates(world, acting)
  for (const instance of world.instances) signs(world, instance)
  for (const verifier of world.verifiers) verifies(world, verifier)
}

/** Ends at the first failure. */
const simulated = async (rules: Partial<Rules>, days: number): Promise<Figures> => {
  const world = beginWorld({ ...allRules, ...rules }, settings, drawing(1))
  world.ahead = 2.5
  while (world.now < days * day && world.figures.failed === 0) await step(world)
  return world.figures
}

Several('every verifier that keeps to the max-age verifies every signature of every instance', async () => {
  const figures = await simulated({}, 180)
  assert.is(figures.failed, 0)
  assert.ok(figures.verified > 800_000, `${figures.verified} verified`)
  assert.ok(figures.refused > 1_000, `${figures.refused} signatures refused`)
  assert.ok(figures.unserved > 100, `${figures.unserved} sets refused`)
})

const readNow = (read: LastRead): LastRead => ({ at: presentTime(read), age: 0 })

const storing: Rules['storing'] = (changes) =>
  changes.map(({ next, replacing }) => {
    const before = replacing._tag === 'Some' ? replacing.value.retired.map(({ key }) => key.kid) : []
    const retired = next.retired.map((each) =>
      before.includes(each.key.kid)
        ? each
        : { ...each, forgottenAt: secondsAfter(each.forgottenAt, -maxReadAge - maxSkew) },
    )
    return { replacing, next: { ...next, retired } }
  })

const without: ReadonlyArray<readonly [string, Partial<Rules>]> = [
  ['a max-age that ends before an unread key signs', { publishing: readNow }],
  ['a bound on the age of the rings that sign', { signing: readNow }],
  ['a margin after the retention of a retired key', { storing }],
]

for (const [rule, rules] of without)
  Several(`without ${rule}, verifications fail`, async () => {
    assert.ok((await simulated(rules, 90)).failed > 0)
  })

Several.run()
