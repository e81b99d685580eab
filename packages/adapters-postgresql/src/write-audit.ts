// The rows of the audit log, which are written with their changes. A change that is repeated after its commit was in
// doubt writes its row once: mac is unique, and the time is a part of what it digests.
import type { AuditRow } from '@clientele/domain'
import type { Query } from './database.js'

const columns = 'audit_rows (at, client_id, actor, entry, mac)'

export const insertAuditColumns = `INSERT INTO ${columns}`

const insertRows = {
  name: 'insert_audit_rows',
  text: `
${insertAuditColumns} SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
ON CONFLICT (at, mac) DO NOTHING`,
}

/** The number of values of a row in a statement. */
export const auditValues = 5

/** The values of a row, or so many nulls. */
export const auditValuesOf = (row: AuditRow | undefined): ReadonlyArray<string | number | null> =>
  row === undefined
    ? Array.from({ length: auditValues }, () => null)
    : [row.at, row.client_id, row.actor, row.entry, row.mac]

/** The part of a statement that writes a row for each row of `changed`, with values from $first; none where they are null. */
export const insertAuditFrom = (changed: string, first: number): string => {
  const [at, client, actor, entry, mac] = Array.from({ length: auditValues }, (_, place) => `$${first + place}`)
  return `
${insertAuditColumns} SELECT ${at}::bigint, ${client}::text, ${actor}::text, ${entry}::text, ${mac}::text
FROM ${changed} WHERE ${mac}::text IS NOT NULL ON CONFLICT (at, mac) DO NOTHING`
}

/** A row by itself; repeated, it is written once. */
export const insertAuditRow = { name: 'insert_audit_row', text: insertAuditFrom('(SELECT 1) AS once', 1) }

/** Called in the transaction of the changes. */
export const writeAudit = async (query: Query, rows: ReadonlyArray<AuditRow | undefined>): Promise<void> => {
  const written = rows.flatMap((row) => row ?? [])
  if (written.length === 0) return
  await query(insertRows, [
    written.map(({ at }) => at),
    written.map(({ client_id }) => client_id),
    written.map(({ actor }) => actor),
    written.map(({ entry }) => entry),
    written.map(({ mac }) => mac),
  ])
}
