// The uses of clients, and what follows from their absence: unused ones are parked, then removed, and may come back.
import type { AuditRow } from '@clientele/domain/audit'
import { TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import {
  type ClientIdTaken,
  type UnknownClient,
  EpochSeconds,
  clientIdTaken,
  unknownClient,
} from '@clientele/domain/kernel'
import { type DueRemoval, useTime } from '@clientele/domain/life-cycle'
import type { ClientUses, Encryption, RecordedSecretUse, SecretUses } from '@clientele/domain/ports'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Traces, removeRow } from './change-clients.js'
import {
  clients,
  fromRemovedRows,
  fromUseRow,
  keptColumns,
  removedListedColumns,
  dueTypes,
  isDue,
  isToAnnounce,
  isUnapprovedDue,
  isUsedBefore,
  mayBeParked,
  mayBeRemoved,
  noticeColumn,
  observeDay,
  parkedMark,
  setUsed,
  waitsSinceColumn,
} from './client-row.js'
import { anyRow, change, exists, insertion, select, statement, together } from './statement.js'
import { readRow } from './table.js'
import { type Engine, type Made, type Tx, clientOf, readOn, selectOrdinal, verb } from './verb.js'

const registration = { client_id: 'text', registration_id: 'text' } as const
const use = together(
  change(
    `UPDATE clients SET ${setUsed} WHERE client_id = :client_id AND registration_id = :registration_id AND ${isUsedBefore}`,
    { ...registration, day: 'number' },
  ),
)
const selectUse = together(
  statement(
    'SELECT client_id, registration_id, used_at, unused_open FROM clients WHERE client_id = :client_id',
    { client_id: 'text' },
    anyRow,
  ),
)
const selectUnused = together(clients.select('fingerprint = :fingerprint AND unused_open = 1', { fingerprint: 'text' }))
const selectDays = select({ day: EpochSeconds }, 'observed_days WHERE day <= :until ORDER BY day DESC LIMIT :max', {
  until: 'number',
  max: 'number',
})

const longestFirst = `ORDER BY ${waitsSinceColumn}, ordinal`
const isUnused = `${mayBeParked} AND ${waitsSinceColumn} <= :waitsSince`
const isNoticedShort = `${mayBeRemoved} AND ${noticeColumn} > :notice`
// The conditions again, because PostgreSQL looks at a row that another transaction has changed meanwhile once more.
const park = change(
  `
UPDATE clients SET unused_open = ${parkedMark}, parked_at = :at, notice = :notice
WHERE ordinal IN (
  SELECT ordinal FROM (SELECT ordinal FROM clients WHERE ${isUnused} ${longestFirst} LIMIT :max) AS unused
  UNION ALL
  SELECT ordinal FROM (SELECT ordinal FROM clients WHERE ${isNoticedShort} LIMIT :max) AS noticed)
AND (${isUnused} OR ${isNoticedShort})`,
  { waitsSince: 'number', at: 'number', notice: 'number', max: 'number' },
)
const announce = change(
  `
UPDATE clients SET parked_at = :at, notice = :notice
WHERE ordinal IN (SELECT ordinal FROM clients WHERE ${isToAnnounce} ${longestFirst} LIMIT :max) AND ${isToAnnounce}`,
  { waitsSince: 'number', at: 'number', notice: 'number', max: 'number' },
)
const placed = { ordinal: t.number }
const dueBy = (condition: string) => ({
  list: select(
    { client_id: ClientId, registration_id: RegistrationId },
    `clients WHERE ${condition} ${longestFirst} LIMIT :max`,
    { ...dueTypes, max: 'number' },
  ),
  count: statement(
    `SELECT count(*) AS due FROM (SELECT 1 FROM clients WHERE ${condition} LIMIT :max) AS counted`,
    { ...dueTypes, max: 'number' },
    t.type({ due: t.number }),
  ),
  find: select(placed, `clients WHERE client_id = :client_id AND registration_id = :registration_id AND ${condition}`, {
    ...registration,
    ...dueTypes,
  }),
})
const unusedDue = dueBy(isDue)
const unapprovedDue = dueBy(isUnapprovedDue)
const statementsOf = ({ unapproved }: DueRemoval) => (unapproved === true ? unapprovedDue : unusedDue)
const listRemoved = statement(
  `
SELECT ${removedListedColumns} FROM removed_clients
WHERE removed_at > :since AND ordinal > :after ORDER BY ordinal LIMIT :max`,
  { since: 'number', after: 'number', max: 'number' },
  anyRow,
)
const forgetRemoved = change(
  `
DELETE FROM removed_clients WHERE ordinal IN
  (SELECT ordinal FROM removed_clients WHERE removed_at <= :until ORDER BY removed_at, ordinal LIMIT :max)`,
  { until: 'number', max: 'number' },
)
const findTombstone = exists('tombstones WHERE id = :id AND until > :at', { id: 'text', at: 'number' })

// One of the same client_id that was removed before gives way.
const forgetEarlier = change('DELETE FROM removed_clients WHERE client_id = :client_id', { client_id: 'text' })
const keepAside = change(
  `
INSERT INTO removed_clients (${keptColumns}, removed_at)
SELECT ${keptColumns}, :removed_at FROM clients WHERE ordinal = :ordinal`,
  { ordinal: 'number', removed_at: 'number' },
)

/** Whether the removal was still due. The client is kept aside from a time of removal on. */
const removeParked = (
  registration: Registration,
  due: DueRemoval,
  removedAt: EpochSeconds | undefined,
  traces: Traces,
): Made<never, boolean> =>
  verb({ changes: [clientOf(registration)] }, async (tx) => {
    const found = await tx.get(statementsOf(due).find, { ...registration, ...due })
    if (found === undefined) return E.right(false)
    if (removedAt !== undefined) {
      await tx.run(forgetEarlier, registration)
      await tx.run(keepAside, { ordinal: found.ordinal, removed_at: removedAt })
    }
    await removeRow(tx, { ...found, ...registration }, traces)
    return E.right(true)
  })

const forgetTombstone = change('DELETE FROM tombstones WHERE id = :id', { id: 'text' })
const findRemoved = select(placed, 'removed_clients WHERE client_id = :client_id AND removed_at > :since', {
  client_id: 'text',
  since: 'number',
})
const insertRemoved = change(
  `
INSERT INTO clients (${keptColumns}, waits_since, unused_open)
SELECT ${keptColumns}, :at, CASE WHEN registered_by = 'nobody' THEN 1 ELSE 0 END FROM removed_clients WHERE ordinal = :ordinal
ON CONFLICT DO NOTHING`,
  { ordinal: 'number', at: 'number' },
)

type Restoration = Parameters<ClientUses['restoreRemoved']>[1]

const restoreRemoved = (
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

export const createClientUses = (engine: Engine, encryption: Encryption): ClientUses => ({
  recordUse: (used, at) =>
    engine.write(
      verb({ relies: [clientOf(used)] }, async (tx) => {
        if ((await tx.run(use, { ...used, day: useTime(at) })) > 0) await observeDay(tx, at)
        return E.right(undefined)
      }),
    ),
  observeDay: (at) => engine.write(verb({}, async (tx) => E.right(await observeDay(tx, at)))),
  observedDays: (until, max) =>
    readOn(engine, async ({ all }) => (await all(selectDays, { until, max })).map(({ day }) => day)),
  findUses: (ids) =>
    readOn(engine, async ({ get }) => {
      const rows = await Promise.all([...new Set(ids)].map((client_id) => get(selectUse, { client_id })))
      return rows.flatMap(fromUseRow)
    }),
  findUnused: (fingerprint) => readRow(clients.reading(encryption))(engine.get(selectUnused, { fingerprint })),
  parkUnused: (due, max) =>
    engine.write(
      verb({ changes: ['parked clients'] }, async (tx) =>
        E.right(await tx.run(due.unapproved === true ? announce : park, { ...due, max })),
      ),
    ),
  listParked: (due, max) => engine.all(statementsOf(due).list, { ...due, max }),
  countParked: (due, max) =>
    readOn(engine, async ({ get }) => (await get(statementsOf(due).count, { ...due, max }))?.due ?? 0),
  removeParked: (removed, due, tombstone, removedAt, audit) =>
    engine.write(removeParked(removed, due, removedAt, { tombstone, audit })),
  listRemoved: (since, { after, max }) =>
    readOn(engine, async ({ all }) => fromRemovedRows(await all(listRemoved, { since, after, max: max + 1 }), max)),
  restoreRemoved: (client_id, restoring, audit) => engine.write(restoreRemoved(client_id, restoring, audit)),
  forgetRemoved: (until, max) =>
    engine.write(
      verb({ changes: ['removed clients'] }, async (tx) => E.right(await tx.run(forgetRemoved, { until, max }))),
    ),
  isRemembered: (id, at) => readOn(engine, async ({ get }) => (await get(findTombstone, { id, at })) !== undefined),
})

// Which client_secret a client used when.

/** Of one registration; more than count at a time, so that none of these is forgotten. */
const maxSecretUses = 4
const storeSecretUse = insertion(
  'client_secret_uses',
  { client: 'number', secret: 'text', used_at: 'number' },
  ['client', 'secret'],
  `ON CONFLICT (client, secret) DO UPDATE SET used_at = excluded.used_at
  WHERE client_secret_uses.used_at < excluded.used_at`,
)
const forgetSecretUses = change(
  `
DELETE FROM client_secret_uses WHERE client = :client AND secret NOT IN (
  SELECT secret FROM client_secret_uses WHERE client = :client ORDER BY used_at DESC, secret LIMIT ${maxSecretUses})`,
  { client: 'number' },
)
const selectSecretUses = select(
  { secret: TokenHash, used_at: EpochSeconds },
  `client_secret_uses WHERE client =
  (SELECT ordinal FROM clients WHERE client_id = :client_id AND registration_id = :registration_id)`,
  registration,
)

const useSecret = async (tx: Tx, { client, secret, at }: RecordedSecretUse): Promise<void> => {
  const ordinal = (await tx.get(selectOrdinal, client))?.ordinal
  if (ordinal === undefined) return
  await tx.run(storeSecretUse, { client: ordinal, secret, used_at: useTime(at) })
  await tx.run(forgetSecretUses, { client: ordinal })
}

export const createSecretUses = (engine: Engine): SecretUses => ({
  recordSecretUses: (uses) =>
    engine.write(
      verb({ changes: ['uses of secrets'], relies: uses.map(({ client }) => clientOf(client)) }, async (tx) => {
        // On PostgreSQL, the last one counts of those of one secret.
        await Promise.all([...uses].sort((one, other) => one.at - other.at).map((use) => useSecret(tx, use)))
        return E.right(undefined)
      }),
    ),
  findSecretUses: (client) =>
    readOn(
      engine,
      async ({ all }) => new Map((await all(selectSecretUses, client)).map(({ secret, used_at }) => [secret, used_at])),
    ),
})
