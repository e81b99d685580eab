// The registrations that were requested with a key: each is committed with its client. They are added in the gate alone,
// so that none is added beside another one with its key.
import { type ClientRegistry, type TokenHash, maxForgotten } from '@clientele/domain'
import { fromKeyedRegistrationRow, readRow } from '@clientele/stored-rows'
import * as t from 'io-ts'
import type { Database, Query } from './database.js'
import { forgetRows } from './forget-rows.js'
import type { Addition } from './insert-clients.js'

const selectByKey = {
  name: 'select_keyed_registration',
  text: `
SELECT key, client_id, registration_id, request, expires_at
FROM keyed_registrations JOIN clients ON clients.ordinal = client WHERE key = $1`,
}
const selectInForce = {
  name: 'select_keys_in_force',
  text: `
SELECT key FROM keyed_registrations JOIN unnest($1::text[], $2::bigint[]) AS asked (key, at) USING (key)
WHERE expires_at > at`,
}
const insert = {
  name: 'insert_keyed_registrations',
  text: `
INSERT INTO keyed_registrations (key, client, request, expires_at)
SELECT key, ordinal, request, expires_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS asked (key, registration_id, request, expires_at)
JOIN clients USING (registration_id) WHERE clients.client_id = ANY ($5::text[])
ON CONFLICT (key) DO UPDATE SET client = excluded.client, request = excluded.request, expires_at = excluded.expires_at`,
}
const forgetExpired = {
  name: 'forget_keyed_registrations',
  text: forgetRows('keyed_registrations', 'expires_at <= $1 ORDER BY expires_at', maxForgotten.keyedRegistrations),
}

const Key = t.type({ key: t.string })

const keyedIn = (additions: ReadonlyArray<Addition>) =>
  additions.flatMap(({ row, keyed }) => (keyed === undefined ? [] : [{ ...keyed, at: row.client_id_issued_at }]))

/** The keys of these additions under which another registration is stored and in force. */
export const findKeysInForce = async (
  query: Query,
  additions: ReadonlyArray<Addition>,
): Promise<ReadonlySet<string>> => {
  const keyed = keyedIn(additions)
  if (keyed.length === 0) return new Set<TokenHash>()
  const rows = await query(selectInForce, [keyed.map(({ key }) => key), keyed.map(({ at }) => at)])
  return new Set(rows.filter(Key.is).map(({ key }) => key))
}

/** After the clients were inserted; an expired registration gives way. */
export const insertKeyed = async (query: Query, additions: ReadonlyArray<Addition>): Promise<void> => {
  const keyed = keyedIn(additions)
  if (keyed.length === 0) return
  await query(insert, [
    keyed.map(({ key }) => key),
    keyed.map(({ registration_id }) => registration_id),
    keyed.map(({ request }) => request),
    keyed.map(({ expires_at }) => expires_at),
    keyed.map(({ client_id }) => client_id),
  ])
  await query(forgetExpired, [Math.max(...keyed.map(({ at }) => at))])
}

export const createFindKeyed = (db: Database): Pick<ClientRegistry, 'findKeyedRegistration'> => ({
  findKeyedRegistration: (key) => readRow(fromKeyedRegistrationRow)(db.first(selectByKey, [key])),
})
