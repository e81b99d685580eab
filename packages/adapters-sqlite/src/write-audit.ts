import type { AuditRow } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'

const insertRow = `
INSERT INTO audit_rows (at, client_id, actor, actor_name, entry, mac)
VALUES (@at, @client_id, @actor, @actor_name, @entry, @mac)`

export type WriteAudit = {
  /** Called in the transaction of a change. */
  readonly write: (row: AuditRow | undefined) => void
  /** The outcome of a change, with its row if it is not a refusal. */
  readonly writeAfter: <Outcome extends E.Either<unknown, unknown>>(
    row: AuditRow | undefined,
    outcome: Outcome,
  ) => Outcome
}

export const createWriteAudit = (db: Database.Database): WriteAudit => {
  const insert = db.prepare(insertRow)
  const write = (row: AuditRow | undefined): void => {
    if (row !== undefined) insert.run(row)
  }
  return {
    write,
    writeAfter: (row, outcome) => {
      if (E.isRight(outcome)) write(row)
      return outcome
    },
  }
}
