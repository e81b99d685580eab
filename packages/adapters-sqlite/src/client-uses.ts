import {
  type ClientUses,
  type DueRemoval,
  type Encryption,
  type EpochSeconds,
  type Registration,
  type TokenHash,
  ClientId,
  RegistrationId,
  clientIdTaken,
  unknownClient,
} from '@clientele/domain'
import {
  fromClientRow,
  fromRemovedRows,
  fromUseRows,
  keptColumns,
  mayBeParked,
  mayBeRemoved,
  noticeColumn,
  parkedMark,
  readRow,
  removedListedColumns,
  waitsSinceColumn,
} from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { createBuryClient } from './bury-client.js'
import type { Connection } from './connection.js'
import { selectRows } from './select-rows.js'
import { createObserveDay, createRecordUse } from './use-client.js'
import { createWriteAudit } from './write-audit.js'

const selectUses = `
SELECT client_id, registration_id, used_at, unused_open FROM clients WHERE client_id IN (SELECT value FROM json_each(?))`
const selectUnused = 'SELECT * FROM clients WHERE fingerprint = ? AND unused_open = 1'
const selectDays = 'SELECT day FROM observed_days WHERE day <= ? ORDER BY day DESC LIMIT ?'
const longestFirst = `ORDER BY ${waitsSinceColumn}, ordinal`
const park = `
UPDATE clients SET unused_open = ${parkedMark}, parked_at = @at, notice = @notice WHERE ordinal IN (
  SELECT ordinal FROM (SELECT ordinal FROM clients
    WHERE ${mayBeParked} AND ${waitsSinceColumn} <= @waitsSince ${longestFirst} LIMIT @max)
  UNION ALL
  SELECT ordinal FROM (SELECT ordinal FROM clients WHERE ${mayBeRemoved} AND ${noticeColumn} > @notice LIMIT @max))`
const isDue = `${mayBeRemoved} AND ${waitsSinceColumn} <= @waitsSince AND parked_at <= @parkedUntil AND notice <= @notice`
const selectDue = `SELECT client_id, registration_id FROM clients WHERE ${isDue} ${longestFirst} LIMIT @max`
const countDue = `SELECT count(*) FROM (SELECT 1 FROM clients WHERE ${isDue} LIMIT @max)`
const selectIfDue = `
SELECT ordinal FROM clients WHERE client_id = @client_id AND registration_id = @registration_id AND ${isDue}`
const keepAside = `
INSERT OR REPLACE INTO removed_clients (${keptColumns}, removed_at)
SELECT ${keptColumns}, @removedAt FROM clients WHERE ordinal = @ordinal`
const selectRemoved = `
SELECT ${removedListedColumns} FROM removed_clients WHERE removed_at > ? AND ordinal > ? ORDER BY ordinal LIMIT ?`
const selectRestorable = 'SELECT ordinal FROM removed_clients WHERE client_id = ? AND removed_at > ?'
const restore = `
INSERT INTO clients (${keptColumns}, waits_since, unused_open)
SELECT ${keptColumns}, @at, 1 FROM removed_clients WHERE ordinal = @ordinal
ON CONFLICT DO NOTHING`
const forgetRestored = 'DELETE FROM removed_clients WHERE ordinal = ?'
const forgetRemoved = `
DELETE FROM removed_clients WHERE ordinal IN
  (SELECT ordinal FROM removed_clients WHERE removed_at <= ? ORDER BY removed_at, ordinal LIMIT ?)`
const forgetTombstone = 'DELETE FROM tombstones WHERE id = ?'
const selectTombstone = 'SELECT 1 FROM tombstones WHERE id = ? AND until > ?'

const Named = t.type({ client_id: ClientId, registration_id: RegistrationId })

const prepare = (db: Database.Database) => ({
  recordUse: createRecordUse(db),
  bury: createBuryClient(db),
  audit: createWriteAudit(db).write,
  uses: db.prepare(selectUses),
  unused: db.prepare<[TokenHash]>(selectUnused),
  observe: createObserveDay(db),
  days: db.prepare<[number, number], EpochSeconds>(selectDays).pluck(),
  park: db.prepare(park),
  due: db.prepare<[DueRemoval & { readonly max: number }]>(selectDue),
  countDue: db.prepare<[DueRemoval & { readonly max: number }], number>(countDue).pluck(),
  ifDue: db.prepare<[Registration & DueRemoval], number>(selectIfDue).pluck(),
  keep: db.prepare(keepAside),
  tombstone: db.prepare<[TokenHash, EpochSeconds]>(selectTombstone),
})

type Removed = Pick<ClientUses, 'listRemoved' | 'restoreRemoved' | 'forgetRemoved'>

const createRemoved = ({ db, read, queue }: Connection): Removed => {
  const page = selectRows(db, selectRemoved)
  const restorable = db.prepare<[ClientId, EpochSeconds], number>(selectRestorable).pluck()
  const insert = db.prepare(restore)
  const forgetRow = db.prepare(forgetRestored)
  const forgetMark = db.prepare<[TokenHash]>(forgetTombstone)
  const forgetOver = db.prepare<[EpochSeconds, number]>(forgetRemoved)
  const audit = createWriteAudit(db)
  return {
    listRemoved: (since, { after, max }) =>
      pipe(
        read(() => page.all(since, after, max + 1)),
        TE.map((rows) => fromRemovedRows(rows, max)),
      ),
    restoreRemoved: (id, { since, at, tombstone }, row) =>
      queue.write(() => {
        const ordinal = restorable.get(id, since)
        if (ordinal === undefined) return E.left(unknownClient)
        if (insert.run({ ordinal, at }).changes === 0) return E.left(clientIdTaken)
        forgetRow.run(ordinal)
        if (tombstone !== undefined) forgetMark.run(tombstone)
        audit.write(row)
        return E.right(undefined)
      }),
    forgetRemoved: (until, max) => queue.write(() => E.right(forgetOver.run(until, max).changes)),
  }
}

export const createClientUses = (connection: Connection, encryption: Encryption): ClientUses => {
  const { db, read, queue } = connection
  const {
    recordUse,
    bury,
    audit,
    uses,
    unused,
    observe,
    days,
    park: parking,
    due: dueOf,
    countDue: dueCount,
    ifDue,
    keep,
    tombstone,
  } = prepare(db)
  return {
    recordUse: (registration, at) => queue.write(() => E.right(recordUse(registration, at))),
    findUses: (ids) =>
      pipe(
        read(() => uses.all(JSON.stringify(ids))),
        TE.map(fromUseRows(ids)),
      ),
    findUnused: (fingerprint) => readRow(fromClientRow(encryption))(read(() => unused.get(fingerprint))),
    observeDay: (at) => queue.write(() => E.right(observe(at))),
    observedDays: (until, max) => read(() => days.all(until, max)),
    parkUnused: (due, max) => queue.write(() => E.right(parking.run({ ...due, max }).changes)),
    listParked: (due, max) =>
      pipe(
        read(() => dueOf.all({ ...due, max })),
        TE.map((rows) => rows.filter(Named.is)),
      ),
    countParked: (due, max) => read(() => dueCount.get({ ...due, max }) ?? 0),
    removeParked: (registration, due, mark, removedAt, row) =>
      queue.write(() => {
        const ordinal = ifDue.get({ ...registration, ...due })
        if (ordinal === undefined) return E.right(false)
        if (removedAt !== undefined) keep.run({ ordinal, removedAt })
        bury({ ordinal, ...registration }, mark)
        audit(row)
        return E.right(true)
      }),
    ...createRemoved(connection),
    isRemembered: (id, at) =>
      pipe(
        read(() => tombstone.get(id, at)),
        TE.map((row) => row !== undefined),
      ),
  }
}
