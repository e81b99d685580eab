import {
  type AuditRow,
  EpochSeconds,
  type Encryption,
  type KeyRingChange,
  type KeyRingChanged,
  type KeyRings,
  type Unavailable,
  keyRingChanged,
  maxStoringTime,
  unavailable,
} from '@clientele/domain'
import { type KeyRingRow, KeyRingVersions, fromKeyRingRow, toKeyRingRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Values, Write } from './database.js'
import { auditValuesOf, insertAuditFrom, isWritten } from './write-audit.js'
import { sqlState, uniqueViolation } from './failures.js'

const selectRings = {
  name: 'select_rings',
  text: 'SELECT alg, use, version, sealed FROM key_rings ORDER BY use DESC, alg',
}
const selectVersions = { name: 'select_ring_versions', text: 'SELECT alg, use, version FROM key_rings' }
const seconds = 'floor(extract(epoch FROM clock_timestamp()))::bigint'
const selectTime = {
  name: 'select_time',
  text: `SELECT ${seconds} AS seconds`,
}
// One statement, which commits by itself: a process that is suspended cannot keep the change back after the time was
// compared. The rings are locked in one order, so that two instances do not wait for each other; the time is read when
// they are locked. Two that add the same ring meet in its key.
const replaceRings = {
  name: 'replace_rings',
  text: `
WITH asked AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
    AS asked (alg, use, version, sealed, replacing)
), locked AS (
  SELECT key_rings.alg FROM key_rings JOIN asked USING (alg, use) WHERE key_rings.version = asked.replacing
  ORDER BY use, alg FOR UPDATE OF key_rings
), decided AS MATERIALIZED (
  SELECT count(*) AS rings, ${seconds} AS now FROM locked
), permitted AS MATERIALIZED (
  SELECT 1 FROM decided
  WHERE rings = (SELECT count(replacing) FROM asked) AND now - $6 < ${maxStoringTime}
), replaced AS (
  UPDATE key_rings SET version = asked.version, sealed = asked.sealed FROM asked, permitted
  WHERE key_rings.alg = asked.alg AND key_rings.use = asked.use AND key_rings.version = asked.replacing
), added AS (
  INSERT INTO key_rings (alg, use, version, sealed)
  SELECT alg, use, version, sealed FROM asked, permitted WHERE replacing IS NULL ORDER BY use, alg
), noted AS (${insertAuditFrom('permitted', 7)})
SELECT 1 FROM permitted`,
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

const columnsOf = (changes: ReadonlyArray<SealedChange>): Values => [
  changes.map(({ row }) => row.alg),
  changes.map(({ row }) => row.use),
  changes.map(({ row }) => row.version),
  changes.map(({ row }) => row.sealed),
  changes.map(({ replacing }) => replacing ?? null),
]

const replacement = (
  changes: ReadonlyArray<SealedChange>,
  decidedAt: EpochSeconds,
  audit: AuditRow | undefined,
): Write<KeyRingChanged, void> => ({
  run: async (query) => {
    const permitted = await query(replaceRings, [...columnsOf(changes), decidedAt, ...auditValuesOf(audit)])
    return permitted.length === 1 ? E.right(undefined) : E.left(keyRingChanged)
  },
  refusalOf: (error) => (sqlState(error) === uniqueViolation ? keyRingChanged : undefined),
  isDone: isWritten(audit, selectWritten, [changes.map(({ row }) => row.sealed)]),
})

export const createKeyRings = (db: Database, encryption: Encryption): KeyRings => ({
  confirmReads: db.confirmReads,
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
  replaceKeyRings: (changes, decidedAt, audit) =>
    pipe(
      changes,
      TE.traverseArray(sealedChange(encryption)),
      TE.flatMap((sealed) => db.writeOnce(replacement(sealed, decidedAt, audit))),
    ),
})
