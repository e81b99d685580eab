// All tables with a sealed column, so that they can be sealed anew with another key.
import { sealedContexts } from '@clientele/stored-rows'
import type * as O from 'fp-ts/lib/Option.js'
import { clientAuthorizationRows } from './client-authorization-rows.js'
import { clientColumns } from './client-columns.js'
import type { Statement } from './database.js'
import { artefactRows, consentRows, tokenRows } from './rows-with-client.js'

export type SealedTable = {
  readonly name: string
  /** The columns that identify a row. */
  readonly key: ReadonlyArray<string>
  /** A key before all others. */
  readonly first: ReadonlyArray<string>
  readonly column: string
  /** All rows, each with its key, the sealed column and the columns of its context. */
  readonly select: string
  /** The context of the sealed column; none for an unreadable row. */
  readonly contextOf: (row: unknown) => O.Option<string>
}

const table = (
  name: keyof typeof sealedContexts,
  key: ReadonlyArray<string>,
  column: string,
  columns: string,
  from: string = name,
  first: ReadonlyArray<string> = key.map(() => ''),
): SealedTable => ({
  name,
  key,
  first,
  column,
  select: `SELECT ${columns} FROM ${from}`,
  contextOf: sealedContexts[name],
})

export const sealedTables: ReadonlyArray<SealedTable> = [
  table('secrets', ['name'], 'sealed', 'name, sealed'),
  table('key_rings', ['alg', 'use'], 'sealed', 'alg, use, version, sealed'),
  table('initial_access_tokens', ['hash'], 'proof', '*', tokenRows),
  table('operator_tokens', ['hash'], 'proof', 'hash, privileges, name, issued_at, expires_at, issued_by, proof'),
  table(
    'end_user_sessions',
    ['sid'],
    'proof',
    'cookie_hash, sid, sub, auth_time, idle_lifetime, expires_at, version, proof',
  ),
  table(
    'authorizations',
    ['kind', 'hash'],
    'proof',
    'kind, hash, client_id, registration_id, expires_at, details, session, offline, proof',
    clientAuthorizationRows,
  ),
  table('artefacts', ['kind', 'hash'], 'payload', '*', artefactRows),
  table('consents', ['client', 'sub'], 'sealed', '*', consentRows, ['0', '']),
  table('foreign_keys', ['kid'], 'proof', 'kid, key, proof'),
  table('clients', ['client_id'], 'credentials', clientColumns),
]

const pageSize = 200

const placeholders = (key: ReadonlyArray<string>, from: number): string =>
  key.map((_, place) => `$${place + from}`).join(', ')

/** The rows after a key, in the order of their keys. */
export const pageOf = ({ name, key, select }: SealedTable): Statement => ({
  name: `page_of_${name}`,
  text: `
SELECT * FROM (${select}) AS sealed_rows WHERE (${key.join(', ')}) > (${placeholders(key, 1)})
ORDER BY ${key.join(', ')} LIMIT ${pageSize}`,
})

/** Writes a sealed column if it still has the value that was read: new text, text that was read, key. */
export const rewriteOf = ({ name, key, column }: SealedTable): Statement => ({
  name: `rewrite_${name}`,
  text: `
UPDATE ${name} SET ${column} = $1 WHERE ${column} = $2 AND (${key.join(', ')}) = (${placeholders(key, 3)}) RETURNING 1`,
})

const columnOf = (row: unknown, name: string): string => {
  const columns: Readonly<Record<string, unknown>> = typeof row === 'object' && row !== null ? { ...row } : {}
  return String(columns[name])
}

export const keyOf = ({ key }: SealedTable, row: unknown): ReadonlyArray<string> =>
  key.map((name) => columnOf(row, name))

/** The sealed text of a row. */
export const textOf = ({ column }: SealedTable, row: unknown): string => columnOf(row, column)

/** The number of all sealed values. */
export const countValues: Statement = {
  name: 'count_sealed',
  text: `SELECT (${sealedTables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')})::text AS values`,
}
