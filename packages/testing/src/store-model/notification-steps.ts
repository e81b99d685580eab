import { type StoragePorts, secondsAfter } from '@clientele/domain'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { done } from '../contracts/open-store.js'
import { exampleTime } from '../examples/examples.js'
import { type Step, ago, time } from './step.js'

const holders = ['one', 'other']

/** The claims of two instances on notifications, and what becomes of them. */
export const notificationStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...holders), time, fc.nat(500), fc.integer({ min: 1, max: 4 }))
      .map(([holder, at, length, max]): Step => ({
        name: `${holder} claims ${max} that are due at ${at}, for ${length} seconds`,
        run: ({ pendingNotifications }) =>
          pendingNotifications.claimDue(at, { holder, until: secondsAfter(at, length) }, max),
      })),
  },
  fc
    .tuple(fc.constantFrom(...holders), ago, fc.constantFrom('delivered', 'later', 'failed'), fc.nat(9), time)
    .map(([holder, back, kind, attempts, due_at]): Step => ({
      name: `${holder} found the notification that was read ${back} ago to be ${kind}, and due at ${due_at}`,
      run: ({ pendingNotifications }, { notifications }) => {
        const id = notifications.at(-back) ?? 'never'
        const tried =
          kind === 'delivered' ? ({ id, kind } as const) : ({ id, kind, attempts, due_at, note: 'in vain' } as const)
        return pendingNotifications.recordTries(holder, [tried])
      },
    })),
  time.map((at): Step => ({
    name: `retry at ${at}`,
    run: ({ pendingNotifications }) => pendingNotifications.retryNotifications(O.none, at),
  })),
  time.map((at): Step => ({
    name: `remove notifications from before ${at}`,
    run: ({ pendingNotifications }) => pendingNotifications.purgeNotifications(at),
  })),
)

export const lookAtNotifications = async ({ pendingNotifications }: StoragePorts): Promise<unknown> => ({
  stored: await done(pendingNotifications.listNotifications(100)),
  next: await Promise.all(
    holders.map((holder) => done(pendingNotifications.nextDue(secondsAfter(exampleTime, 500), holder))),
  ),
})
