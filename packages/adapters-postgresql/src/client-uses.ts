import {
  type ClientUses,
  type Encryption,
  type Registration,
  ClientId,
  EpochSeconds,
  RegistrationId,
  useTime,
} from '@clientele/domain'
import {
  fromClientRow,
  fromRemovedRows,
  fromUseRows,
  mayBeParked,
  mayBeRemoved,
  noticeColumn,
  parkedMark,
  readRow,
  removedListedColumns,
  waitsSinceColumn,
} from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { clientColumns } from './client-columns.js'
import { countedWrite, receipted } from './counted-write.js'
import type { Database, Write } from './database.js'
import { observeDayIf } from './registered-clients.js'
import { dueValues, isDueBy, removalOfParked, restoration } from './remove-client.js'

// Writes only at the first use, and at the first of a UTC day.
const updateUsed = {
  name: 'use_client',
  text: `
WITH used AS (
  UPDATE clients SET unused_open = 0, used_at = greatest(used_at, $3)
  WHERE client_id = $1 AND registration_id = $2 AND (unused_open > 0 OR used_at IS NULL OR used_at < $3)
  RETURNING 1
)${observeDayIf('EXISTS (SELECT 1 FROM used)', '$3')}`,
}
const observe = { name: 'observe_day', text: `WITH any_client AS (SELECT 1)${observeDayIf('true', '$1')}` }
const selectDays = {
  name: 'select_observed_days',
  text: 'SELECT day FROM observed_days WHERE day <= $1 ORDER BY day DESC LIMIT $2',
}
const selectUses = {
  name: 'select_uses',
  text: 'SELECT client_id, registration_id, used_at, unused_open FROM clients WHERE client_id = ANY ($1::text[])',
}
const selectUnused = {
  name: 'select_unused_client',
  text: `SELECT ${clientColumns} FROM clients WHERE fingerprint = $1 AND unused_open = 1`,
}
const longestFirst = `ORDER BY ${waitsSinceColumn}, ordinal`
// One that another instance is parking is left to it. As an array they are selected once: a nested loop would run the
// subquery again for each row, and skip those of before.
const park = receipted(
  'park_clients',
  `
UPDATE clients SET unused_open = ${parkedMark}, parked_at = $3, notice = $4 WHERE ordinal = ANY (
  ARRAY (SELECT ordinal FROM clients WHERE ${mayBeParked} AND ${waitsSinceColumn} <= $2 ${longestFirst} LIMIT $5
    FOR NO KEY UPDATE SKIP LOCKED) ||
  ARRAY (SELECT ordinal FROM clients WHERE ${mayBeRemoved} AND ${noticeColumn} > $4 LIMIT $5
    FOR NO KEY UPDATE SKIP LOCKED))`,
)
const selectDue = {
  name: 'select_due_clients',
  text: `SELECT client_id, registration_id FROM clients WHERE ${isDueBy(1)} ${longestFirst} LIMIT $4`,
}
const countDue = {
  name: 'count_due_clients',
  text: `SELECT count(*) AS due FROM (SELECT 1 FROM clients WHERE ${isDueBy(1)} LIMIT $4) AS counted`,
}
const selectRemoved = {
  name: 'select_removed_clients',
  text: `
SELECT ${removedListedColumns} FROM removed_clients WHERE removed_at > $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3`,
}
const forgetRemoved = receipted(
  'forget_removed_clients',
  `
DELETE FROM removed_clients WHERE ordinal = ANY (ARRAY
  (SELECT ordinal FROM removed_clients WHERE removed_at <= $2 ORDER BY removed_at, ordinal LIMIT $3 FOR UPDATE))`,
)
const selectTombstone = { name: 'select_tombstone', text: 'SELECT 1 FROM tombstones WHERE id = $1 AND until > $2' }

const Named = t.type({ client_id: ClientId, registration_id: RegistrationId })
const Counted = t.type({ due: t.number })
const Observed = t.type({ day: EpochSeconds })

const use = ({ client_id, registration_id }: Registration, at: EpochSeconds): Write<never, void> => ({
  run: async (query) => {
    await query(updateUsed, [client_id, registration_id, useTime(at)])
    return E.right(undefined)
  },
})

export const createClientUses = (db: Database, encryption: Encryption): ClientUses => ({
  recordUse: (registration, at) => db.writeOnce(use(registration, at)),
  findUses: (ids) => pipe(db.run(selectUses, [[...new Set(ids)]]), TE.map(fromUseRows(ids))),
  findUnused: (fingerprint) => readRow(fromClientRow(encryption))(db.first(selectUnused, [fingerprint])),
  observeDay: (at) =>
    db.writeOnce({
      run: async (query) => {
        await query(observe, [useTime(at)])
        return E.right(undefined)
      },
    }),
  observedDays: (until, max) =>
    pipe(
      db.run(selectDays, [until, max]),
      TE.map((rows) => rows.filter(Observed.is).map(({ day }) => day)),
    ),
  parkUnused: ({ waitsSince, at, notice }, max) => db.writeOnce(countedWrite(park, [waitsSince, at, notice, max])),
  listParked: (due, max) =>
    pipe(
      db.run(selectDue, [...dueValues(due), max]),
      TE.map((rows) => rows.filter(Named.is)),
    ),
  countParked: (due, max) =>
    pipe(
      db.first(countDue, [...dueValues(due), max]),
      TE.map((row) => (Counted.is(row) ? row.due : 0)),
    ),
  listRemoved: (since, { after, max }) =>
    pipe(
      db.run(selectRemoved, [since, after, max + 1]),
      TE.map((rows) => fromRemovedRows(rows, max)),
    ),
  restoreRemoved: (id, restoring, audit) => db.transaction(restoration(id, restoring, audit)),
  forgetRemoved: (until, max) => db.writeOnce(countedWrite(forgetRemoved, [until, max])),
  removeParked: (registration, due, tombstone, removedAt, audit) =>
    pipe(
      db.transaction(removalOfParked(registration, due, removedAt, { tombstone, audit })),
      TE.map(() => true),
      TE.orElse((failure) => (failure.error === 'unknown_client' ? TE.right(false) : TE.left(failure))),
    ),
  isRemembered: (id, at) =>
    pipe(
      db.first(selectTombstone, [id, at]),
      TE.map((row) => row !== undefined),
    ),
})
