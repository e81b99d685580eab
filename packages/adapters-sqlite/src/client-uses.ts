import {
  type ClientUses,
  type Encryption,
  type EpochSeconds,
  type Registration,
  type TokenHash,
  ClientId,
  RegistrationId,
} from '@clientele/domain'
import { fromClientRow, fromUseRows, readRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { createBuryClient } from './bury-client.js'
import type { Connection } from './connection.js'
import { createRecordUse } from './use-client.js'
import { createWriteAudit } from './write-audit.js'

const selectUses = `
SELECT client_id, registration_id, used_at FROM clients WHERE client_id IN (SELECT value FROM json_each(?))`
const selectUnused = 'SELECT * FROM clients WHERE fingerprint = ? AND unused_open = 1'
// The first by ordinal are the oldest: only they are looked at.
const oldest = (unusedOpen: 1 | 2): string => `
SELECT ordinal, client_id, registration_id FROM
  (SELECT ordinal, client_id, registration_id, client_id_issued_at FROM clients
   WHERE unused_open = ${unusedOpen} AND suspended_at IS NULL ORDER BY ordinal LIMIT @max)
WHERE client_id_issued_at <= @registeredUntil`
const park = `UPDATE clients SET unused_open = 2 WHERE ordinal IN (SELECT ordinal FROM (${oldest(1)}))`
const selectParked = `
SELECT ordinal FROM clients
WHERE client_id = @client_id AND registration_id = @registration_id AND unused_open = 2 AND suspended_at IS NULL`
const selectTombstone = 'SELECT 1 FROM tombstones WHERE id = ? AND until > ?'

const Named = t.type({ client_id: ClientId, registration_id: RegistrationId })

const prepare = (db: Database.Database) => ({
  recordUse: createRecordUse(db),
  bury: createBuryClient(db),
  audit: createWriteAudit(db).write,
  uses: db.prepare(selectUses),
  unused: db.prepare<[TokenHash]>(selectUnused),
  park: db.prepare(park),
  parked: db.prepare(oldest(2)),
  isParked: db.prepare<[Registration], number>(selectParked).pluck(),
  tombstone: db.prepare<[TokenHash, EpochSeconds]>(selectTombstone),
})

export const createClientUses = ({ db, read, queue }: Connection, encryption: Encryption): ClientUses => {
  const { recordUse, bury, audit, uses, unused, park: parking, parked, isParked, tombstone } = prepare(db)
  return {
    recordUse: (registration, at) => queue.write(() => E.right(recordUse(registration, at))),
    findUses: (ids) =>
      pipe(
        read(() => uses.all(JSON.stringify(ids))),
        TE.map(fromUseRows(ids)),
      ),
    findUnused: (fingerprint) => readRow(fromClientRow(encryption))(read(() => unused.get(fingerprint))),
    parkUnused: (registeredUntil, max) => queue.write(() => E.right(parking.run({ registeredUntil, max }).changes)),
    listParked: (registeredUntil, max) =>
      pipe(
        read(() => parked.all({ registeredUntil, max })),
        TE.map((rows) =>
          rows.filter(Named.is).map(({ client_id, registration_id }) => ({ client_id, registration_id })),
        ),
      ),
    removeParked: (registration, mark, row) =>
      queue.write(() => {
        const ordinal = isParked.get(registration)
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
