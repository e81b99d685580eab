// RFC 7592 §2.3: the removal of a client, by its own request, by the operator, or because it was not used; and its return.
// Everything that is recorded for it refers to its row, and is removed with it: the clients of sessions, authorizations,
// artefacts, consents, notifications, initial access tokens that it owns, and registrations by a key.
import type { AuditRow } from '@clientele/domain/audit'
import type { TokenHash } from '@clientele/domain/authorization'
import type { ClientId } from '@clientele/domain/client'
import {
  type ClientIdTaken,
  type EpochSeconds,
  type UnknownClient,
  clientIdTaken,
  unknownClient,
} from '@clientele/domain/kernel'
import type { DueRemoval } from '@clientele/domain/life-cycle'
import {
  type ClientChanged,
  type ClientSuspended,
  type ClientUses,
  type Tombstone,
  clientChanged,
  clientSuspended,
  minStoredTombstones,
} from '@clientele/domain/ports'
import type { RegisteredClient, Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { keptColumns } from './client-row.js'
import { recordEvent } from './provider-events.js'
import { change, returning, statement } from './statement.js'
import { orNull } from './table.js'
import { type Made, type Tx, clientOf, verb } from './verb.js'
import { dueTypes, isDue } from './waiting-clients.js'

/** The columns that are read of the removed client; other columns may be unreadable. */
const Found = t.type({
  ordinal: t.number,
  registration_id: t.string,
  version: t.number,
  suspended_at: orNull(t.number),
  registration_access_token_hash: t.string,
  preceding_token_hash: orNull(t.string),
})
const find = statement(
  `
SELECT ordinal, registration_id, version, suspended_at, registration_access_token_hash, preceding_token_hash
FROM clients WHERE client_id = :client_id`,
  { client_id: 'text' },
  Found,
)
const remove = change('DELETE FROM clients WHERE ordinal = :ordinal', { ordinal: 'number' })

/** The number of tombstones that are removed in one step. */
const forgottenTogether = 1000
const bury = returning(
  'tombstones',
  { id: 'text', until: 'number' },
  { key: ['id'], onConflict: 'ON CONFLICT (id) DO UPDATE SET until = excluded.until' },
  ['ordinal'],
  t.type({ ordinal: t.number }),
)
const forgetTombstones = change('DELETE FROM tombstones WHERE ordinal <= :ordinal', { ordinal: 'number' })
const forgetTombstone = change('DELETE FROM tombstones WHERE id = :id', { id: 'text' })

type Traces = { readonly tombstone: Tombstone | undefined; readonly audit: AuditRow | undefined }

const removeRow = async (
  tx: Tx,
  { ordinal, client_id, registration_id }: { ordinal: number; client_id: string; registration_id: string },
  { tombstone, audit }: Traces,
): Promise<void> => {
  await tx.run(remove, { ordinal })
  await recordEvent(tx, { event: 'client_deleted', client_id, registration_id })
  if (tombstone !== undefined) {
    const buried = await tx.get(bury, tombstone)
    if (buried !== undefined && buried.ordinal % forgottenTogether === 0)
      await tx.run(forgetTombstones, { ordinal: buried.ordinal - minStoredTombstones })
  }
  await tx.note(audit)
}

const isRead = (found: t.TypeOf<typeof Found>, read: RegisteredClient): boolean =>
  found.registration_id === read.registration_id &&
  found.version === read.version &&
  (read.preceding_token === undefined || found.preceding_token_hash === read.preceding_token.hash)

/** `token`: the client removes itself, by its newest token, while it is not suspended. */
export const removeClient = (
  client_id: ClientId,
  token: TokenHash | undefined,
  traces: Traces,
  read: RegisteredClient | undefined,
): Made<UnknownClient | ClientSuspended | ClientChanged, void> =>
  verb({ changes: [clientOf({ client_id })] }, async (tx) => {
    const found = await tx.get(find, { client_id })
    if (found === undefined) return E.left(unknownClient)
    if (token !== undefined && found.registration_access_token_hash !== token) return E.left(unknownClient)
    if (token !== undefined && found.suspended_at !== null) return E.left(clientSuspended)
    if (read !== undefined && !isRead(found, read)) return E.left(clientChanged)
    await removeRow(tx, { ...found, client_id }, traces)
    return E.right(undefined)
  })

const Placed = t.type({ ordinal: t.number })
const findDue = statement(
  `SELECT ordinal FROM clients WHERE client_id = :client_id AND registration_id = :registration_id AND ${isDue}`,
  { client_id: 'text', registration_id: 'text', ...dueTypes },
  Placed,
)
// One of the same client_id that was removed before gives way.
const forgetEarlier = change('DELETE FROM removed_clients WHERE client_id = :client_id', { client_id: 'text' })
const keepAside = change(
  `
INSERT INTO removed_clients (${keptColumns}, removed_at)
SELECT ${keptColumns}, :removed_at FROM clients WHERE ordinal = :ordinal`,
  { ordinal: 'number', removed_at: 'number' },
)

/** Whether the removal was still due. The client is kept aside from a time of removal on. */
export const removeParked = (
  registration: Registration,
  due: DueRemoval,
  removedAt: EpochSeconds | undefined,
  traces: Traces,
): Made<never, boolean> =>
  verb({ changes: [clientOf(registration)] }, async (tx) => {
    const found = await tx.get(findDue, { ...registration, ...due })
    if (found === undefined) return E.right(false)
    if (removedAt !== undefined) {
      await tx.run(forgetEarlier, registration)
      await tx.run(keepAside, { ordinal: found.ordinal, removed_at: removedAt })
    }
    await removeRow(tx, { ...found, ...registration }, traces)
    return E.right(true)
  })

const findRemoved = statement(
  'SELECT ordinal FROM removed_clients WHERE client_id = :client_id AND removed_at > :since',
  { client_id: 'text', since: 'number' },
  Placed,
)
const insertRemoved = change(
  `
INSERT INTO clients (${keptColumns}, waits_since, unused_open)
SELECT ${keptColumns}, :at, 1 FROM removed_clients WHERE ordinal = :ordinal
ON CONFLICT DO NOTHING`,
  { ordinal: 'number', at: 'number' },
)

type Restoration = Parameters<ClientUses['restoreRemoved']>[1]

export const restoreRemoved = (
  client_id: ClientId,
  { since, at, tombstone }: Restoration,
  audit: AuditRow | undefined,
): Made<UnknownClient | ClientIdTaken, void> =>
  verb({ changes: [clientOf({ client_id })] }, async (tx) => {
    const removed = await tx.get(findRemoved, { client_id, since })
    if (removed === undefined) return E.left(unknownClient)
    if ((await tx.run(insertRemoved, { ordinal: removed.ordinal, at })) === 0) return E.left(clientIdTaken)
    await tx.run(forgetEarlier, { client_id })
    if (tombstone !== undefined) await tx.run(forgetTombstone, { id: tombstone })
    await tx.note(audit)
    return E.right(undefined)
  })
