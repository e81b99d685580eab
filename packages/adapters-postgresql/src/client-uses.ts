import {
  type ClientUses,
  type Encryption,
  type EpochSeconds,
  type Registration,
  ClientId,
  RegistrationId,
  useTime,
} from '@clientele/domain'
import { fromClientRow, fromUseRows, readRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { clientColumns } from './client-columns.js'
import { countedWrite, receipted } from './counted-write.js'
import type { Database, Write } from './database.js'
import { removalOfParked } from './remove-client.js'

// Writes only at the first use, and at the first of a UTC day.
const updateUsed = {
  name: 'use_client',
  text: `
UPDATE clients SET unused_open = 0, used_at = greatest(used_at, $3)
WHERE client_id = $1 AND registration_id = $2 AND (unused_open > 0 OR used_at IS NULL OR used_at < $3)`,
}
const selectUses = {
  name: 'select_uses',
  text: 'SELECT client_id, registration_id, used_at FROM clients WHERE client_id = ANY ($1::text[])',
}
const selectUnused = {
  name: 'select_unused_client',
  text: `SELECT ${clientColumns} FROM clients WHERE fingerprint = $1 AND unused_open = 1`,
}
// The first by ordinal are the oldest: only they are looked at. One that another instance is parking is left to it. As an
// array they are selected once: a nested loop would run the subquery again for each row, and skip those of before.
const park = receipted(
  'park_clients',
  `
UPDATE clients SET unused_open = 2 WHERE ordinal = ANY (ARRAY
  (SELECT ordinal FROM
     (SELECT ordinal, client_id_issued_at FROM clients
      WHERE unused_open = 1 AND suspended_at IS NULL ORDER BY ordinal LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED) AS oldest
   WHERE client_id_issued_at <= $2))`,
)
const selectParked = {
  name: 'select_parked_clients',
  text: `
SELECT client_id, registration_id FROM
  (SELECT ordinal, client_id, registration_id, client_id_issued_at FROM clients
   WHERE unused_open = 2 AND suspended_at IS NULL ORDER BY ordinal LIMIT $2) AS oldest
WHERE client_id_issued_at <= $1 ORDER BY ordinal`,
}
const selectTombstone = { name: 'select_tombstone', text: 'SELECT 1 FROM tombstones WHERE id = $1 AND until > $2' }

const Named = t.type({ client_id: ClientId, registration_id: RegistrationId })

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
  parkUnused: (registeredUntil, max) => db.writeOnce(countedWrite(park, [registeredUntil, max])),
  listParked: (registeredUntil, max) =>
    pipe(
      db.run(selectParked, [registeredUntil, max]),
      TE.map((rows) => rows.filter(Named.is).map(({ client_id, registration_id }) => ({ client_id, registration_id }))),
    ),
  removeParked: (registration, tombstone, audit) =>
    pipe(
      db.transaction(removalOfParked(registration, tombstone, audit)),
      TE.map(() => true),
      TE.orElse((failure) => (failure.error === 'unknown_client' ? TE.right(false) : TE.left(failure))),
    ),
  isRemembered: (id, at) =>
    pipe(
      db.first(selectTombstone, [id, at]),
      TE.map((row) => row !== undefined),
    ),
})
