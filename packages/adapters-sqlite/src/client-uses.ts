import {
  type ClientUses,
  type DueRemoval,
  type Encryption,
  type EpochSeconds,
  type Registration,
  type TokenHash,
  ClientId,
  RegistrationId,
} from '@clientele/domain'
import {
  fromClientRow,
  fromUseRows,
  mayBeParked,
  mayBeRemoved,
  noticeColumn,
  parkedMark,
  readRow,
  waitsSinceColumn,
} from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { createBuryClient } from './bury-client.js'
import type { Connection } from './connection.js'
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
const selectIfDue = `
SELECT ordinal FROM clients WHERE client_id = @client_id AND registration_id = @registration_id AND ${isDue}`
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
  ifDue: db.prepare<[Registration & DueRemoval], number>(selectIfDue).pluck(),
  tombstone: db.prepare<[TokenHash, EpochSeconds]>(selectTombstone),
})

export const createClientUses = ({ db, read, queue }: Connection, encryption: Encryption): ClientUses => {
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
    ifDue,
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
    removeParked: (registration, due, mark, row) =>
      queue.write(() => {
        const ordinal = ifDue.get({ ...registration, ...due })
        if (ordinal === undefined) return E.right(false)
        bury({ ordinal, ...registration }, mark)
        audit(row)
        return E.right(true)
      }),
    isRemembered: (id, at) =>
      pipe(
        read(() => tombstone.get(id, at)),
        TE.map((row) => row !== undefined),
      ),
  }
}
