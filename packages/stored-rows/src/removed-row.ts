// The rows of clients that the service removed by itself, in which both databases agree.
import { EpochSeconds, type RemovedClients } from '@clientele/domain'
import * as t from 'io-ts'
import { fromListedRow, listedColumns } from './listed-row.js'
import { parkedMark } from './waiting-clients.js'

/** The columns that a client and a removed client have in common: the row as it was, which its credentials prove. */
export const keptColumns = `client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, preceding_token_hash, registered_by, privileges, metadata, suspended_at, credentials,
  token_fingerprint, statement_issuer, imported`

/** A removed client as the codec of a client reads it. */
export const removedClientColumns = `ordinal, ${keptColumns}, CAST(NULL AS bigint) AS waits_since`

/** A removed client as a list reads it: parked, and never used. */
export const removedListedColumns = `${listedColumns.replace(
  'used_at, unused_open',
  `CAST(NULL AS bigint) AS used_at, ${parkedMark} AS unused_open`,
)}, removed_at`

const Removed = t.type({ removed_at: EpochSeconds })

/** A page of at most `max` clients, by rows of which one more was asked for. */
export const fromRemovedRows = (rows: ReadonlyArray<unknown>, max: number): RemovedClients => {
  const placed = rows
    .slice(0, max)
    .filter(Removed.is)
    .flatMap((row) => fromListedRow(row).map((found) => ({ ...found, removed_at: row.removed_at })))
  const clients = placed.map(({ client, removed_at }) => ({ client, removed_at }))
  const last = placed.at(-1)
  return rows.length > max && last !== undefined ? { clients, next: last.position } : { clients }
}
