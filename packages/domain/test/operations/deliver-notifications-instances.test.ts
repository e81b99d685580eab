// Several instances that deliver notifications of one store: each notification is sent once while they run, and at
// least once if they crash.
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runParameters } from '@clientele/testing'
import { defaultDelivery } from '../../src/logout/notifications.js'
import {
  deliverAll,
  type Delivered,
  type Fate,
  type InstancePlan,
  type OwedNotification,
} from '../support/instances.js'

const Deliver = suite('deliverNotifications, by several instances')

// The maximum time of an attempt: a place, a lookup and a response, each within five seconds.
const maxTry = 15
// The tolerated clock difference, by the lengths of a pass, an attempt and a claim, less a second for rounding.
const maxApart = defaultDelivery.claimLength - defaultDelivery.passLength - maxTry - 2

const owed: fc.Arbitrary<ReadonlyArray<OwedNotification>> = fc.array(
  fc.record({
    receiver: fc.nat(4),
    created: fc.oneof(fc.constant(0), fc.nat(100)),
    failures: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
    takes: fc.oneof(fc.constant(0.01), fc.integer({ min: 0, max: maxTry })),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

const instance = (...fates: ReadonlyArray<Fate>): fc.Arbitrary<InstancePlan> =>
  fc.record({
    ahead: fc.double({ min: 0, max: maxApart, noNaN: true }),
    begins: fc.double({ min: 0, max: 10, noNaN: true }),
    looks: fc.integer({ min: 1, max: 5 }),
    fate: fc.constantFrom(...fates),
    ends: fc.double({ min: 0, max: 60, noNaN: true }),
  })

const policy = fc.record({
  maxInPass: fc.oneof(fc.constant(defaultDelivery.maxInPass), fc.integer({ min: 1, max: 10 })),
  concurrency: fc.oneof(fc.constant(defaultDelivery.concurrency), fc.integer({ min: 1, max: 3 })),
})

const assertSent = (notifications: ReadonlyArray<OwedNotification>, { posts, unrecorded }: Delivered): void => {
  const sentInVain = new Set([...unrecorded.values()].flatMap((ids) => [...ids]))
  for (const [index, { failures }] of notifications.entries()) {
    const count = posts.get(`${index}`) ?? 0
    const asOften = failures + 1
    assert.ok(count >= asOften, `${index} was posted ${count} times, of which ${failures} failed`)
    // A notification whose result a crashed instance did not record is sent once more.
    assert.ok(count <= asOften + (sentInVain.has(`${index}`) ? 1 : 0), `${index} was posted ${count} times`)
  }
}

Deliver(
  'while both live, or stop in order, each is sent until it is taken once, and a receiver gets one at a time',
  () =>
    fc.assert(
      fc.asyncProperty(owed, instance('lives'), instance('lives', 'stops'), policy, async (all, one, other, how) => {
        const delivered = await deliverAll(all, [one, other], how)
        assert.ok([...delivered.unrecorded.values()].every(({ size }) => size === 0))
        assertSent(all, delivered)
        assert.ok(delivered.maxAtOneReceiver <= 1)
      }),
      runParameters(),
    ),
)

Deliver(
  'when one dies in the middle, the other sends the rest, and again only what the dead one had not recorded',
  () =>
    fc.assert(
      fc.asyncProperty(owed, instance('lives'), instance('dies'), policy, async (all, one, other, how) => {
        const delivered = await deliverAll(all, [one, other], how)
        assertSent(all, delivered)
        assert.ok(delivered.maxAtOneReceiver <= 1)
      }),
      runParameters(),
    ),
)

Deliver.run()
