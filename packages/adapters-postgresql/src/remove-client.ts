// The removal of a client, with the event for providers and the tombstone in the same transaction.
import {
  type AuditRow,
  type ClientChanged,
  type ClientId,
  type ClientIdTaken,
  type ClientSuspended,
  type ClientUses,
  type DueRemoval,
  type EpochSeconds,
  type RegisteredClient,
  type Registration,
  type Tombstone,
  type UnknownClient,
  clientChanged,
  clientIdTaken,
  clientSuspended,
  minStoredTombstones,
  unknownClient,
} from '@clientele/domain'
import { keptColumns, mayBeRemoved, waitsSinceColumn } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Query, Rows, Write } from './database.js'
import { recordEvent } from './provider-events.js'
import { isWritten, writeAudit } from './write-audit.js'

const deleteClient = {
  name: 'delete_client',
  text: `
DELETE FROM clients WHERE client_id = $1
  AND ($2::text IS NULL OR (registration_access_token_hash = $2 AND suspended_at IS NULL))
  AND ($3::text IS NULL OR (registration_id = $3 AND version = $4))
  AND ($5::text IS NULL OR preceding_token_hash = $5)
RETURNING registration_id`,
}
// The client that was not removed, if the token is its own.
const selectRemaining = {
  name: 'select_remaining_client',
  text: `
SELECT suspended_at FROM clients WHERE client_id = $1 AND ($2::text IS NULL OR registration_access_token_hash = $2)`,
}
/** A parked client whose removal is due, by the values from this one on. */
export const isDueBy = (first: number): string =>
  `${mayBeRemoved} AND ${waitsSinceColumn} <= $${first} AND parked_at <= $${first + 1} AND notice <= $${first + 2}`
export const dueValues = ({ waitsSince, parkedUntil, notice }: DueRemoval): ReadonlyArray<number> => [
  waitsSince,
  parkedUntil,
  notice,
]
// One that was used through an instance of the previous release is not parked any more, although it is marked so.
const deleteParked = {
  name: 'delete_due_client',
  text: `
WITH removed AS (
  DELETE FROM clients WHERE client_id = $1 AND registration_id = $2 AND ${isDueBy(3)}
    AND NOT EXISTS (SELECT 1 FROM session_clients WHERE client = clients.ordinal)
    AND NOT EXISTS (SELECT 1 FROM authorizations WHERE client = clients.ordinal)
    AND NOT EXISTS (SELECT 1 FROM consents WHERE client = clients.ordinal)
  RETURNING ${keptColumns}
), kept AS (
  INSERT INTO removed_clients (${keptColumns}, removed_at)
  SELECT ${keptColumns}, $6::bigint FROM removed WHERE $6::bigint IS NOT NULL
)
SELECT registration_id FROM removed`,
}
// One of the same client_id that was removed before gives way.
const forgetEarlier = { name: 'forget_earlier_removal', text: 'DELETE FROM removed_clients WHERE client_id = $1' }
const selectRemoved = {
  name: 'select_removed_registration',
  text: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM clients WHERE client_id = $1 AND registration_id = $2)',
}
const upsertTombstone = {
  name: 'bury_client',
  text: `
INSERT INTO tombstones (id, until) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET until = excluded.until
RETURNING ordinal`,
}
const forgetTombstones = { name: 'forget_tombstones', text: 'DELETE FROM tombstones WHERE ordinal <= $1' }

/** The number of tombstones that are removed in one step. */
const forgottenTogether = 1000

const Removed = t.type({ registration_id: t.string })
const Remaining = t.type({ suspended_at: t.union([t.number, t.null]) })
const Buried = t.type({ ordinal: t.number })

const bury = async (query: Query, { id, until }: Tombstone): Promise<void> => {
  const [buried] = await query(upsertTombstone, [id, until])
  if (Buried.is(buried) && buried.ordinal % forgottenTogether === 0)
    await query(forgetTombstones, [buried.ordinal - minStoredTombstones])
}

type Delete = (query: Query) => Promise<Rows>

/** What a removal leaves. */
type Traces = { readonly tombstone: Tombstone | undefined; readonly audit: AuditRow | undefined }

const removalBy = <Refusal>(
  client_id: string,
  { tombstone, audit }: Traces,
  run: Delete,
  refusal: (query: Query) => Promise<Refusal>,
): Write<Refusal, void> => {
  const removed = { registration_id: '' }
  return {
    run: async (query) => {
      const [row] = await run(query)
      if (!Removed.is(row)) return E.left(await refusal(query))
      removed.registration_id = row.registration_id
      await recordEvent(query, { event: 'client_deleted', client_id, registration_id: row.registration_id })
      if (tombstone !== undefined) await bury(query, tombstone)
      await writeAudit(query, [audit])
      return E.right(undefined)
    },
    isDone: (query) => isWritten(audit, selectRemoved, [client_id, removed.registration_id])(query),
  }
}

export const removal = (
  client_id: string,
  token: string | null,
  traces: Traces,
  read: RegisteredClient | undefined,
): Write<UnknownClient | ClientSuspended | ClientChanged, void> =>
  removalBy(
    client_id,
    traces,
    (query) =>
      query(deleteClient, [
        client_id,
        token,
        read?.registration_id ?? null,
        read?.version ?? null,
        read?.preceding_token?.hash ?? null,
      ]),
    async (query) => {
      const [remaining] = await query(selectRemaining, [client_id, token])
      if (!Remaining.is(remaining)) return unknownClient
      if (token !== null && remaining.suspended_at !== null) return clientSuspended
      // Without a version, it was registered or resumed after the removal found none.
      return read === undefined ? unknownClient : clientChanged
    },
  )

export const removalOfParked = (
  { client_id, registration_id }: Registration,
  due: DueRemoval,
  removedAt: EpochSeconds | undefined,
  traces: Traces,
): Write<UnknownClient, void> =>
  removalBy(
    client_id,
    traces,
    async (query) => {
      await query(forgetEarlier, [client_id])
      return query(deleteParked, [client_id, registration_id, ...dueValues(due), removedAt ?? null])
    },
    () => Promise.resolve(unknownClient),
  )

const selectRestorable = {
  name: 'select_restorable_client',
  text: 'SELECT registration_id FROM removed_clients WHERE client_id = $1 AND removed_at > $2 FOR UPDATE',
}
const restore = {
  name: 'restore_client',
  text: `
INSERT INTO clients (${keptColumns}, waits_since, unused_open)
SELECT ${keptColumns}, $2::bigint, 1 FROM removed_clients WHERE client_id = $1
ON CONFLICT (client_id) DO NOTHING RETURNING registration_id`,
}
const selectRestored = {
  name: 'select_restored_client',
  text: 'SELECT 1 FROM clients WHERE client_id = $1 AND registration_id = $2',
}
const forgetTombstone = { name: 'forget_tombstone', text: 'DELETE FROM tombstones WHERE id = $1' }

type Restoring = Parameters<ClientUses['restoreRemoved']>[1]

export const restoration = (
  client_id: ClientId,
  { since, at, tombstone }: Restoring,
  audit: AuditRow | undefined,
): Write<UnknownClient | ClientIdTaken, void> => {
  const restored = { registration_id: '' }
  return {
    run: async (query) => {
      const [kept] = await query(selectRestorable, [client_id, since])
      if (!Removed.is(kept)) return E.left(unknownClient)
      const [inserted] = await query(restore, [client_id, at])
      if (!Removed.is(inserted)) return E.left(clientIdTaken)
      restored.registration_id = inserted.registration_id
      await query(forgetEarlier, [client_id])
      if (tombstone !== undefined) await query(forgetTombstone, [tombstone])
      await writeAudit(query, [audit])
      return E.right(undefined)
    },
    isDone: (query) => isWritten(audit, selectRestored, [client_id, restored.registration_id])(query),
  }
}
