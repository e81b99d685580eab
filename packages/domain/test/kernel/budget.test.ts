import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import {
  type Budget,
  type WholeAt,
  budgetPer,
  budgetScopes,
  consume,
  draw,
  latestWholeAt,
  limitsPer,
  maxStoredSources,
  span,
  unitsOf,
} from '../../src/kernel/budgets.js'

const Budgets = suite('budgets')
const it = law(Budgets)

const budget: fc.Arbitrary<Budget> = fc.record({
  burst: fc.integer({ min: 1, max: 40 }),
  interval: fc.integer({ min: 1, max: 5_000 }),
})
const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
const steps = (min: number) => fc.array(fc.integer({ min, max: 9_000 }), { maxLength: 120 })
const wholeAt: fc.Arbitrary<WholeAt> = fc.option(time, { nil: undefined })

type Attempt = { readonly now: number; readonly permitted: boolean }

/** One attempt after each step of time. */
const attempts = (own: Budget, start: number, between: ReadonlyArray<number>): ReadonlyArray<Attempt> => {
  let now = start
  let state: WholeAt
  return between.map((step) => {
    now += step
    const consumed = consume(own, state, 1, now)
    if (E.isRight(consumed)) state = consumed.right
    return { now, permitted: E.isRight(consumed) }
  })
}

const permittedIn = (all: ReadonlyArray<Attempt>, from: number, to: number): number =>
  all.filter(({ now, permitted }) => permitted && now >= from && now <= to).length

it(
  'in each span of time, no more than the burst and what came back',
  [budget, time, steps(0)],
  (own, start, between) => {
    const all = attempts(own, start, between)
    for (const { now: from } of all)
      for (const { now: to } of all)
        assert.ok(permittedIn(all, from, to) <= own.burst + Math.floor(Math.max(0, to - from) / own.interval))
  },
)

it('more never permits less, at any time', [budget, budget, time, steps(0)], (one, other, start, between) => {
  const less = { burst: Math.min(one.burst, other.burst), interval: Math.max(one.interval, other.interval) }
  const more = { burst: Math.max(one.burst, other.burst), interval: Math.min(one.interval, other.interval) }
  const few = attempts(less, start, between)
  const many = attempts(more, start, between)
  for (const { now } of few) assert.ok(permittedIn(many, start, now) >= permittedIn(few, start, now))
})

it(
  'a clock that goes back gives no more than one burst each time',
  [budget, time, steps(-9_000)],
  (own, start, between) => {
    const all = attempts(own, start, between)
    const forward = between.filter((step) => step > 0).reduce((sum, step) => sum + step, 0)
    const setBack = between.filter((step) => step < 0).length
    assert.ok(all.filter(({ permitted }) => permitted).length <= own.burst * (1 + setBack) + forward / own.interval)
  },
)

it('clocks that differ as much as instances may give nothing more', [budget, time, steps(0)], (own, start, between) => {
  // Every other attempt is by a clock that is 10 seconds behind.
  const all = attempts(
    own,
    start,
    between.map((step, index) => (index % 2 === 0 ? step - 10_000 : 10_000)),
  )
  const first = Math.min(...all.map(({ now }) => now))
  const last = Math.max(...all.map(({ now }) => now))
  const permitted = all.filter((each) => each.permitted).length
  assert.ok(permitted === 0 || permitted <= own.burst + Math.floor((last - first) / own.interval))
})

it('nobody waits longer than for a whole budget, whatever is stored', [budget, wholeAt, time], (own, state, now) => {
  const consumed = consume(own, state, 1, now)
  if (E.isRight(consumed)) return
  assert.ok(consumed.left.retryAfter > 0 && consumed.left.retryAfter <= latestWholeAt(own, now) - now)
})

it('a refusal says when to try again, and not later than needed', [budget, wholeAt, time], (own, state, now) => {
  const consumed = consume(own, state, 1, now)
  if (E.isRight(consumed)) return
  const { retryAfter } = consumed.left
  assert.ok(E.isRight(consume(own, state, 1, now + retryAfter)))
  assert.ok(E.isLeft(consume(own, state, 1, now + retryAfter - 1)))
})

it('the units that there are can be consumed, and not one more', [budget, wholeAt, time], (own, state, now) => {
  const units = unitsOf(own, state, now)
  assert.ok(units >= 0 && units <= own.burst)
  assert.ok(units === 0 || E.isRight(consume(own, state, units, now)))
  assert.ok(E.isLeft(consume(own, state, units + 1, now)))
})

it('units together cost what they cost one by one', [budget, wholeAt, time, fc.nat(40)], (own, state, now, units) => {
  const together = consume(own, state, units, now)
  if (E.isLeft(together) || units === 0) return
  let one: WholeAt = state
  for (let consumed = 0; consumed < units; consumed += 1) {
    const next = consume(own, one, 1, now)
    assert.ok(E.isRight(next))
    one = E.isRight(next) ? next.right : undefined
  }
  assert.is(one, together.right)
})

const limits = fc.record({ source: budget, network: budget, all: budget })
const states = fc.record({ source: wholeAt, network: wholeAt, all: wholeAt })

it('a draw is consumed of all budgets, or of none', [limits, states, fc.integer(), time], (own, before, most, now) => {
  const drawn = draw(own, before, most, now)
  const available = Math.min(...budgetScopes.map((scope) => unitsOf(own[scope], before[scope], now)))
  assert.is(E.isRight(drawn), available > 0)
  if (E.isLeft(drawn)) {
    const { scope } = drawn.left
    assert.is(unitsOf(own[scope], before[scope], now), 0)
    for (const narrower of budgetScopes.slice(0, budgetScopes.indexOf(scope)))
      assert.ok(unitsOf(own[narrower], before[narrower], now) > 0)
    return
  }
  const { units } = drawn.right
  assert.is(units, Math.max(1, Math.min(most, available)))
  for (const scope of budgetScopes)
    assert.equal(E.right(drawn.right.wholeAt[scope]), consume(own[scope], before[scope], units, now))
})

it('so many sources and networks are not whole at a time, and no more', [limits, steps(0)], (own, between) => {
  // Each attempt is of another source, in another network.
  const stored: Array<number> = []
  let now = 0
  let all: WholeAt
  for (const step of between) {
    now += step
    const drawn = draw(own, { source: undefined, network: undefined, all }, 1, now)
    if (E.isRight(drawn)) {
      all = drawn.right.wholeAt.all
      stored.push(drawn.right.wholeAt.source, drawn.right.wholeAt.network)
    }
    assert.ok(stored.filter((each) => each > now).length <= maxStoredSources(own))
  }
})

const numbers = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }))
  .map(([one, other]) => ({ ofSource: Math.min(one, other), ofAll: Math.max(one, other) }))

it('a wider scope never has less than a narrower one', [numbers], ({ ofSource, ofAll }) => {
  const own = limitsPer(60_000, ofSource, ofAll)
  for (const [narrower, wider] of [
    [own.source, own.network],
    [own.network, own.all],
  ] as const) {
    assert.ok(narrower.burst <= wider.burst)
    assert.ok(narrower.interval >= wider.interval)
  }
})

it(
  'one network, whichever of its sources ask, leaves half of what all have to others',
  [numbers, fc.array(fc.tuple(fc.nat(9), fc.nat(40), fc.nat(2_000)), { maxLength: 120 })],
  ({ ofSource, ofAll }, asked) => {
    const own = limitsPer(60_000, ofSource, ofAll)
    const sources = new Map<number, number>()
    let network: WholeAt
    let all: WholeAt
    let now = 0
    let used = 0
    for (const [source, most, step] of asked) {
      now += step
      const drawn = draw(own, { source: sources.get(source), network, all }, most, now)
      if (E.isLeft(drawn)) continue
      sources.set(source, drawn.right.wholeAt.source)
      network = drawn.right.wholeAt.network
      all = drawn.right.wholeAt.all
      used += drawn.right.units
    }
    // Unless the operator gave one source more than half.
    const share = Math.max(ofSource, Math.floor(ofAll / 2))
    assert.ok(used <= share + Math.floor(now / own.network.interval))
    assert.ok(unitsOf(own.all, all, now) >= ofAll - share)
  },
)

it(
  'a budget for a period comes back in no less',
  [fc.integer({ min: 1, max: 60_000 }), fc.nat(1_440)],
  (units, more) => {
    const period = 60_000 * (1 + more)
    const own = budgetPer(period, units)
    assert.is(own.burst, units)
    assert.ok(Number.isInteger(own.interval) && span(own) >= period)
  },
)

Budgets.run()
