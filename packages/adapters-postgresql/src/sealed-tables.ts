// All tables with a sealed column, so that they can be sealed anew with another key.
import { removedClientColumns, sealedContexts } from '@clientele/stored-rows'
import type * as O from 'fp-ts/lib/Option.js'
import { clientAuthorizationRows } from './client-authorization-rows.js'
import { clientColumns } from './client-columns.js'
import type { Statement } from './database.js'
import { artefactRows, consentRows, tokenRows } from './rows-with-client.js'

export type KeyColumn = { readonly name: string; readonly type: 'text' | 'bigint' }

export type SealedTable = {
  readonly name: string
  /** The columns that identify a row. */
  readonly key: ReadonlyArray<KeyColumn>
  readonly column: string
  /** All rows, each with its key, the sealed column and the columns of its context. */
  readonly select: string
  /** The context of the sealed column; none for an unreadable row. */
  readonly contextOf: (row: unknown) => O.Option<string>
}

const table = (
  name: keyof typeof sealedContexts,
  key: ReadonlyArray<string | KeyColumn>,
  column: string,
  columns: string,
  from: string = name,
): SealedTable => ({
  name,
  key: key.map((part) => (typeof part === 'string' ? { name: part, type: 'text' } : part)),
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
  table('consents', [{ name: 'client', type: 'bigint' }, 'sub'], 'sealed', '*', consentRows),
  table('foreign_keys', ['kid'], 'proof', 'kid, key, proof'),
  table('clients', ['client_id'], 'credentials', clientColumns),
  // After the clients, of which some become removed ones meanwhile.
  table('removed_clients', ['client_id'], 'credentials', removedClientColumns),
]

/** A key before all others. */
export const firstKey = ({ key }: SealedTable): ReadonlyArray<string> =>
  key.map(({ type }) => (type === 'bigint' ? '0' : ''))

const pageSize = 200

const namesOf = (key: ReadonlyArray<KeyColumn>, of = ''): string => key.map(({ name }) => `${of}${name}`).join(', ')

/** The rows after a key, in the order of their keys. */
export const pageOf = ({ name, key, select }: SealedTable): Statement => ({
  name: `page_of_${name}`,
  text: `
SELECT * FROM (${select}) AS sealed_rows WHERE (${namesOf(key)}) > (${key.map((_, place) => `$${place + 1}`).join(', ')})
ORDER BY ${namesOf(key)} LIMIT ${pageSize}`,
})

// Rows of a page by their keys, each with its new text and the text that was read.
const given = (key: ReadonlyArray<KeyColumn>): string => {
  const types = ['text', 'text', ...key.map(({ type }) => type)]
  const arrays = types.map((type, place) => `$${place + 1}::${type}[]`).join(', ')
  return `unnest(${arrays}) AS given (sealed_anew, sealed_before, ${namesOf(key)})`
}
const isGiven = ({ name, key }: SealedTable): string => `(${namesOf(key, `${name}.`)}) = (${namesOf(key, 'given.')})`

/** Writes the sealed column of the rows that still have the value that was read. */
export const rewriteOf = (table: SealedTable): Statement => ({
  name: `rewrite_${table.name}`,
  text: `
UPDATE ${table.name} SET ${table.column} = given.sealed_anew FROM ${given(table.key)}
WHERE ${isGiven(table)} AND ${table.name}.${table.column} = given.sealed_before RETURNING 1`,
})

/** The rows that have their new text: sealed texts have a random nonce, so that no other write made them. */
export const rewrittenOf = (table: SealedTable): Statement => ({
  name: `rewritten_${table.name}`,
  text: `
SELECT 1 FROM ${table.name} JOIN ${given(table.key)} ON ${isGiven(table)}
WHERE ${table.name}.${table.column} = given.sealed_anew`,
})

const columnOf = (row: unknown, name: string): string => {
  const columns: Readonly<Record<string, unknown>> = typeof row === 'object' && row !== null ? { ...row } : {}
  return String(columns[name])
}

export const keyOf = ({ key }: SealedTable, row: unknown): ReadonlyArray<string> =>
  key.map(({ name }) => columnOf(row, name))

/** The sealed text of a row. */
export const textOf = ({ column }: SealedTable, row: unknown): string => columnOf(row, column)

/** The number of all sealed values. */
export const countValues: Statement = {
  name: 'count_sealed',
  text: `SELECT (${sealedTables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')})::text AS values`,
}
