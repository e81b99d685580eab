// All tables with a sealed column, so that they can be sealed anew with another key.
import { type SealedKey, type SealedPage, removedClientColumns, sealedContexts } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import type * as O from 'fp-ts/lib/Option.js'

export type SealedTable = {
  readonly name: string
  /** The primary key. */
  readonly key: ReadonlyArray<string>
  readonly column: string
  /** A key before all others: the first value of each part of the key. */
  readonly first: SealedKey
  /** All rows, each with its key, the sealed column and the columns of its context. */
  readonly select: string
  /** The context of the sealed column; none for an unreadable row. */
  readonly contextOf: (row: unknown) => O.Option<string>
}

export const sealedTables: ReadonlyArray<SealedTable> = [
  {
    name: 'secrets',
    key: ['name'],
    first: [''],
    column: 'sealed',
    select: 'SELECT name, sealed FROM secrets',
    contextOf: sealedContexts.secrets,
  },
  {
    name: 'key_rings',
    key: ['alg', 'use'],
    first: ['', ''],
    column: 'sealed',
    select: 'SELECT * FROM key_rings',
    contextOf: sealedContexts.key_rings,
  },
  {
    name: 'initial_access_tokens',
    key: ['hash'],
    first: [''],
    column: 'proof',
    select: `
SELECT initial_access_tokens.*, client_id, registration_id
FROM initial_access_tokens LEFT JOIN clients ON clients.ordinal = owner`,
    contextOf: sealedContexts.initial_access_tokens,
  },
  {
    name: 'operator_tokens',
    key: ['hash'],
    first: [''],
    column: 'proof',
    select: 'SELECT * FROM operator_tokens',
    contextOf: sealedContexts.operator_tokens,
  },
  {
    name: 'end_user_sessions',
    key: ['ordinal'],
    first: [0],
    column: 'proof',
    select: 'SELECT * FROM end_user_sessions',
    contextOf: sealedContexts.end_user_sessions,
  },
  {
    name: 'authorizations',
    key: ['kind', 'hash'],
    first: ['', ''],
    column: 'proof',
    select: `
SELECT authorizations.*, client_id, registration_id FROM authorizations JOIN clients ON clients.ordinal = client`,
    contextOf: sealedContexts.authorizations,
  },
  {
    name: 'artefacts',
    key: ['ordinal'],
    first: [0],
    column: 'payload',
    select: `
SELECT artefacts.*, client_id, registration_id FROM artefacts LEFT JOIN clients ON clients.ordinal = client`,
    contextOf: sealedContexts.artefacts,
  },
  {
    name: 'consents',
    key: ['client', 'sub'],
    first: [0, ''],
    column: 'sealed',
    select: 'SELECT consents.*, client_id, registration_id FROM consents JOIN clients ON clients.ordinal = client',
    contextOf: sealedContexts.consents,
  },
  {
    name: 'foreign_keys',
    key: ['ordinal'],
    first: [0],
    column: 'proof',
    select: 'SELECT * FROM foreign_keys',
    contextOf: sealedContexts.foreign_keys,
  },
  {
    name: 'clients',
    key: ['ordinal'],
    first: [0],
    column: 'credentials',
    select: 'SELECT * FROM clients',
    contextOf: sealedContexts.clients,
  },
  // After the clients, of which some become removed ones meanwhile.
  {
    name: 'removed_clients',
    key: ['ordinal'],
    first: [0],
    column: 'credentials',
    select: `SELECT ${removedClientColumns} FROM removed_clients`,
    contextOf: sealedContexts.removed_clients,
  },
]

const pageSize = 200

/** A row that is only known to have its key and its sealed column. */
export type SealedRow = Readonly<Record<string, unknown>>

const isRow = (row: unknown): row is SealedRow => typeof row === 'object' && row !== null

const isKeyPart = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** The pages of a table in the order of its key; undefined after the last one. */
export const createPages = (
  db: Database.Database,
  table: SealedTable,
): ((after: SealedKey) => SealedPage<SealedRow> | undefined) => {
  const key = table.key.join(', ')
  const places = table.key.map(() => '?').join(', ')
  const select = db.prepare<Array<string | number>>(
    `SELECT * FROM (${table.select}) WHERE (${key}) > (${places}) ORDER BY ${key} LIMIT ${pageSize}`,
  )
  return (after) => {
    const rows = select.all(...after).filter(isRow)
    const last = rows.at(-1)
    return last === undefined ? undefined : { rows, last: table.key.map((part) => last[part]).filter(isKeyPart) }
  }
}

/** Writes a sealed column if it still has the value that was read; returns the number of rows. */
export const createRewrite = (
  db: Database.Database,
  table: SealedTable,
): ((row: SealedRow, sealed: string) => number) => {
  const where = table.key.map((part) => `${part} = @${part}`).join(' AND ')
  const update = db.prepare(
    `UPDATE ${table.name} SET ${table.column} = @sealed_anew WHERE ${where} AND ${table.column} = @${table.column}`,
  )
  return (row, sealed) => update.run({ ...row, sealed_anew: sealed }).changes
}
