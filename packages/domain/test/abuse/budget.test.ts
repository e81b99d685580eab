import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { type Budget, type WholeAt, latestWholeAt, span, consume, unitsOf } from '../../src/abuse/budget.js'
import { draw, maxStoredSources, budgetPer } from '../../src/abuse/budget-kinds.js'

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

const limits = fc.record({ ofSource: budget, ofAll: budget })

it(
  'a draw is consumed of both budgets, or of neither',
  [limits, wholeAt, wholeAt, fc.integer(), time],
  (own, source, all, most, now) => {
    const drawn = draw(own, { ofSource: source, ofAll: all }, most, now)
    const available = Math.min(unitsOf(own.ofSource, source, now), unitsOf(own.ofAll, all, now))
    assert.is(E.isRight(drawn), available > 0)
    if (E.isLeft(drawn)) return
    const { units } = drawn.right
    assert.is(units, Math.max(1, Math.min(most, available)))
    assert.equal(E.right(drawn.right.ofSource), consume(own.ofSource, source, units, now))
    assert.equal(E.right(drawn.right.ofAll), consume(own.ofAll, all, units, now))
  },
)

it('so many sources are not whole at a time, and no more', [limits, steps(0)], (own, between) => {
  // Each attempt is of another source.
  const sources: Array<number> = []
  let now = 0
  let all: WholeAt
  for (const step of between) {
    now += step
    const drawn = draw(own, { ofSource: undefined, ofAll: all }, 1, now)
    if (E.isRight(drawn)) {
      all = drawn.right.ofAll
      sources.push(drawn.right.ofSource)
    }
    assert.ok(sources.filter((each) => each > now).length <= maxStoredSources(own))
  }
})

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
