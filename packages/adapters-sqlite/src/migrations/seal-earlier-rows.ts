// What the schema before version 5 sealed or did not prove, in the shape of version 5. Rows were not authenticated until then:
// they are taken as they stand.
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { SealedRow, SealedTable } from '../sealed-tables.js'
import { createPages, createRewrite, sealedTables } from '../sealed-tables.js'
import type { Sealing } from '@clientele/domain'

type Opened = O.Option<string>

const credentialsOf = (sealing: Sealing, row: SealedRow): Opened => {
  const opened = (member: string): Opened =>
    sealing.openEarlier(String(row[member]), `${member} of ${String(row['client_id'])}`)
  const secret = row['client_secret'] === null ? O.some(undefined) : opened('client_secret')
  return pipe(
    secret,
    O.bindTo('client_secret'),
    O.bind('registration_access_token', () => opened('registration_access_token')),
    O.map((credentials) => JSON.stringify(credentials)),
  )
}

/** What the column holds, where it can be opened: a proof hides nothing. */
const plainOf = (sealing: Sealing, table: SealedTable, row: SealedRow, context: string): Opened => {
  if (table.name === 'clients') return credentialsOf(sealing, row)
  return table.column === 'proof' ? O.some('') : sealing.openEarlier(String(row[table.column]), context)
}

const sealTable = (db: Database.Database, sealing: Sealing, table: SealedTable): void => {
  const pageAfter = createPages(db, table)
  const rewrite = createRewrite(db, table)
  for (let page = pageAfter(table.first); page !== undefined; page = pageAfter(page.last))
    for (const row of page.rows) {
      const context = table.contextOf(row)
      const plain = O.isSome(context) ? plainOf(sealing, table, row, context.value) : O.none
      // A row that could not be read before cannot be read afterwards, and is removed by its id.
      if (O.isSome(context) && O.isSome(plain)) rewrite(row, sealing.seal(plain.value, context.value))
    }
}

const hasRows = (db: Database.Database): boolean =>
  sealedTables.some(({ name }) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined)

/** Seals everything, unless the first secret shows that the encryption key is another one, or is not there beside rows: then nothing is changed. */
export const sealEarlierRows = (db: Database.Database, sealing: Sealing): E.Either<'wrong-encryption-key', void> => {
  const secret: unknown = db.prepare("SELECT sealed FROM secrets WHERE name = 'digest-key'").pluck().get()
  // Otherwise whoever can write to the file could have any row proven, by setting its version back.
  const isOurs = typeof secret === 'string' ? O.isSome(sealing.openEarlier(secret, 'digest-key')) : !hasRows(db)
  if (!isOurs) return E.left('wrong-encryption-key')
  for (const table of sealedTables) sealTable(db, sealing, table)
  return E.right(undefined)
}
