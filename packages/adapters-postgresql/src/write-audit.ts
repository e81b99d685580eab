// The rows of the audit log, which are written with their changes. A row has a nonce, so that it is there if its change was
// committed, whatever others changed since; and a change that is run again after its commit was in doubt violates the key of
// the row, and is undone.
import type { AuditRow } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Query, Statement, Values } from './database.js'
import { isViolationOf } from './failures.js'

const columns = 'audit_rows (at, client_id, actor, actor_name, entry, mac)'

export const insertAuditColumns = `INSERT INTO ${columns}`

const insertRows = {
  name: 'insert_audit_rows',
  text: `
${insertAuditColumns} SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,
}
const selectRow = { name: 'select_audit_row', text: 'SELECT 1 FROM audit_rows WHERE at = $1 AND mac = $2' }

/** The number of values of a row in a statement. */
export const auditValues = 6

/** The values of a row, or so many nulls. */
export const auditValuesOf = (row: AuditRow | undefined): ReadonlyArray<string | number | null> =>
  row === undefined
    ? Array.from({ length: auditValues }, () => null)
    : [row.at, row.client_id, row.actor, row.actor_name, row.entry, row.mac]

/** The part of a statement that writes a row for each row of `changed`, with values from $first; none where they are null. */
export const insertAuditFrom = (changed: string, first: number): string => {
  const [at, client, actor, name, entry, mac] = Array.from({ length: auditValues }, (_, place) => `$${first + place}`)
  return `
${insertAuditColumns} SELECT ${at}::bigint, ${client}::text, ${actor}::text, ${name}::text, ${entry}::text, ${mac}::text
FROM ${changed} WHERE ${mac}::text IS NOT NULL`
}

/** A row by itself; repeated, it is written once. */
export const insertAuditRow = {
  name: 'insert_audit_row',
  text: `${insertAuditFrom('(SELECT 1) AS once', 1)} ON CONFLICT (at, mac) DO NOTHING`,
}

/** Called in the transaction of the changes. */
export const writeAudit = async (query: Query, rows: ReadonlyArray<AuditRow | undefined>): Promise<void> => {
  const written = rows.flatMap((row) => row ?? [])
  if (written.length === 0) return
  await query(insertRows, [
    written.map(({ at }) => at),
    written.map(({ client_id }) => client_id),
    written.map(({ actor }) => actor),
    written.map(({ actor_name }) => actor_name),
    written.map(({ entry }) => entry),
    written.map(({ mac }) => mac),
  ])
}

/**
 * Whether a write was committed: by its audit row, which stays where others change or remove the same thing since; without
 * one, by what else this write alone has written.
 */
export const isWritten =
  (audit: AuditRow | undefined, statement: Statement, values: Values) =>
  async (query: Query): Promise<O.Option<void>> => {
    const rows = await (audit === undefined ? query(statement, values) : query(selectRow, [audit.at, audit.mac]))
    return rows.length === 0 ? O.none : O.some(undefined)
  }

/** Whether the error says that the change of an audit row was committed before. */
export const isWrittenBefore = (error: unknown): boolean => isViolationOf('audit_rows_at_mac_key', error)
