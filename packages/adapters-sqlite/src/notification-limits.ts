import type { NotificationLimits } from '@clientele/domain'
import type Database from 'better-sqlite3'

const countOfClient = 'SELECT count(*) FROM logout_notices WHERE client = ?'
const countOfAll = 'SELECT count(*) FROM logout_notices'
const deleteFirst = (of: string): string =>
  `DELETE FROM logout_notices WHERE ordinal IN (SELECT ordinal FROM logout_notices WHERE ${of} ORDER BY ordinal LIMIT ?)`

/**
 * Runs in the transaction that writes notifications to the clients: removes the oldest above the limits, and returns
 * their number.
 */
export const createNotificationLimits = (
  db: Database.Database,
): ((clients: ReadonlyArray<unknown>, limits: NotificationLimits) => number) => {
  const ofClient = db.prepare<[unknown], number>(countOfClient).pluck()
  const ofAll = db.prepare<[], number>(countOfAll).pluck()
  const deleteOfClient = db.prepare(deleteFirst('client = ?'))
  const deleteOfAll = db.prepare(deleteFirst('ordinal > 0'))
  return (clients, { maxPerClient, maxInAll }) => {
    if (clients.length === 0) return 0
    const perClient = [...new Set(clients)].map((client) => {
      const excess = (ofClient.get(client) ?? 0) - maxPerClient
      return excess > 0 ? deleteOfClient.run(client, excess).changes : 0
    })
    const excess = (ofAll.get() ?? 0) - maxInAll
    const inAll = excess > 0 ? deleteOfAll.run(excess).changes : 0
    return perClient.reduce((sum, count) => sum + count, inAll)
  }
}
