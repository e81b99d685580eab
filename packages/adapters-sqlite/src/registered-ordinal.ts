import type { Registration } from '@clientele/domain'
import type Database from 'better-sqlite3'

const selectOrdinal = 'SELECT ordinal FROM clients WHERE client_id = ? AND registration_id = ?'

/**
 * The ordinal of the client while its registration exists, for the transaction that records something for it; undefined
 * afterwards, also if its client_id is registered again.
 */
export type RegisteredOrdinal = (registration: Registration) => unknown

export const createRegisteredOrdinal = (db: Database.Database): RegisteredOrdinal => {
  const select = db.prepare(selectOrdinal).pluck()
  return ({ client_id, registration_id }) => select.get(client_id, registration_id)
}
