import type { AuditLog } from '@clientele/domain'
import { readAuditRows, readCheckpoint, readCheckpoints } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Connection } from './connection.js'
import { type WriteAudit, createWriteAudit } from './write-audit.js'

const rows = 'SELECT ordinal, at, client_id, actor, entry, mac FROM audit_rows'
const filters = `
ordinal < coalesce(@before, 9223372036854775807) AND (@actor IS NULL OR actor = @actor) AND (@since IS NULL OR at >= @since)
ORDER BY ordinal DESC LIMIT @max`
const listAll = `${rows} WHERE @client_id IS NULL AND ${filters}`
// The index of clients has the rows with a checkpoint; the others are few.
const ofClient = (linked: string): string => `
SELECT * FROM (${rows} WHERE client_id = @client_id AND checkpoint IS ${linked} AND ${filters})`
const listOfClient = `${ofClient('NOT NULL')} UNION ALL ${ofClient('NULL')} ORDER BY ordinal DESC LIMIT @max`
const unlinked = `${rows} WHERE checkpoint IS NULL ORDER BY ordinal LIMIT ?`
const checkpoints = 'SELECT number, at, lowest, highest, jws FROM audit_checkpoints'
const ofCheckpoint = 'ordinal BETWEEN @lowest AND @highest AND checkpoint = @number'
const stray = `
${rows} WHERE checkpoint IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM audit_checkpoints WHERE number = checkpoint AND ordinal BETWEEN lowest AND highest)
ORDER BY ordinal LIMIT ?`
const insertCheckpoint = `
INSERT INTO audit_checkpoints (number, at, lowest, highest, jws) VALUES (@number, @at, @lowest, @highest, @jws)`
const countUnlinked = `
SELECT count(*) FROM audit_rows WHERE checkpoint IS NULL AND ordinal IN (SELECT value FROM json_each(?))`
const link = `
UPDATE audit_rows SET checkpoint = ? WHERE checkpoint IS NULL AND ordinal IN (SELECT value FROM json_each(?))`

const prepare = (db: Database.Database) => ({
  all: db.prepare(listAll),
  ofClient: db.prepare(listOfClient),
  unlinked: db.prepare(unlinked),
  last: db.prepare(`${checkpoints} ORDER BY number DESC LIMIT 1`),
  after: db.prepare(`${checkpoints} WHERE number > ? ORDER BY number LIMIT ?`),
  isTaken: db.prepare('SELECT 1 FROM audit_checkpoints WHERE number = ?'),
  insert: db.prepare(insertCheckpoint),
  count: db.prepare<[string], number>(countUnlinked).pluck(),
  link: db.prepare(link),
  ofCheckpoint: db.prepare(`${rows} WHERE ${ofCheckpoint} ORDER BY ordinal`),
  stray: db.prepare(stray),
  forgetRows: db.prepare(`DELETE FROM audit_rows WHERE ${ofCheckpoint}`),
  forgetCheckpoints: db.prepare('DELETE FROM audit_checkpoints WHERE number < ?'),
})

type Statements = ReturnType<typeof prepare>

type WritingVerb = 'addAuditRow' | 'addCheckpoint' | 'forgetAudit'

const createReads = ({ read }: Connection, statements: Statements): Omit<AuditLog, WritingVerb> => ({
  listAudit: ({ before = null, client_id = null, actor = null, since = null, max }) =>
    pipe(
      read(() =>
        (client_id === null ? statements.all : statements.ofClient).all({ before, client_id, actor, since, max }),
      ),
      TE.map(readAuditRows),
    ),
  listUnlinked: (max) =>
    pipe(
      read(() => statements.unlinked.all(max)),
      TE.map(readAuditRows),
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
  rowsOfCheckpoint: ({ number, lowest, highest }) =>
    pipe(
      read(() => statements.ofCheckpoint.all({ number, lowest, highest })),
      TE.map(readAuditRows),
    ),
  strayRows: (max) =>
    pipe(
      read(() => statements.stray.all(max)),
      TE.map(readAuditRows),
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
  forgetAudit: ({ number, lowest, highest }) =>
    queue.write(() => {
      statements.forgetRows.run({ number, lowest, highest })
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
