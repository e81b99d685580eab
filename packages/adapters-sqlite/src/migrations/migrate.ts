import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreRefusal } from '../store-refusal.js'
import { storeRefusal } from '../store-refusal.js'
import { clients } from './0001-clients.js'
import { limits } from './0002-limits.js'
import { keyRings } from './0003-key-rings.js'
import { logout } from './0004-logout.js'

/** Forward only; the number of a migration is its place, and never changes. */
const migrations: ReadonlyArray<string> = [clients, limits, keyRings, logout]

// SQLite keeps four bytes for the kind of a database file: "Clie".
const applicationId = 0x436c_6965

const pragma = (db: Database.Database, name: string): number => Number(db.pragma(name, { simple: true }))

const isEmpty = (db: Database.Database): boolean => db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0

const schemaFault = (db: Database.Database): StoreRefusal | undefined => {
  if (pragma(db, 'application_id') !== applicationId && !isEmpty(db))
    return storeRefusal('foreign-schema', `${db.name} is a database of something else: name another data directory`)
  const version = pragma(db, 'user_version')
  return version > migrations.length
    ? storeRefusal('newer-schema', `${db.name} was written by a newer version (schema ${version}): start that version`)
    : undefined
}

const apply = (db: Database.Database): void =>
  db
    .transaction(() => {
      for (const migration of migrations.slice(pragma(db, 'user_version'))) db.exec(migration)
      db.pragma(`application_id = ${applicationId}`)
      db.pragma(`user_version = ${migrations.length}`)
    })
    .immediate()

/** Brings the schema up to date, all of it or nothing; refuses one that is not ours or newer than we know. */
export const migrate = (db: Database.Database): E.Either<StoreRefusal, void> => {
  const refusal = schemaFault(db)
  if (refusal !== undefined) return E.left(refusal)
  if (pragma(db, 'user_version') < migrations.length) apply(db)
  return E.right(undefined)
}
