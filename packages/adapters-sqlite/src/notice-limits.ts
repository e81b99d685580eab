import type { NoticeLimits } from '@clientele/domain'
import type Database from 'better-sqlite3'

const countOfClient = 'SELECT count(*) FROM logout_notices WHERE client = ?'
const countOfAll = 'SELECT count(*) FROM logout_notices'
const deleteFirst = (of: string): string =>
  `DELETE FROM logout_notices WHERE ordinal IN (SELECT ordinal FROM logout_notices WHERE ${of} ORDER BY ordinal LIMIT ?)`

/** Within the transaction that writes notices to the clients: those that were written first give way. Tells how many. */
export const createNoticeLimits = (
  db: Database.Database,
): ((clients: ReadonlyArray<unknown>, limits: NoticeLimits) => number) => {
  const ofClient = db.prepare<[unknown], number>(countOfClient).pluck()
  const ofAll = db.prepare<[], number>(countOfAll).pluck()
  const deleteOfClient = db.prepare(deleteFirst('client = ?'))
  const deleteOfAll = db.prepare(deleteFirst('ordinal > 0'))
  return (clients, { maxPerClient, maxInAll }) => {
    if (clients.length === 0) return 0
    const perClient = [...new Set(clients)].map((client) => {
      const beyond = (ofClient.get(client) ?? 0) - maxPerClient
      return beyond > 0 ? deleteOfClient.run(client, beyond).changes : 0
    })
    const beyond = (ofAll.get() ?? 0) - maxInAll
    const inAll = beyond > 0 ? deleteOfAll.run(beyond).changes : 0
    return perClient.reduce((sum, count) => sum + count, inAll)
  }
}
