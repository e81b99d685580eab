import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../src/kernel/time.js'
import type { DeliveryResult } from '../../src/logout/notifications.js'
import { deliverNotifications } from '../../src/operations/notifications.js'
import { done, runParameters } from '@clientele/testing'
import { type LogoutWorld, anyResult, deliverySettings, logoutWorld, owe, unanswered } from '../support/logout-world.js'

const Deliver = suite('deliverNotifications, whatever happens')

const unsent: DeliveryResult = { kind: 'unsent', reason: 'no place within 5000 ms' }

// The responses of a receiver in turn; at some times the service cannot reach it.
const script = fc
  .tuple(fc.array(fc.oneof(anyResult(), fc.constant(unsent)), { maxLength: 5 }), anyResult())
  .map(([some, last]) => [...some, last])

const receivers = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), script), { minLength: 1, maxLength: 5 })

const next = ({ pendingNotifications, clock }: LogoutWorld) =>
  done(pendingNotifications.nextDue(clock.at, deliverySettings().instance))

Deliver('every notice ends delivered or failed, after as many tries at its receiver as the policy allows', () =>
  fc.assert(
    fc.asyncProperty(
      receivers,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (plan, most, concurrency) => {
        const scripts = new Map(plan.map(([, answers], index) => [`rp${index}.example`, answers]))
        const answeredBy: Map<string, number> = new Map()
        const reached: Array<string> = []
        const world: LogoutWorld = logoutWorld(async ({ host, id }, nth) => {
          if (nth % 3 === 0) await Promise.resolve()
          const answers = scripts.get(host) ?? []
          const index = answeredBy.get(host) ?? 0
          answeredBy.set(host, index + 1)
          const result = answers[index % answers.length] ?? unanswered
          if (result.kind !== 'unsent') reached.push(id)
          return result
        })
        for (const [index, [count]] of plan.entries())
          for (let nth = 0; nth < count; nth += 1) owe(world, `rp${index}-${nth}`, `rp${index}`)
        const owed = plan.reduce((sum, [count]) => sum + count, 0)
        const settings = deliverySettings({ maxTries: most, concurrency, maxInPass: 3 })
        for (let due = await next(world); O.isSome(due); due = await next(world)) {
          world.clock.at = secondsAfter(world.clock.at, Math.max(0, due.value - world.clock.at))
          await done(deliverNotifications(settings, world.ports))
          assert.ok(reached.length <= owed * most, 'more tries than there can be')
        }
        const failed = await done(world.pendingNotifications.listNotifications(1_000))
        assert.ok(failed.every((entry) => entry.failed))
        const tries = (id: string): number => reached.filter((each) => each === id).length
        for (const { id, attempts } of failed) assert.ok(attempts <= most && tries(id) === attempts, id)
        const delivered = world.reported.filter(([, { kind }]) => kind === 'delivered')
        assert.is(delivered.length + failed.length, owed)
        assert.is(new Set(world.sent.map(({ token }) => token.claims['jti'])).size, world.sent.length)
        assert.ok(world.most.atOne <= 1 && world.most.inAll <= concurrency)
      },
    ),
    runParameters(),
  ),
)

Deliver.run()
