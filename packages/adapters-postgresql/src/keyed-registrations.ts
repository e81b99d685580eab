// The registrations that were requested with a key: each is committed with its client.
import {
  type ClientRegistry,
  type KeyedRegistration,
  type RefusedAddition,
  type RegistryLimits,
  clientIdTaken,
  maxForgotten,
  registryFull,
  requestedBefore,
} from '@clientele/domain'
import { fromKeyedRegistrationRow, readRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { addBelow } from './add-below-limits.js'
import type { Database, Query, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { type Addition, findAll, isTaken } from './insert-clients.js'

const selectByKey = {
  name: 'select_keyed_registration',
  text: `
SELECT key, client_id, registration_id, request, expires_at
FROM keyed_registrations JOIN clients ON clients.ordinal = client WHERE key = $1`,
}
const selectInForce = {
  name: 'select_key_in_force',
  text: 'SELECT 1 FROM keyed_registrations WHERE key = $1 AND expires_at > $2',
}
// Waits for a transaction with the same key, and then writes only in place of an expired row.
const insert = {
  name: 'insert_keyed_registration',
  text: `
INSERT INTO keyed_registrations (key, client, request, expires_at)
SELECT $1, ordinal, $4, $5 FROM clients WHERE client_id = $2 AND registration_id = $3
ON CONFLICT (key) DO UPDATE SET client = excluded.client, request = excluded.request, expires_at = excluded.expires_at
WHERE keyed_registrations.expires_at <= $6
RETURNING 1`,
}
const forgetExpired = {
  name: 'forget_keyed_registrations',
  text: forgetRows('keyed_registrations', 'expires_at <= $1 ORDER BY expires_at', maxForgotten.keyedRegistrations),
}

const isInForce = async (query: Query, { key }: KeyedRegistration, at: number): Promise<boolean> =>
  (await query(selectInForce, [key, at])).length > 0

/** Adds one client in a transaction of its own, which passes the gate also where there are no limits. */
export const addKeyed = (
  limits: RegistryLimits,
  addition: Addition,
  keyed: KeyedRegistration,
): Write<RefusedAddition, void> => {
  const add = addBelow(limits, [addition])
  const at = addition.row.client_id_issued_at
  return {
    run: async (query) => {
      if (await isInForce(query, keyed, at)) return E.left(requestedBefore)
      const outcomes = await add.run(query)
      const [added] = E.isRight(outcomes) ? outcomes.right : [E.left(clientIdTaken)]
      if (added === undefined || E.isLeft(added)) return added ?? E.left(registryFull)
      const { key, client_id, registration_id, request, expires_at } = keyed
      const rows = await query(insert, [key, client_id, registration_id, request, expires_at, at])
      if (rows.length === 0) return E.left(requestedBefore)
      await query(forgetExpired, [at])
      return added
    },
    isDone: async (query) => ((await findAll(query, [addition])).size === 0 ? O.none : O.some(undefined)),
    refusalOf: (error) => (isTaken(error) ? clientIdTaken : undefined),
  }
}

export const createFindKeyed = (db: Database): Pick<ClientRegistry, 'findKeyedRegistration'> => ({
  findKeyedRegistration: (key) => readRow(fromKeyedRegistrationRow)(db.first(selectByKey, [key])),
})
