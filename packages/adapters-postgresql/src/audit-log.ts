import type { AuditLog } from '@clientele/domain'
import {
  auditScan,
  maxUnindexed,
  readAuditRows,
  readCheckpoint,
  readCheckpoints,
  readLinkedRows,
  readScan,
} from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Statement, Write } from './database.js'
import { auditValuesOf, insertAuditRow } from './write-audit.js'

const columns = 'ordinal, at, client_id, actor, actor_name, entry, mac'

const ofFilters = `coalesce(
    ($6::text IS NULL OR client_id = $6) AND ($7::text IS NULL OR actor = $7 OR actor_name = $7)
      AND ($8::text IS NULL OR strpos(entry, $8) > 0), false)`

/** Each condition selects the rows of one index, in the order of the time as the index has it; together, those of one filter. */
const scan = (name: string, time: string, ...conditions: ReadonlyArray<string>): Statement => ({
  name,
  text: `
SELECT * FROM (
  SELECT *, ${ofFilters} AS meant, row_number() OVER (ORDER BY at DESC, ordinal DESC) AS place FROM (
    ${conditions
      .map(
        (condition) => `(
      SELECT ${columns} FROM audit_rows
      WHERE ${condition} AND (${time}, ordinal) < ($1, $2) AND ${time} >= $3
      ORDER BY ${time} DESC, ordinal DESC LIMIT $4)`,
      )
      .join(' UNION ALL ')}) AS looked_at) AS numbered
WHERE place <= $4 AND (meant OR place = $4) ORDER BY place LIMIT $5`,
})

// The indexes of clients and actors have the rows with a checkpoint; the others are few.
const scans = {
  time: scan('list_audit', 'at', 'TRUE'),
  client: scan(
    'list_audit_of_client',
    'at + 0',
    'client_id = $6 AND checkpoint IS NOT NULL',
    'client_id = $6 AND checkpoint IS NULL',
  ),
  actor: scan(
    'list_audit_of_actor',
    'at + 0',
    'actor = $7 AND checkpoint IS NOT NULL',
    'actor_name = $7 AND actor <> $7 AND checkpoint IS NOT NULL',
    '(actor = $7 OR actor_name = $7) AND checkpoint IS NULL',
  ),
}
const selectUnindexed = {
  name: 'count_unlinked_audit',
  text: 'SELECT count(*) AS rows FROM (SELECT 1 FROM audit_rows WHERE checkpoint IS NULL LIMIT $1) AS unlinked',
}
const Unindexed = t.type({ rows: t.number })
const selectUnlinked = {
  name: 'select_unlinked_audit',
  text: `
SELECT ${columns} FROM audit_rows WHERE checkpoint IS NULL AND ordinal > $1 ORDER BY checkpoint, ordinal LIMIT $2`,
}
const selectLinked = {
  name: 'select_linked_audit',
  text: `
SELECT ${columns}, checkpoint FROM audit_rows WHERE (checkpoint, ordinal) > ($1, $2)
ORDER BY checkpoint, ordinal LIMIT $3`,
}
const checkpoints = 'SELECT number, at, lowest, highest, jws FROM audit_checkpoints'
const selectLast = { name: 'select_last_checkpoint', text: `${checkpoints} ORDER BY number DESC LIMIT 1` }
const selectAfter = {
  name: 'select_checkpoints',
  text: `${checkpoints} WHERE number > $1 ORDER BY number LIMIT $2`,
}
const selectStored = {
  name: 'select_checkpoint',
  text: 'SELECT 1 FROM audit_checkpoints WHERE number = $1 AND jws = $2',
}
const insertCheckpoint = {
  name: 'insert_checkpoint',
  text: `
INSERT INTO audit_checkpoints (number, at, lowest, highest, jws) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (number) DO NOTHING RETURNING 1`,
}
const link = {
  name: 'link_audit',
  text: 'UPDATE audit_rows SET checkpoint = $1 WHERE ordinal = ANY ($2::bigint[]) AND checkpoint IS NULL RETURNING 1',
}
const forgetRows = { name: 'forget_audit', text: 'DELETE FROM audit_rows WHERE checkpoint = $1' }
const forgetCheckpoints = { name: 'forget_checkpoints', text: 'DELETE FROM audit_checkpoints WHERE number < $1' }

type NotLinked = { readonly error: 'not_linked' }
const notLinked: NotLinked = { error: 'not_linked' }

type AddCheckpoint = AuditLog['addCheckpoint']

// A refusal undoes the transaction.
const addition = (...[checkpoint, ordinals]: Parameters<AddCheckpoint>): Write<NotLinked, void> => {
  const { number, at, lowest, highest, jws } = checkpoint
  return {
    run: async (query) => {
      const inserted = await query(insertCheckpoint, [number, at, lowest, highest, jws])
      if (inserted.length === 0) return E.left(notLinked)
      const linked = await query(link, [number, ordinals])
      return linked.length === ordinals.length ? E.right(undefined) : E.left(notLinked)
    },
    isDone: async (query) => ((await query(selectStored, [number, jws])).length === 1 ? O.some(undefined) : O.none),
  }
}

export const createAuditLog = (db: Database): AuditLog => {
  return {
    addAuditRow: (row) => pipe(db.run(insertAuditRow, auditValuesOf(row)), TE.asUnit),
    listAudit: (query) =>
      pipe(
        db.first(selectUnindexed, [maxUnindexed + 1]),
        TE.map((row) => auditScan(query, Unindexed.is(row) ? row.rows : 0)),
        TE.flatMap((scanned) => {
          const { at, ordinal, since, window, max, client_id, actor, containing } = scanned
          return pipe(
            db.run(scans[scanned.by], [at, ordinal, since, window, max, client_id, actor, containing]),
            TE.map((found) => readScan(scanned, found)),
          )
        }),
      ),
    listUnlinked: (after, max) => pipe(db.run(selectUnlinked, [after, max]), TE.map(readAuditRows)),
    listLinked: ({ checkpoint, ordinal }, max) =>
      pipe(db.run(selectLinked, [checkpoint, ordinal, max]), TE.map(readLinkedRows)),
    lastCheckpoint: pipe(
      db.run(selectLast),
      TE.map(([row]) => readCheckpoint(row)),
    ),
    checkpointsAfter: (number, max) => pipe(db.run(selectAfter, [number, max]), TE.map(readCheckpoints)),
    addCheckpoint: (checkpoint, ordinals) =>
      pipe(
        db.transaction(addition(checkpoint, ordinals)),
        TE.map(() => true),
        TE.orElse((failure) => (failure.error === 'not_linked' ? TE.right(false) : TE.left(failure))),
      ),
    forgetAudit: ({ number }) =>
      db.transaction({
        run: async (query) => {
          await query(forgetRows, [number])
          await query(forgetCheckpoints, [number])
          return E.right(undefined)
        },
      }),
  }
}
