import { secondsAfter } from '@clientele/domain/kernel'
import type { AttemptedNotification } from '@clientele/domain/logout'
import type { StoragePorts } from '@clientele/domain/ports'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { done } from '../contracts/contract.js'
import { exampleTime, noRow } from '../examples/examples.js'
import { type Step, ago, time } from './step.js'

const holders = ['one', 'other']
const attempt = fc.tuple(
  ago,
  fc.constantFrom('delivered' as const, 'later' as const, 'failed' as const),
  fc.nat(9),
  time,
)

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
    .tuple(fc.constantFrom(...holders), fc.array(attempt, { minLength: 1, maxLength: 3 }))
    .map(([holder, attempts]): Step => ({
      name: `${holder} found those that were read so many ago to be: ${attempts.map((each) => each.join(' ')).join(', ')}`,
      run: ({ pendingNotifications }, { notifications }) => {
        const tries = attempts.map(([back, kind, count, due_at]): AttemptedNotification => {
          const id = notifications.at(-back) ?? 'never'
          return kind === 'delivered' ? { id, kind } : { id, kind, attempts: count, due_at, note: 'in vain' }
        })
        return pendingNotifications.recordTries(holder, tries)
      },
    })),
  fc.tuple(time, fc.option(ago, { nil: undefined })).map(([at, back]): Step => ({
    name: `retry ${back === undefined ? 'all' : `that of ${back} ago`} at ${at}`,
    run: ({ pendingNotifications }, { notifications }) =>
      pendingNotifications.retryNotifications(
        back === undefined ? O.none : O.some(notifications.at(-back) ?? 'never'),
        at,
        noRow,
      ),
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
