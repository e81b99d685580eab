import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import {
  type LifeCyclePolicy,
  daysLookedAt,
  defaultLifeCycle,
  dueParking,
  dueRemoval,
  dueRemovalIn,
  earliestParking,
  noticeOf,
  useTime,
  useUnit,
} from '@clientele/domain/life-cycle'
import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const days = suite('observed days')
const it = law(days)

const start = useTime(epochSeconds(1_700_000_000_000))
const dayAt = (day: number): EpochSeconds => secondsAfter(start, day * useUnit)

const now = fc.nat(100 * useUnit).map((seconds) => secondsAfter(start, seconds))
const observed = fc.array(
  fc.nat(120).chain((day) => fc.nat(useUnit - 1).map((second) => secondsAfter(dayAt(day), second))),
  { maxLength: 120, size: 'max' },
)
const wait = fc.integer({ min: 3_600, max: 40 * useUnit })
const policy: fc.Arbitrary<LifeCyclePolicy> = fc.tuple(wait, wait).map(([parked, more]) => ({
  ...defaultLifeCycle,
  unusedOpenParkedAfter: parked,
  unusedOpenRemovedAfter: parked + more,
}))

it('nothing is due where nothing was observed', [now, policy], (at, rules) => {
  assert.is(dueParking(at, [], rules), undefined)
  assert.is(dueRemoval(at, [], rules), undefined)
})

it(
  'the day of the decision, and days of a clock that was ahead, do not count',
  [now, observed, policy],
  (at, seen, rules) => {
    const before = seen.filter((day) => day < useTime(at))
    assert.equal(dueParking(at, seen, rules), dueParking(at, before, rules))
    assert.equal(dueRemoval(at, seen, rules), dueRemoval(at, before, rules))
  },
)

it('a wait never takes less than its plain time', [now, observed, policy], (at, seen, rules) => {
  const { unusedOpenParkedAfter, unusedOpenRemovedAfter } = rules
  assert.ok((dueParking(at, seen, rules)?.waitsSince ?? 0) <= at - unusedOpenParkedAfter)
  const removal = dueRemoval(at, seen, rules)
  if (removal === undefined) return
  assert.ok(removal.waitsSince <= at - unusedOpenRemovedAfter)
  assert.ok(removal.parkedUntil <= at - (unusedOpenRemovedAfter - unusedOpenParkedAfter))
  assert.ok(removal.notice * useUnit >= unusedOpenRemovedAfter - unusedOpenParkedAfter && removal.notice >= 1)
})

it(
  'what is due waited for as many whole observed days as the setting says, and was parked for the difference',
  [now, observed, policy, fc.nat(100 * useUnit)],
  (at, seen, rules, since) => {
    const base = secondsAfter(start, since)
    const whole = new Set(seen.map(useTime).filter((day) => day >= base && day < useTime(at))).size
    const wholeDays = (seconds: number): number => Math.ceil(seconds / useUnit)
    const parking = dueParking(at, seen, rules)
    const isDue = parking !== undefined && base <= parking.waitsSince
    assert.is(isDue, whole >= wholeDays(rules.unusedOpenParkedAfter))
    const removal = dueRemoval(at, seen, rules)
    if (removal === undefined) return
    assert.is(base <= removal.waitsSince, whole >= wholeDays(rules.unusedOpenRemovedAfter))
    assert.is(base <= removal.parkedUntil, whole >= noticeOf(rules))
  },
)

const sinceOf = (due: { readonly waitsSince: EpochSeconds } | undefined): number => due?.waitsSince ?? -1

it(
  'more observed days, more time and shorter waits never make less due',
  [now, observed, observed, policy, fc.nat(50 * useUnit)],
  (at, seen, more, rules, passed) => {
    const later = secondsAfter(at, passed)
    const all = [...seen, ...more]
    const shorter = { ...rules, unusedOpenParkedAfter: Math.max(1, rules.unusedOpenParkedAfter - passed) }
    for (const due of [dueParking, dueRemoval] as const) {
      assert.ok(sinceOf(due(at, seen, rules)) <= sinceOf(due(at, all, rules)))
      assert.ok(sinceOf(due(at, seen, rules)) <= sinceOf(due(later, seen, rules)))
    }
    assert.ok(sinceOf(dueParking(at, seen, rules)) <= sinceOf(dueParking(at, seen, shorter)))
  },
)

it('the latest days alone decide', [now, observed, policy], (at, seen, rules) => {
  const latest = [...new Set(seen.map(useTime).filter((day) => day <= at))]
    .sort((one, other) => other - one)
    .slice(0, daysLookedAt(rules))
  assert.equal(dueParking(at, seen, rules), dueParking(at, latest, rules))
  assert.equal(dueRemoval(at, seen, rules), dueRemoval(at, latest, rules))
})

it(
  'what will be due is foretold: whatever is observed until then, no more is',
  [now, observed, policy, fc.nat(10), fc.array(fc.boolean())],
  (at, seen, rules, ahead, chosen) => {
    const foretold = dueRemovalIn(ahead, at, seen, rules)
    const then = secondsAfter(useTime(at), ahead * useUnit)
    const until = Array.from({ length: ahead }, (_, day) => secondsAfter(useTime(at), day * useUnit))
    const past = seen.filter((day) => day < useTime(at))
    const actual = dueRemoval(then, [...past, ...until.filter((_, place) => chosen[place])], rules)
    assert.ok(sinceOf(actual) <= sinceOf(foretold))
    if (actual !== undefined) assert.ok(actual.parkedUntil <= (foretold?.parkedUntil ?? -1))
    assert.equal(dueRemovalIn(0, at, seen, rules), dueRemoval(at, seen, rules))
  },
)

it('the earliest parking of what begins to wait now is the one if each day is observed', [now, policy], (at, rules) => {
  const every = Array.from({ length: 200 }, (_, day) => dayAt(day))
  const isDueAt = (time: EpochSeconds): boolean => sinceOf(dueParking(time, every, rules)) >= at
  const earliest = earliestParking(at, rules)
  assert.equal([isDueAt(secondsAfter(earliest, -1)), isDueAt(earliest)], [false, true])
})

days.run()
