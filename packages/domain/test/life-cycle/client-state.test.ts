import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import {
  type ClientState,
  type LifeCycleFacts,
  type LifeCyclePolicy,
  RefusalReason,
  clientStates,
  defaultLifeCycle,
  dueUnapproved,
  dueUnapprovedIn,
  stateOf,
  useTime,
  useUnit,
  withdrawalOf,
} from '@clientele/domain/life-cycle'
import { law, unapproved } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const states = suite('the state of a client')
const it = law(states)

const seconds = fc.nat(400 * useUnit)
const time = fc.nat(2_000_000_000).map((each) => epochSeconds(each * 1000))
const facts: fc.Arbitrary<LifeCycleFacts> = fc
  .tuple(fc.boolean(), fc.option(time, { nil: undefined }), fc.option(unapproved(), { nil: undefined }))
  .map(([parked, suspended_at, approval]) => ({
    parked,
    ...(suspended_at === undefined ? {} : { suspended_at }),
    ...(approval === undefined ? {} : { approval }),
  }))
const policy: fc.Arbitrary<LifeCyclePolicy> = fc.record({
  unusedOpenParkedAfter: seconds,
  unusedOpenRemovedAfter: seconds,
  approvalLifetime: seconds,
  idleAfter: seconds,
  tombstoneLifetime: seconds,
  restorableFor: seconds,
  connectionHistory: seconds,
})
const lastUse = fc.option(time, { nil: undefined })

it(
  'every client has a state at every time, and only one that is not registered is gone',
  [fc.option(facts, { nil: undefined }), lastUse, time, policy],
  (client, used, now, rules) => {
    const state = stateOf(client, used, now, rules)
    assert.ok(clientStates.includes(state))
    assert.is(state === 'gone', client === undefined)
    assert.is(state === 'suspended', client?.suspended_at !== undefined)
    const approval = state === 'suspended' ? undefined : client?.approval
    assert.is(['pending', 'refused'].includes(state) ? state : undefined, approval?.state)
  },
)

it('whatever is read as the reason of a refusal is one line that says something', [fc.anything()], (value) => {
  if (!RefusalReason.is(value)) return
  assert.match(value, /^[^\r\n\u2028\u2029\0]+$/)
  assert.ok(value.trim() !== '' && Array.from(value).length <= 500)
})

it(
  'any line of at most 500 characters is a reason, and no longer one',
  [fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), fc.integer({ min: 501, max: 600 })],
  (text, length) => {
    assert.ok(RefusalReason.is(`no: ${text}`) || /\p{C}|\p{Zl}|\p{Zp}/u.test(text))
    assert.ok(RefusalReason.is('x'.repeat(500)))
    assert.not.ok(RefusalReason.is('x'.repeat(length)))
    assert.not.ok(RefusalReason.is(`two\nlines ${text}`))
    assert.not.ok(RefusalReason.is(' '))
  },
)

it('a client that was used once is not parked', [facts, time, time, policy], (client, used, now, rules) => {
  assert.is.not(stateOf(client, used, now, rules), 'parked')
})

const order: Readonly<Record<ClientState, number>> = {
  unused: 0,
  active: 0,
  idle: 1,
  parked: 1,
  pending: 2,
  refused: 2,
  suspended: 2,
  gone: 3,
}

it(
  'time alone never takes a state back',
  [facts, lastUse, time, seconds, policy],
  (client, used, now, passed, rules) => {
    const later = secondsAfter(now, passed)
    assert.ok(order[stateOf(client, used, now, rules)] <= order[stateOf(client, used, later, rules)])
  },
)

it('a use now makes any client in force active', [facts, time], (client, now) => {
  assert.is(stateOf(client, now, now, defaultLifeCycle), withdrawalOf(client) ?? 'active')
})

it(
  'a client without an approval is removed after its whole time, and after an announcement',
  [time, fc.integer({ min: 2 * useUnit, max: 400 * useUnit })],
  (now, approvalLifetime) => {
    const { announced, removed } = dueUnapproved(now, { approvalLifetime })
    assert.is(removed.waitsSince, Math.max(0, now - approvalLifetime))
    assert.is(removed.parkedUntil, Math.max(0, now - removed.notice * useUnit))
    assert.ok(removed.notice >= 1 && removed.notice <= 7)
    // What is announced as soon as it is due is removed at the end of its time.
    assert.is(announced.waitsSince, Math.max(0, now - approvalLifetime + removed.notice * useUnit))
    assert.equal([announced.at, announced.notice], [now, removed.notice])
    const ahead = dueUnapprovedIn(removed.notice, now, { ...defaultLifeCycle, approvalLifetime })
    assert.ok(ahead.parkedUntil >= now, 'it counts from its announcement on')
  },
)

it('a use is stored as the start of its day', [time], (at) => {
  const day = useTime(at)
  assert.is(day % useUnit, 0)
  assert.ok(day <= at && at < day + useUnit)
  assert.is(useTime(day), day)
})

const at = epochSeconds(1_700_000_000_000)
const after = (days: number): EpochSeconds => secondsAfter(at, days * useUnit)

for (const [days, parked, used, expected] of [
  [0, false, undefined, 'unused'],
  [300, false, undefined, 'unused'],
  [7, true, undefined, 'parked'],
  [89, false, 0, 'active'],
  [90, false, 0, 'idle'],
] as const)
  states(
    `${days} days after the registration, ${parked ? 'parked' : used === undefined ? 'without a use' : 'used at once'}: ${expected}`,
    () => {
      const use = used === undefined ? undefined : after(used)
      assert.is(stateOf({ parked }, use, after(days), defaultLifeCycle), expected)
      assert.is(stateOf({ parked, suspended_at: at }, use, after(days), defaultLifeCycle), 'suspended')
    },
  )

states.run()
