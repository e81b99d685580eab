// All tables with a sealed column, so that they can be sealed anew with another key.
import { EpochSeconds, Subject } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { AuthorizationRow, authorizationContext } from './client-authorizations.js'
import { ClientRow, clientContext } from './client-row.js'
import { TokenRow, tokenContext } from './initial-access-tokens.js'
import { ForeignKeyRow, foreignKeyContext } from './foreign-keys.js'
import { KeyRingRow, ringContext } from './key-ring-row.js'
import { sessionContext } from './session-row.js'

type Key = ReadonlyArray<string | number>

export type SealedTable = {
  readonly name: string
  /** The primary key. */
  readonly key: ReadonlyArray<string>
  readonly column: string
  /** A key before all others: the first value of each part of the key. */
  readonly first: Key
  /** All rows, each with its key, the sealed column and the columns of its context. */
  readonly select: string
  /** The context of the sealed column; none for an unreadable row. */
  readonly contextOf: (row: unknown) => O.Option<string>
}

const context =
  <Row>(codec: t.Decoder<unknown, Row>, of: (row: Row) => string) =>
  (row: unknown): O.Option<string> =>
    pipe(codec.decode(row), E.map(of), O.fromEither)

const SessionColumns = t.type({
  cookie_hash: t.string,
  sid: Subject,
  sub: Subject,
  auth_time: EpochSeconds,
  idle_lifetime: t.number,
  expires_at: EpochSeconds,
})

export const sealedTables: ReadonlyArray<SealedTable> = [
  {
    name: 'secrets',
    key: ['name'],
    first: [''],
    column: 'sealed',
    select: 'SELECT name, sealed FROM secrets',
    contextOf: context(t.type({ name: t.string }), ({ name }) => name),
  },
  {
    name: 'key_rings',
    key: ['alg', 'use'],
    first: ['', ''],
    column: 'sealed',
    select: 'SELECT * FROM key_rings',
    contextOf: context(KeyRingRow, ringContext),
  },
  {
    name: 'initial_access_tokens',
    key: ['hash'],
    first: [''],
    column: 'proof',
    select: 'SELECT * FROM initial_access_tokens',
    contextOf: context(TokenRow, tokenContext),
  },
  {
    name: 'end_user_sessions',
    key: ['ordinal'],
    first: [0],
    column: 'proof',
    select: 'SELECT * FROM end_user_sessions',
    contextOf: context(SessionColumns, (row) => sessionContext(row.cookie_hash, row)),
  },
  {
    name: 'authorizations',
    key: ['kind', 'hash'],
    first: ['', ''],
    column: 'proof',
    select: `
SELECT authorizations.*, client_id, registration_id FROM authorizations JOIN clients ON clients.ordinal = client`,
    contextOf: context(AuthorizationRow, authorizationContext),
  },
  {
    name: 'foreign_keys',
    key: ['ordinal'],
    first: [0],
    column: 'proof',
    select: 'SELECT * FROM foreign_keys',
    contextOf: context(ForeignKeyRow, foreignKeyContext),
  },
  {
    name: 'clients',
    key: ['ordinal'],
    first: [0],
    column: 'credentials',
    select: 'SELECT * FROM clients',
    contextOf: context(ClientRow, clientContext),
  },
]

const pageSize = 200

/** A row that is only known to have its key and its sealed column. */
export type SealedRow = Readonly<Record<string, unknown>>

const isRow = (row: unknown): row is SealedRow => typeof row === 'object' && row !== null

const isKeyPart = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

export type SealedPage = { readonly rows: ReadonlyArray<SealedRow>; readonly last: Key }

/** The pages of a table in the order of its key; undefined after the last one. */
export const createPages = (db: Database.Database, table: SealedTable): ((after: Key) => SealedPage | undefined) => {
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
