import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Sealing } from '@clientele/domain'
import type { StoreRefusal } from '../store-refusal.js'
import { storeRefusal, wrongKey } from '../store-refusal.js'
import { clients } from './0001-clients.js'
import { limits } from './0002-limits.js'
import { keyRings } from './0003-key-rings.js'
import { logout } from './0004-logout.js'
import { provenRows, withoutEarlierSeals } from './0005-proven-rows.js'
import { leases } from './0006-leases.js'
import { nameReceivers, notificationClaims } from './0007-notification-claims.js'
import { sealEarlierRows } from './seal-earlier-rows.js'

/** What a migration does beyond its statements; it may refuse, and then nothing of it happens. */
type Migration = {
  readonly statements: string
  readonly then?: (db: Database.Database, sealing: Sealing) => E.Either<StoreRefusal, void>
}

const sealAnew = (db: Database.Database, sealing: Sealing): E.Either<StoreRefusal, void> =>
  pipe(
    sealEarlierRows(db, sealing),
    E.mapLeft(() => wrongKey(db.name)),
    E.map(() => void db.exec(withoutEarlierSeals)),
  )

/** Forward only; the number of a migration is its place, and never changes. */
const migrations: ReadonlyArray<Migration> = [
  { statements: clients },
  { statements: limits },
  { statements: keyRings },
  { statements: logout },
  { statements: provenRows, then: sealAnew },
  { statements: leases },
  { statements: notificationClaims, then: (db) => E.right(nameReceivers(db)) },
]

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

const applyEach = (db: Database.Database, sealing: Sealing): E.Either<StoreRefusal, void> => {
  for (const { statements, then } of migrations.slice(pragma(db, 'user_version'))) {
    db.exec(statements)
    const done = then?.(db, sealing) ?? E.right(undefined)
    if (E.isLeft(done)) return done
  }
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${migrations.length}`)
  return E.right(undefined)
}

const apply = (db: Database.Database, sealing: Sealing): E.Either<StoreRefusal, void> => {
  db.exec('BEGIN IMMEDIATE')
  try {
    const applied = applyEach(db, sealing)
    db.exec(E.isRight(applied) ? 'COMMIT' : 'ROLLBACK')
    return applied
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

/** Brings the schema up to date, all of it or nothing; refuses one that is not ours or newer than we know. */
export const migrate = (db: Database.Database, sealing: Sealing): E.Either<StoreRefusal, void> => {
  const refusal = schemaFault(db)
  if (refusal !== undefined) return E.left(refusal)
  return pragma(db, 'user_version') < migrations.length ? apply(db, sealing) : E.right(undefined)
}
