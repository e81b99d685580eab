import type { PendingNotification } from '@clientele/domain'
import { fromNotificationRow } from '@clientele/stored-rows'
import * as O from 'fp-ts/lib/Option.js'

/** The columns of a notification, by the name `notices`. */
export const selectNotifications = `
SELECT id, client_id, registration_id, uri, alg, sub, sid, created_at, attempts, due_at, failed, note
FROM logout_notices AS notices JOIN clients ON clients.ordinal = notices.client`

/** Unreadable rows do not count towards the maximum. */
export const readNotifications = (rows: () => Iterable<unknown>, max: number): ReadonlyArray<PendingNotification> => {
  const entries: Array<PendingNotification> = []
  if (max <= 0) return entries
  for (const row of rows()) {
    const entry = fromNotificationRow(row)
    if (O.isSome(entry) && entries.push(entry.value) >= max) break
  }
  return entries
}
