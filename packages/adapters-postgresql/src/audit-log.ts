import type { AuditLog } from '@clientele/domain'
import { readAuditRows, readCheckpoint, readCheckpoints } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Database, Statement, Write } from './database.js'
import { auditValuesOf, insertAuditRow } from './write-audit.js'

const rows = 'SELECT ordinal, at, client_id, actor, entry, mac FROM audit_rows'
const filters = `
($1::bigint IS NULL OR ordinal < $1) AND ($2::text IS NULL OR actor = $2) AND ($3::bigint IS NULL OR at >= $3)`
const listAll = { name: 'list_audit', text: `${rows} WHERE ${filters} ORDER BY ordinal DESC LIMIT $4` }
// The index of clients has the rows with a checkpoint; the others are few.
const ofClient = (linked: string): string => `
(${rows} WHERE ${filters} AND client_id = $5 AND checkpoint IS ${linked} ORDER BY ordinal DESC LIMIT $4)`
const listOfClient = {
  name: 'list_audit_of_client',
  text: `${ofClient('NOT NULL')} UNION ALL ${ofClient('NULL')} ORDER BY ordinal DESC LIMIT $4`,
}
const selectUnlinked = {
  name: 'select_unlinked_audit',
  text: `${rows} WHERE checkpoint IS NULL ORDER BY ordinal LIMIT $1`,
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
const ofCheckpoint = 'ordinal BETWEEN $2 AND $3 AND checkpoint = $1'
const selectRows = { name: 'select_audit_of_checkpoint', text: `${rows} WHERE ${ofCheckpoint} ORDER BY ordinal` }
const selectStray = {
  name: 'select_stray_audit',
  text: `
${rows} WHERE checkpoint IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM audit_checkpoints WHERE number = checkpoint AND ordinal BETWEEN lowest AND highest)
ORDER BY ordinal LIMIT $1`,
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
const forgetRows = { name: 'forget_audit', text: `DELETE FROM audit_rows WHERE ${ofCheckpoint}` }
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
  const select = (statement: Statement, values: Parameters<Database['run']>[1]) =>
    pipe(db.run(statement, values), TE.map(readAuditRows))
  return {
    addAuditRow: (row) => pipe(db.run(insertAuditRow, auditValuesOf(row)), TE.asUnit),
    listAudit: ({ before = null, client_id, actor = null, since = null, max }) => {
      const values = [before, actor, since, max]
      return client_id === undefined ? select(listAll, values) : select(listOfClient, [...values, client_id])
    },
    listUnlinked: (max) => select(selectUnlinked, [max]),
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
    rowsOfCheckpoint: ({ number, lowest, highest }) => select(selectRows, [number, lowest, highest]),
    strayRows: (max) => select(selectStray, [max]),
    forgetAudit: ({ number, lowest, highest }) =>
      db.transaction({
        run: async (query) => {
          await query(forgetRows, [number, lowest, highest])
          await query(forgetCheckpoints, [number])
          return E.right(undefined)
        },
      }),
  }
}
