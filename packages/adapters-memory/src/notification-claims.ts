// Which instance has which notifications to itself, and until when.
import * as O from 'fp-ts/lib/Option.js'
import { receiverOf, type EpochSeconds, type NotificationClaim, type OutboxEntry } from '@clientele/domain'
import type { State, StoredNotification } from './state.js'

type Notices = State['notices']

type Claimed = { readonly receiver: string; readonly until: EpochSeconds }

const claimedByOthers = (notices: Notices, at: EpochSeconds, holder: string): ReadonlyArray<Claimed> =>
  [...notices.values()].flatMap(({ entry, claim }) =>
    claim !== undefined && claim.holder !== holder && claim.until > at
      ? [{ receiver: receiverOf(entry), until: claim.until }]
      : [],
  )

/** Those that have not failed and whose receiver no other holder has claimed, the longest due first. */
const free = (notices: Notices, claimed: ReadonlyArray<Claimed>): ReadonlyArray<OutboxEntry> => {
  const barred = new Set(claimed.map(({ receiver }) => receiver))
  return [...notices.values()]
    .map(({ entry }: StoredNotification) => entry)
    .filter((entry) => !entry.failed && !barred.has(receiverOf(entry)))
    .sort((one, other) => one.due_at - other.due_at)
}

export const claimDue = (
  notices: Notices,
  at: EpochSeconds,
  claim: NotificationClaim,
  max: number,
): ReadonlyArray<OutboxEntry> => {
  const due = free(notices, claimedByOthers(notices, at, claim.holder)).filter(({ due_at }) => due_at <= at)
  const claimed = due.slice(0, Math.max(0, max))
  for (const entry of claimed) notices.set(entry.id, { entry, claim })
  return claimed
}

export const nextDue = (notices: Notices, at: EpochSeconds, holder: string): O.Option<EpochSeconds> => {
  const claimed = claimedByOthers(notices, at, holder)
  const times = [...free(notices, claimed).map(({ due_at }) => due_at), ...claimed.map(({ until }) => until)]
  return O.fromNullable(times.sort((one, other) => one - other)[0])
}
