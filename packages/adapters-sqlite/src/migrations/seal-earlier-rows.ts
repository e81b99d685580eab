// Migrates the values that the schema before version 5 sealed or did not prove. Rows were not authenticated before
// version 5: they are accepted as they are. The digest key is sealed last, so that it marks the completion.
import type { Encryption, StoreRefusal, Unavailable } from '@clientele/domain'
import { type Resealed, allSealingSteps, encryptionUnavailable, wrongKey } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt } from '../attempt.js'
import { type InTransaction, type ResealRow, sealedPagesOf } from '../reseal-table.js'
import { type SealedRow, type SealedTable, sealedTables } from '../sealed-tables.js'
import { onFile } from '../store-refusal.js'
import { withoutEarlierSeals } from './0005-proven-rows.js'

type Opened = TE.TaskEither<Unavailable, O.Option<string>>

const digestKey = 'digest-key'
const others = sealedTables.filter(({ name }) => name !== 'secrets')

const credentialsOf = ({ openEarlier }: Encryption, row: SealedRow): Opened => {
  const opened = (member: string): Opened =>
    openEarlier(String(row[member]), `${member} of ${String(row['client_id'])}`)
  const secret: TE.TaskEither<Unavailable, O.Option<string | undefined>> = row['client_secret'] === null
    ? TE.right(O.some(undefined))
    : opened('client_secret')
  return pipe(
    secret,
    TE.bindTo('client_secret'),
    TE.bind('registration_access_token', () => opened('registration_access_token')),
    TE.map(({ client_secret, registration_access_token }) =>
      O.isSome(client_secret) && O.isSome(registration_access_token)
        ? O.some(
            JSON.stringify({
              client_secret: client_secret.value,
              registration_access_token: registration_access_token.value,
            }),
          )
        : O.none,
    ),
  )
}

/** The plaintext of the column, if it can be decrypted; a proof has no plaintext. */
const plainOf = (encryption: Encryption, table: SealedTable, row: SealedRow, context: string): Opened => {
  if (table.name === 'clients') return credentialsOf(encryption, row)
  return table.column === 'proof' ? TE.right(O.some('')) : encryption.openEarlier(String(row[table.column]), context)
}

// A row that could not be read before stays unreadable, and can be removed by its id.
const unreadable: Resealed = { kind: 'unreadable' }

const sealRow =
  (encryption: Encryption): ResealRow =>
  (table, row) => {
    const context = table.contextOf(row)
    if (O.isNone(context)) return TE.right(unreadable)
    return pipe(
      plainOf(encryption, table, row, context.value),
      TE.flatMap((plain) =>
        O.isNone(plain)
          ? TE.right(unreadable)
          : pipe(
              encryption.seal(plain.value, context.value),
              TE.map((sealed): Resealed => ({ kind: 'sealed', sealed })),
            ),
      ),
    )
  }

const isThere = (db: Database.Database, table: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined

const hasRows = (db: Database.Database): boolean =>
  sealedTables.some(({ name }) => isThere(db, name) && db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined)

const digestKeyIn = (db: Database.Database): unknown =>
  db.prepare('SELECT sealed FROM secrets WHERE name = ?').pluck().get(digestKey)

/** Whether there may be rows that were sealed before version 5. */
export const hasEarlierSeals = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM pragma_table_info('clients') WHERE name = 'client_secret'").get() !== undefined

type EarlierKey = { readonly sealed: string; readonly key: string }

/**
 * The digest key as it was sealed earlier; none in a store without rows. Refused with another encryption key, and for
 * rows without a digest key: otherwise a writer of the file could get any row proven by setting the schema version
 * back.
 */
export const earlierDigestKey = (
  db: Database.Database,
  { openEarlier }: Encryption,
): TE.TaskEither<StoreRefusal, O.Option<EarlierKey>> =>
  pipe(
    onFile(db.name)(() => ({ sealed: digestKeyIn(db), isEmpty: !hasRows(db) })),
    TE.flatMap(({ sealed, isEmpty }): TE.TaskEither<StoreRefusal, O.Option<EarlierKey>> => {
      if (isEmpty) return TE.right(O.none)
      if (typeof sealed !== 'string') return TE.left(wrongKey(db.name))
      return pipe(
        openEarlier(sealed, digestKey),
        TE.mapLeft(encryptionUnavailable(db.name)),
        TE.flatMapOption(
          O.map((key) => O.some({ sealed, key })),
          () => wrongKey(db.name),
        ),
      )
    }),
  )

// When two processes migrate at once, the first one completes it.
export const dropEarlierSeals = (
  db: Database.Database,
  anew?: { readonly sealed: string; readonly before: string },
): void => {
  if (!hasEarlierSeals(db)) return
  if (anew !== undefined)
    db.prepare('UPDATE secrets SET sealed = ? WHERE name = ? AND sealed = ?').run(anew.sealed, digestKey, anew.before)
  db.exec(withoutEarlierSeals)
}

/** Seals the earlier values, then the digest key; after an interruption it runs again. */
export const sealEarlierRows = (db: Database.Database, encryption: Encryption): TE.TaskEither<StoreRefusal, void> => {
  const inTransaction: InTransaction = (run) => attempt(() => db.transaction(run).immediate())
  const pages = others.map(sealedPagesOf(db, { read: attempt, inTransaction, resealRow: sealRow(encryption) }))
  const sealAll = ({ sealed, key }: EarlierKey): TE.TaskEither<Unavailable, void> =>
    pipe(
      allSealingSteps(pages, false),
      TE.flatMap(() => encryption.seal(key, digestKey)),
      TE.flatMap((anew) => inTransaction(() => dropEarlierSeals(db, { sealed: anew, before: sealed }))),
    )
  return pipe(
    earlierDigestKey(db, encryption),
    TE.flatMap((found) =>
      O.isNone(found)
        ? onFile(db.name)(() => db.transaction(() => dropEarlierSeals(db)).immediate())
        : pipe(sealAll(found.value), TE.mapLeft(encryptionUnavailable(db.name))),
    ),
  )
}
