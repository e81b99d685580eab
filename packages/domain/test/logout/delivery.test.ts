import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../src/kernel/time.js'
import {
  type DeliveryPolicy,
  type DeliveryResult,
  type PendingNotification,
  decideDelivery,
  decideOthers,
  defaultDelivery,
} from '../../src/logout/notifications.js'
import { exampleNotification, exampleTime as at, law } from '@clientele/testing'
import { answered, anyResult, unanswered } from '../support/logout-world.js'

const Delivery = suite('decideDelivery')

const entry = (attempts = 0, id = 'one'): PendingNotification => ({
  ...exampleNotification(id, 'shop'),
  attempts,
  due_at: at,
  failed: false,
  note: 'as before',
})

const decided = (result: DeliveryResult, attempts = 0) => decideDelivery(defaultDelivery, at)(entry(attempts), result)

const kindOf = (result: DeliveryResult): string => decided(result).kind

const policies: fc.Arbitrary<DeliveryPolicy> = fc.record({
  maxTries: fc.integer({ min: 1, max: 20 }),
  firstWait: fc.integer({ min: 1, max: 600 }),
  maxWait: fc.integer({ min: 600, max: 10_000 }),
  minUnsentWait: fc.integer({ min: 1, max: 60 }),
  maxUnsentWait: fc.integer({ min: 60, max: 10_000 }),
  maxAge: fc.constant(1),
  maxInPass: fc.constant(1),
  passLength: fc.constant(1),
  claimLength: fc.constant(1),
  concurrency: fc.constant(1),
})

Delivery('200 and 204 say that the end-user is signed out there (Back-Channel Logout §2.8)', () => {
  for (const status of [200, 204]) assert.equal(decided(answered(status)), { id: 'one', kind: 'delivered' })
})

Delivery('what may go away by itself is tried again, and nothing else (§2.5)', () => {
  for (const status of [408, 425, 429, 500, 501, 502, 503, 504, 599]) assert.is(kindOf(answered(status)), 'later')
  for (const status of [201, 202, 203, 205, 206, 301, 302, 307, 400, 401, 403, 404, 405, 406, 410, 413, 415])
    assert.is(kindOf(answered(status)), 'failed', String(status))
  assert.is(kindOf(unanswered), 'later')
  assert.is(kindOf({ kind: 'unsent', reason: 'no place' }), 'later')
  assert.is(kindOf({ kind: 'unsigned', reason: 'no key' }), 'later')
  assert.is(kindOf({ kind: 'impossible', reason: 'no ring' }), 'failed')
})

Delivery('each wait is twice the one before, up to the longest; after nine tries in four hours it has failed', () => {
  const waits = Array.from({ length: 8 }, (_, attempts) => {
    const tried = decided(unanswered, attempts)
    assert.ok(tried.kind === 'later' && tried.attempts === attempts + 1)
    return tried.due_at - at
  })
  assert.equal(waits, [60, 120, 240, 480, 960, 1_920, 3_840, 7_200])
  assert.ok(waits.reduce((sum, wait) => sum + wait, 0) < 4.2 * 3_600)
  const note = 'no answer within 5000 ms'
  assert.equal(decided(unanswered, 8), { id: 'one', kind: 'failed', attempts: 9, due_at: at, note })
})

Delivery('Retry-After makes a wait longer, never shorter, and not longer than the longest', () => {
  for (const [retryAfter, wait] of [
    [0, 60],
    [59, 60],
    [600, 600],
    [7_201, 7_200],
    [Number.MAX_SAFE_INTEGER, 7_200],
  ] as const) {
    const tried = decided(answered(503, retryAfter))
    assert.equal(tried, { id: 'one', kind: 'later', attempts: 1, due_at: at + wait, note: 'the status was 503' })
  }
})

Delivery('what is too early waits until then without a try, and is looked at again before long', () => {
  for (const [ahead, wait] of [
    [10, 10],
    [7_200, 7_200],
    [86_400, 7_200],
  ] as const) {
    const tried = decided({ kind: 'too_early', until: secondsAfter(at, ahead), reason: 'soon' }, 8)
    assert.equal(tried, { id: 'one', kind: 'later', attempts: 8, due_at: at + wait, note: 'soon' })
  }
})

Delivery('what could not be sent is tried again soon, later the older it is, and was no try', () => {
  const kinds = [
    [{ kind: 'unsent', reason: 'no place' }, 'not sent: no place'],
    [{ kind: 'unsigned', reason: 'no key' }, 'no key'],
  ] as const
  for (const [result, note] of kinds)
    for (const [age, wait] of [
      [-100, 10],
      [0, 10],
      [40, 10],
      [100, 25],
      [1_200, 300],
      [86_400, 300],
    ] as const) {
      const old = { ...entry(8), created_at: secondsAfter(at, -age) }
      const tried = decideDelivery(defaultDelivery, at)(old, result)
      assert.equal(tried, { id: 'one', kind: 'later', attempts: 8, due_at: at + wait, note })
    }
})

Delivery(
  'when this service cannot reach out, the other notices of the receiver wait as well, each by its own age',
  () => {
    const old = { ...entry(2, 'old'), created_at: secondsAfter(at, -400) }
    const left = decideOthers(defaultDelivery, at)(entry(), { kind: 'unsent', reason: 'no place' }, [
      old,
      entry(0, 'new'),
    ])
    const note = 'not sent: no place'
    assert.equal(left, [
      { id: 'old', kind: 'later', attempts: 2, due_at: at + 100, note },
      { id: 'new', kind: 'later', attempts: 0, due_at: at + 10, note },
    ])
  },
)

Delivery('what failed at the same receiver makes the wait longer', () => {
  const others = [entry(2, 'two'), entry(1, 'three')]
  const tried = decideDelivery(defaultDelivery, at)(entry(), unanswered, others)
  assert.ok(tried.kind === 'later')
  assert.equal([tried.attempts, tried.due_at - at], [1, 480])
})

Delivery('when a receiver is down its other notices wait as long, and none of them is a try', () => {
  const others = [entry(2, 'two'), entry(0, 'three')]
  for (const result of [unanswered, answered(500), answered(503), answered(429, 900)]) {
    const tried = decideDelivery(defaultDelivery, at)(entry(), result, others)
    const left = decideOthers(defaultDelivery, at)(entry(), result, others) ?? []
    assert.ok(tried.kind === 'later')
    const note = `waits for its receiver: ${tried.note}`
    assert.equal(left, [
      { id: 'two', kind: 'later', attempts: 2, due_at: tried.due_at, note },
      { id: 'three', kind: 'later', attempts: 0, due_at: tried.due_at, note },
    ])
  }
})

Delivery('when the last try finds the receiver down, the others wait all the same', () => {
  const [left] = decideOthers(defaultDelivery, at)(entry(8), unanswered, [entry(0, 'two')]) ?? []
  assert.ok(left?.kind === 'later')
  assert.equal([left.attempts, left.due_at - at], [0, 7_200])
})

Delivery('an answer about one notice says nothing about the others', () => {
  for (const status of [200, 204, 302, 400, 404])
    assert.is(decideOthers(defaultDelivery, at)(entry(), answered(status), [entry(0, 'two')]), undefined)
  for (const result of [
    { kind: 'impossible', reason: '' },
    { kind: 'unsigned', reason: '' },
    { kind: 'too_early', until: at, reason: '' },
  ] as const)
    assert.is(decideOthers(defaultDelivery, at)(entry(), result, [entry(0, 'two')]), undefined)
})

law(Delivery)(
  'whatever comes back, what came to the receiver is one try, and the next is neither now nor later than the longest wait',
  [policies, anyResult(), fc.nat(100), fc.array(fc.nat(1_000), { maxLength: 5 })],
  (policy, result, attempts, before) => {
    const others = before.map((each, index) => entry(each, `other-${index}`))
    const tried = decideDelivery(policy, at)(entry(attempts), result, others)
    if (tried.kind === 'delivered') return
    assert.is(tried.attempts, attempts + 1)
    if (tried.kind === 'failed') return
    assert.ok(tried.attempts < policy.maxTries)
    const wait = tried.due_at - at
    assert.ok(Number.isSafeInteger(wait) && wait >= policy.firstWait && wait <= policy.maxWait, String(wait))
    for (const left of decideOthers(policy, at)(entry(attempts), result, others) ?? [])
      assert.ok(left.kind === 'later' && left.due_at === tried.due_at)
  },
)

law(Delivery)(
  'what never came to the receiver counts for nothing: no try, nothing given up, and it is due again within the bounds',
  [
    policies,
    fc.constantFrom('unsent' as const, 'unsigned' as const),
    fc.array(fc.tuple(fc.nat(1_000), fc.integer({ min: -1_000, max: 3_000_000 })), { minLength: 1, maxLength: 5 }),
  ],
  (policy, kind, before) => {
    const aged = before.map(([tries, age], index) => ({
      ...entry(tries, `notice-${index}`),
      created_at: secondsAfter(at, -age),
    }))
    const [first = entry(), ...others] = aged
    const result = { kind, reason: 'any' }
    const left = decideOthers(policy, at)(first, result, others)
    assert.is(left === undefined, kind === 'unsigned')
    for (const tried of [decideDelivery(policy, at)(first, result, others), ...(left ?? [])]) {
      assert.ok(tried.kind === 'later')
      assert.is(tried.attempts, aged.find(({ id }) => id === tried.id)?.attempts)
      const wait = tried.due_at - at
      assert.ok(Number.isSafeInteger(wait) && wait >= policy.minUnsentWait && wait <= policy.maxUnsentWait)
    }
  },
)

Delivery.run()
