import {
  EpochSeconds,
  type Encryption,
  type KeyRingChange,
  type KeyRingChanged,
  type KeyRings,
  type Unavailable,
  keyRingChanged,
  unavailable,
} from '@clientele/domain'
import { type KeyRingRow, KeyRingVersions, fromKeyRingRow, toKeyRingRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Query, Write } from './database.js'

const selectRings = {
  name: 'select_rings',
  text: 'SELECT alg, use, version, sealed FROM key_rings ORDER BY use DESC, alg',
}
const selectVersions = { name: 'select_ring_versions', text: 'SELECT alg, use, version FROM key_rings' }
const selectTime = {
  name: 'select_time',
  text: 'SELECT floor(extract(epoch FROM clock_timestamp()))::float8 AS seconds',
}
const insertRing = {
  name: 'insert_ring',
  text: `
INSERT INTO key_rings (alg, use, version, sealed) VALUES ($1, $2, $3, $4) ON CONFLICT (alg, use) DO NOTHING RETURNING 1`,
}
const updateRing = {
  name: 'update_ring',
  text: 'UPDATE key_rings SET version = $3, sealed = $4 WHERE alg = $1 AND use = $2 AND version = $5 RETURNING 1',
}
// A sealed ring has a random nonce, so that only this write made it.
const selectWritten = { name: 'select_written_rings', text: 'SELECT 1 FROM key_rings WHERE sealed = ANY ($1::text[])' }

const StoreTime = t.tuple([t.type({ seconds: EpochSeconds })])

type SealedChange = { readonly row: KeyRingRow; readonly replacing: number | undefined }

const sealedChange =
  (encryption: Encryption) =>
  ({ next, replacing }: KeyRingChange): TE.TaskEither<Unavailable, SealedChange> =>
    pipe(
      toKeyRingRow(encryption)(next),
      TE.map((row) => ({ row, replacing: O.isSome(replacing) ? replacing.value.version : undefined })),
    )

const replace = async (query: Query, { row, replacing }: SealedChange): Promise<boolean> => {
  const { alg, use, version, sealed } = row
  const rows =
    replacing === undefined
      ? await query(insertRing, [alg, use, version, sealed])
      : await query(updateRing, [alg, use, version, sealed, replacing])
  return rows.length === 1
}

const nameOf = ({ row }: SealedChange): string => `${row.use} ${row.alg}`

// In one order, so that two instances do not wait for each other.
const inOrder = (changes: ReadonlyArray<SealedChange>): ReadonlyArray<SealedChange> =>
  [...changes].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))

const replacement = (changes: ReadonlyArray<SealedChange>): Write<KeyRingChanged, void> => ({
  run: async (query) => {
    for (const change of inOrder(changes)) if (!(await replace(query, change))) return E.left(keyRingChanged)
    return E.right(undefined)
  },
  isDone: async (query) => {
    const written = await query(selectWritten, [changes.map(({ row }) => row.sealed)])
    return written.length === changes.length ? O.some(undefined) : O.none
  },
})

export const createKeyRings = (db: Database, encryption: Encryption): KeyRings => ({
  readStoreTime: pipe(
    db.run(selectTime),
    TE.flatMapEither((rows) =>
      pipe(
        StoreTime.decode(rows),
        E.mapLeft(unavailable),
        E.map(([{ seconds }]) => seconds),
      ),
    ),
  ),
  readKeyRingVersions: pipe(
    db.run(selectVersions),
    TE.flatMapEither((rows) => pipe(KeyRingVersions.decode(rows), E.mapLeft(unavailable))),
  ),
  readKeyRings: pipe(db.run(selectRings), TE.flatMap(TE.traverseArray(fromKeyRingRow(encryption)))),
  replaceKeyRings: (changes) =>
    pipe(
      changes,
      TE.traverseArray(sealedChange(encryption)),
      TE.flatMap((sealed) => db.transaction(replacement(sealed))),
    ),
})
