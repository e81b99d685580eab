import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type {
  ClientId,
  EpochSeconds,
  LogoutNotification,
  PendingNotifications,
  NotificationLimits,
  PendingNotification,
  AttemptedNotification,
} from '@clientele/domain'
import { claimDue, nextDue } from './notification-claims.js'
import { type State, forget, emptyState } from './state.js'
import { writeAudit } from './audit-log.js'
import { step } from './step.js'

type Notifications = State['notifications']

const entries = (notifications: Notifications): Array<PendingNotification> =>
  [...notifications.values()].map(({ entry }) => entry)

const unclaimed = (notifications: Notifications, entry: PendingNotification): void =>
  void notifications.set(entry.id, { entry, claim: undefined })

export const addNotification = (notifications: Notifications, notification: LogoutNotification): void =>
  unclaimed(notifications, { ...notification, attempts: 0, due_at: notification.created_at, failed: false, note: '' })

/** Removes the oldest notifications above the limits, for each of the clients and for all; returns their number. */
export const giveWay = (
  notifications: Notifications,
  clients: ReadonlyArray<ClientId>,
  { maxPerClient, maxInAll }: NotificationLimits,
): number => {
  const before = notifications.size
  const deleteAllButLast = (some: ReadonlyArray<PendingNotification>, max: number): void =>
    some.slice(0, Math.max(0, some.length - max)).forEach(({ id }) => notifications.delete(id))
  for (const client of new Set(clients))
    deleteAllButLast(
      entries(notifications).filter(({ client_id }) => client_id === client),
      maxPerClient,
    )
  deleteAllButLast(entries(notifications), maxInAll)
  return before - notifications.size
}

const record =
  (notifications: Notifications, holder: string) =>
  (tried: AttemptedNotification): void => {
    const stored = notifications.get(tried.id)
    if (stored?.claim?.holder !== holder) return
    if (tried.kind === 'delivered') return void notifications.delete(tried.id)
    const { attempts, due_at, note } = tried
    unclaimed(notifications, { ...stored.entry, attempts, due_at, note, failed: tried.kind === 'failed' })
  }

const retry = (notifications: Notifications, id: O.Option<string>, at: EpochSeconds): number => {
  const retried = entries(notifications).filter((entry) => entry.failed && (O.isNone(id) || id.value === entry.id))
  for (const entry of retried) unclaimed(notifications, { ...entry, attempts: 0, due_at: at, failed: false, note: '' })
  return retried.length
}

const forgetBefore = (notifications: Notifications, before: EpochSeconds): number => {
  const count = notifications.size
  forget(notifications, ({ entry }) => entry.created_at < before)
  return count - notifications.size
}

/** The port, with access to its notifications for tests. */
export type InMemoryPendingNotifications = PendingNotifications & {
  readonly add: (notification: LogoutNotification) => void
  readonly has: (id: string) => boolean
}

export const inMemoryPendingNotifications = (state: State = emptyState()): InMemoryPendingNotifications => {
  const { notifications } = state
  return {
    add: (notification) => addNotification(notifications, notification),
    has: (id) => notifications.has(id),
    claimDue: (at, claim, max) => step(() => E.right(claimDue(notifications, at, claim, max))),
    nextDue: (at, holder) => step(() => E.right(nextDue(notifications, at, holder))),
    recordTries: (holder, tries) => step(() => E.right(tries.forEach(record(notifications, holder)))),
    listNotifications: (max) =>
      step(() => {
        const oldestFirst = entries(notifications).sort((one, other) => one.created_at - other.created_at)
        return E.right(oldestFirst.slice(0, Math.max(0, max)))
      }),
    retryNotifications: (id, at, audit) =>
      step(() => {
        const retried = retry(notifications, id, at)
        if (retried > 0) writeAudit(state, audit)
        return E.right(retried)
      }),
    purgeNotifications: (before) => step(() => E.right(forgetBefore(notifications, before))),
  }
}
