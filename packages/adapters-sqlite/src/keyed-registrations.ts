// The registrations that were requested with a key: each is written with its client.
import {
  type ClientRegistry,
  type KeyedRegistration,
  type RefusedAddition,
  maxForgotten,
  requestedBefore,
} from '@clientele/domain'
import { type NewClientRow, fromKeyedRegistrationRow, readRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { ReadTogether } from './read-together.js'

const selectByKey = `
SELECT key, client_id, registration_id, request, expires_at
FROM keyed_registrations JOIN clients ON clients.ordinal = client WHERE key = ?`
const selectInForce = 'SELECT 1 FROM keyed_registrations WHERE key = ? AND expires_at > ?'
const insert = `
INSERT OR REPLACE INTO keyed_registrations (key, client, request, expires_at)
SELECT @key, ordinal, @request, @expires_at FROM clients
WHERE client_id = @client_id AND registration_id = @registration_id`
const forgetExpired = `
DELETE FROM keyed_registrations WHERE key IN
  (SELECT key FROM keyed_registrations WHERE expires_at <= ? ORDER BY expires_at
   LIMIT ${maxForgotten.keyedRegistrations})`

type Added = E.Either<RefusedAddition, void>

/** One step in a transaction: adds the client with its keyed registration, unless another one is stored under the key. */
export const createAddKeyed = (
  db: Database.Database,
): ((keyed: KeyedRegistration | undefined, row: NewClientRow, add: () => Added) => Added) => {
  const inForce = db.prepare(selectInForce)
  const write = db.prepare(insert)
  const forget = db.prepare(forgetExpired)
  return (keyed, { client_id_issued_at: at }, add) => {
    if (keyed === undefined) return add()
    if (inForce.get(keyed.key, at) !== undefined) return E.left(requestedBefore)
    const added = add()
    if (E.isLeft(added)) return added
    write.run(keyed)
    forget.run(at)
    return added
  }
}

export const createFindKeyed = (
  db: Database.Database,
  read: ReadTogether,
): Pick<ClientRegistry, 'findKeyedRegistration'> => {
  const byKey = db.prepare(selectByKey)
  return { findKeyedRegistration: (key) => readRow(fromKeyedRegistrationRow)(read(() => byKey.get(key))) }
}
