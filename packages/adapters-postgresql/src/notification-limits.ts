import type { NotificationLimits } from '@clientele/domain'
import type { Query } from './database.js'

// Removes the oldest beyond the maximum.
const exceedingOfClient = {
  name: 'remove_exceeding_of_client',
  text: `
DELETE FROM notifications WHERE ordinal IN
  (SELECT ordinal FROM notifications WHERE client = $1 ORDER BY ordinal DESC OFFSET $2) RETURNING 1`,
}
const exceedingOfAll = {
  name: 'remove_exceeding',
  text: `
DELETE FROM notifications WHERE ordinal IN (SELECT ordinal FROM notifications ORDER BY ordinal DESC OFFSET $1) RETURNING 1`,
}

/** Removes the oldest notifications above the limits, and returns their number. */
export const giveWay = async (
  query: Query,
  clients: ReadonlyArray<number>,
  { maxPerClient, maxInAll }: NotificationLimits,
): Promise<number> => {
  let gaveWay = 0
  for (const client of new Set(clients)) gaveWay += (await query(exceedingOfClient, [client, maxPerClient])).length
  if (clients.length > 0) gaveWay += (await query(exceedingOfAll, [maxInAll])).length
  return gaveWay
}
