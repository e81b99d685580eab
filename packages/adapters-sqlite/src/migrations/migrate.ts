import type { Encryption, StoreRefusal } from '@clientele/domain'
import { storeRefusal } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { onFile } from '../store-refusal.js'
import { clients } from './0001-clients.js'
import { limits } from './0002-limits.js'
import { keyRings } from './0003-key-rings.js'
import { logout } from './0004-logout.js'
import { provenRows } from './0005-proven-rows.js'
import { leases } from './0006-leases.js'
import { nameReceivers, notificationClaims } from './0007-notification-claims.js'
import { factsOfTheDomain } from './0008-facts-of-the-domain.js'
import { providerEvents } from './0009-provider-events.js'
import { registrations } from './0010-registrations.js'
import { logoutConfirmations } from './0011-logout-confirmations.js'
import { plainEvents } from './0012-plain-events.js'
import { artefacts } from './0013-artefacts.js'
import { operatorTokens } from './0014-operator-tokens.js'
import { lifeCycle } from './0015-life-cycle.js'
import { budgets } from './0016-budgets.js'
import { searchedClients } from './0017-searched-clients.js'
import { auditLog } from './0018-audit-log.js'
import { precedingTokens } from './0019-preceding-tokens.js'
import { keyedRegistrations } from './0020-keyed-registrations.js'
import { observedDays } from './0021-observed-days.js'
import { auditIndexes } from './0022-audit-indexes.js'
import { removedClients } from './0023-removed-clients.js'
import { dropEarlierSeals, earlierDigestKey, hasEarlierSeals, sealEarlierRows } from './seal-earlier-rows.js'

type Migration = {
  readonly number: number
  readonly statements: string
  /** A step after the statements. */
  readonly then?: (db: Database.Database) => void
}

/** Forward only, in the order of their numbers, which never change. */
const migrations: ReadonlyArray<Migration> = [
  { number: 1, statements: clients },
  { number: 2, statements: limits },
  { number: 3, statements: keyRings },
  { number: 4, statements: logout },
  { number: 5, statements: provenRows },
  { number: 6, statements: leases },
  { number: 7, statements: notificationClaims, then: nameReceivers },
  { number: 8, statements: factsOfTheDomain },
  { number: 9, statements: providerEvents },
  { number: 10, statements: registrations },
  { number: 11, statements: logoutConfirmations },
  { number: 12, statements: plainEvents },
  { number: 13, statements: artefacts },
  { number: 14, statements: operatorTokens },
  { number: 15, statements: lifeCycle },
  { number: 16, statements: budgets },
  { number: 17, statements: searchedClients },
  { number: 18, statements: auditLog },
  { number: 19, statements: precedingTokens },
  { number: 20, statements: keyedRegistrations },
  { number: 21, statements: observedDays },
  { number: 22, statements: auditIndexes },
  { number: 23, statements: removedClients },
]

const present = migrations.reduce((last, { number }) => Math.max(last, number), 0)

// SQLite's application_id: "Clie".
export const applicationId = 0x436c_6965

const pragma = (db: Database.Database, name: string): number => Number(db.pragma(name, { simple: true }))

const versionOf = (db: Database.Database): number => pragma(db, 'user_version')

/** Whether all migrations were applied. */
export const isPresent = (db: Database.Database): boolean => versionOf(db) === present

const isEmpty = (db: Database.Database): boolean => db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0

const schemaFault = (db: Database.Database): StoreRefusal | undefined => {
  if (pragma(db, 'application_id') !== applicationId && !isEmpty(db))
    return storeRefusal('foreign-schema', `${db.name} is a database of something else: name another data directory`)
  const version = versionOf(db)
  return version > present
    ? storeRefusal('newer-schema', `${db.name} was written by a newer version (schema ${version}): start that version`)
    : undefined
}

const apply = (db: Database.Database): void => {
  const version = versionOf(db)
  for (const { statements, then } of migrations.filter(({ number }) => number > version)) {
    db.exec(statements)
    then?.(db)
  }
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${present}`)
}

/** Makes the schema in a new database. */
export const makeSchema = (db: Database.Database): void => {
  apply(db)
  dropEarlierSeals(db)
}

/**
 * Migrates the schema in one transaction; refuses a foreign or a newer schema without changes. Afterwards it seals anew
 * what versions before the fifth sealed, in transactions of its own.
 */
export const migrate = (db: Database.Database, encryption: Encryption): TE.TaskEither<StoreRefusal, void> => {
  const work = onFile(db.name)
  const whereEarlierSeals = <Done>(then: TE.TaskEither<StoreRefusal, Done>): TE.TaskEither<StoreRefusal, void> =>
    pipe(
      work(() => hasEarlierSeals(db)),
      TE.flatMap((pending): TE.TaskEither<StoreRefusal, unknown> => (pending ? then : TE.right(undefined))),
      TE.asUnit,
    )
  return pipe(
    work(() => schemaFault(db)),
    TE.flatMap((fault) => (fault === undefined ? TE.right(undefined) : TE.left(fault))),
    TE.flatMap(() => whereEarlierSeals(earlierDigestKey(db, encryption))),
    TE.flatMap(() => work(() => (versionOf(db) < present ? db.transaction(apply).immediate(db) : undefined))),
    TE.flatMap(() => whereEarlierSeals(sealEarlierRows(db, encryption))),
  )
}
