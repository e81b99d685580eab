import type { NotificationLimits } from '@clientele/domain'
import type { Query, Statement } from './database.js'

// Removes the oldest above the maximum. Those that another transaction removes or claims at this moment are skipped, so that
// ends of sessions do not wait for each other; the next end removes them.
const removeOldest = (name: string, oldest: string): Statement => ({
  name,
  text: `
DELETE FROM notifications WHERE ordinal IN
  (SELECT ordinal FROM notifications WHERE ordinal IN (SELECT ordinal FROM notifications ${oldest})
   FOR UPDATE SKIP LOCKED) RETURNING 1`,
})
const keepOfClient = removeOldest('keep_notifications_of_client', 'WHERE client = $1 ORDER BY ordinal DESC OFFSET $2')
const keepOfAll = removeOldest('keep_notifications', 'ORDER BY ordinal DESC OFFSET $1')

/** Removes the oldest notifications above the limits, and returns their number. */
export const giveWay = async (
  query: Query,
  clients: ReadonlyArray<number>,
  { maxPerClient, maxInAll }: NotificationLimits,
): Promise<number> => {
  let gaveWay = 0
  for (const client of new Set(clients)) gaveWay += (await query(keepOfClient, [client, maxPerClient])).length
  if (clients.length > 0) gaveWay += (await query(keepOfAll, [maxInAll])).length
  return gaveWay
}
