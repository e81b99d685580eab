// The claims of instances on notifications, and their ends.
import * as O from 'fp-ts/lib/Option.js'
import { receiverOf, type EpochSeconds, type NotificationClaim, type PendingNotification } from '@clientele/domain'
import type { State, StoredNotification } from './state.js'

type Notifications = State['notifications']

type Claimed = { readonly receiver: string; readonly until: EpochSeconds }

const claimedByOthers = (notifications: Notifications, at: EpochSeconds, holder: string): ReadonlyArray<Claimed> =>
  [...notifications.values()].flatMap(({ entry, claim }) =>
    claim !== undefined && claim.holder !== holder && claim.until > at
      ? [{ receiver: receiverOf(entry), until: claim.until }]
      : [],
  )

/** Notifications that have not failed and whose receiver no other holder has claimed, the longest due first. */
const free = (notifications: Notifications, claimed: ReadonlyArray<Claimed>): ReadonlyArray<PendingNotification> => {
  const claimedReceivers = new Set(claimed.map(({ receiver }) => receiver))
  return [...notifications.values()]
    .map(({ entry }: StoredNotification) => entry)
    .filter((entry) => !entry.failed && !claimedReceivers.has(receiverOf(entry)))
    .sort((one, other) => one.due_at - other.due_at)
}

export const claimDue = (
  notifications: Notifications,
  at: EpochSeconds,
  claim: NotificationClaim,
  max: number,
): ReadonlyArray<PendingNotification> => {
  const due = free(notifications, claimedByOthers(notifications, at, claim.holder)).filter(({ due_at }) => due_at <= at)
  const claimed = due.slice(0, Math.max(0, max))
  for (const entry of claimed) notifications.set(entry.id, { entry, claim })
  return claimed
}

export const nextDue = (notifications: Notifications, at: EpochSeconds, holder: string): O.Option<EpochSeconds> => {
  const claimed = claimedByOthers(notifications, at, holder)
  const times = [...free(notifications, claimed).map(({ due_at }) => due_at), ...claimed.map(({ until }) => until)]
  return O.fromNullable(times.sort((one, other) => one - other)[0])
}
