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
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Connection } from './connection.js'
import { type WriteAudit, createWriteAudit } from './write-audit.js'

const columns = 'ordinal, at, client_id, actor, actor_name, entry, mac'

const ofFilters = `coalesce(
    (@client_id IS NULL OR client_id = @client_id) AND (@actor IS NULL OR actor = @actor OR actor_name = @actor)
      AND (@containing IS NULL OR instr(entry, @containing) > 0), 0)`

/** Each condition selects the rows of one index; together, those of one filter. */
const scan = (...conditions: ReadonlyArray<string>): string => `
SELECT * FROM (
  SELECT *, ${ofFilters} AS meant, row_number() OVER (ORDER BY at DESC, ordinal DESC) AS place FROM (
    ${conditions
      .map(
        (condition) => `SELECT * FROM (
      SELECT ${columns} FROM audit_rows
      WHERE ${condition} AND (at, ordinal) < (@at, @ordinal) AND at >= @since
      ORDER BY at DESC, ordinal DESC LIMIT @window)`,
      )
      .join(' UNION ALL ')}))
WHERE place <= @window AND (meant OR place = @window) ORDER BY place LIMIT @max`

// The indexes of clients and actors have the rows with a checkpoint; the others are few.
const scans = {
  time: scan('TRUE'),
  client: scan('client_id = @client_id AND checkpoint IS NOT NULL', 'client_id = @client_id AND checkpoint IS NULL'),
  actor: scan(
    'actor = @actor AND checkpoint IS NOT NULL',
    'actor_name = @actor AND actor <> @actor AND checkpoint IS NOT NULL',
    '(actor = @actor OR actor_name = @actor) AND checkpoint IS NULL',
  ),
}
const countUnindexed = 'SELECT count(*) FROM (SELECT 1 FROM audit_rows WHERE checkpoint IS NULL LIMIT ?)'
const unlinked = `
SELECT ${columns} FROM audit_rows WHERE checkpoint IS NULL AND ordinal > ? ORDER BY ordinal LIMIT ?`
const linked = `
SELECT ${columns}, checkpoint FROM audit_rows
WHERE (checkpoint, ordinal) > (@checkpoint, @ordinal)
ORDER BY checkpoint, ordinal LIMIT @max`
const checkpoints = 'SELECT number, at, lowest, highest, jws FROM audit_checkpoints'
const insertCheckpoint = `
INSERT INTO audit_checkpoints (number, at, lowest, highest, jws) VALUES (@number, @at, @lowest, @highest, @jws)`
const countUnlinked = `
SELECT count(*) FROM audit_rows WHERE checkpoint IS NULL AND ordinal IN (SELECT value FROM json_each(?))`
const link = `
UPDATE audit_rows SET checkpoint = ? WHERE checkpoint IS NULL AND ordinal IN (SELECT value FROM json_each(?))`

const prepare = (db: Database.Database) => ({
  time: db.prepare(scans.time),
  client: db.prepare(scans.client),
  actor: db.prepare(scans.actor),
  unindexed: db.prepare<[number], number>(countUnindexed).pluck(),
  unlinked: db.prepare(unlinked),
  linked: db.prepare(linked),
  last: db.prepare(`${checkpoints} ORDER BY number DESC LIMIT 1`),
  after: db.prepare(`${checkpoints} WHERE number > ? ORDER BY number LIMIT ?`),
  isTaken: db.prepare('SELECT 1 FROM audit_checkpoints WHERE number = ?'),
  insert: db.prepare(insertCheckpoint),
  count: db.prepare<[string], number>(countUnlinked).pluck(),
  link: db.prepare(link),
  forgetRows: db.prepare('DELETE FROM audit_rows WHERE checkpoint = ?'),
  forgetCheckpoints: db.prepare('DELETE FROM audit_checkpoints WHERE number < ?'),
})

type Statements = ReturnType<typeof prepare>

type WritingVerb = 'addAuditRow' | 'addCheckpoint' | 'forgetAudit'

const createReads = ({ read }: Connection, statements: Statements): Omit<AuditLog, WritingVerb> => ({
  listAudit: (query) =>
    read(() => {
      const scanned = auditScan(query, statements.unindexed.get(maxUnindexed + 1) ?? 0)
      const { by, ...values } = scanned
      return readScan(scanned, statements[by].all(values))
    }),
  listUnlinked: (after, max) =>
    pipe(
      read(() => statements.unlinked.all(after, max)),
      TE.map(readAuditRows),
    ),
  listLinked: ({ checkpoint, ordinal }, max) =>
    pipe(
      read(() => statements.linked.all({ checkpoint, ordinal, max })),
      TE.map(readLinkedRows),
    ),
  lastCheckpoint: pipe(
    read(() => statements.last.get()),
    TE.map(readCheckpoint),
  ),
  checkpointsAfter: (number, max) =>
    pipe(
      read(() => statements.after.all(number, max)),
      TE.map(readCheckpoints),
    ),
})

const createWrites = (
  { queue }: Connection,
  statements: Statements,
  write: WriteAudit['write'],
): Pick<AuditLog, WritingVerb> => ({
  addAuditRow: (row) => queue.write(() => E.right(write(row))),
  addCheckpoint: (checkpoint, ordinals) =>
    queue.write(() => {
      const list = JSON.stringify(ordinals)
      const isTaken = statements.isTaken.get(checkpoint.number) !== undefined
      if (isTaken || statements.count.get(list) !== ordinals.length) return E.right(false)
      statements.insert.run(checkpoint)
      statements.link.run(checkpoint.number, list)
      return E.right(true)
    }),
  forgetAudit: ({ number }) =>
    queue.write(() => {
      statements.forgetRows.run(number)
      statements.forgetCheckpoints.run(number)
      return E.right(undefined)
    }),
})

export const createAuditLog = (connection: Connection): AuditLog => {
  const statements = prepare(connection.db)
  return {
    ...createReads(connection, statements),
    ...createWrites(connection, statements, createWriteAudit(connection.db).write),
  }
}
