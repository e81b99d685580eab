// Makes or changes the schema of a file, in one transaction.
import type { StoreRefusal } from '@clientele/domain/ports'
import { storeRefusal } from '@clientele/adapters-sql'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { migrations } from './schema.js'
import { onFile } from './failures.js'

const [{ number: first }] = migrations
const present = migrations.reduce((last, { number }) => Math.max(last, number), 0)

// SQLite's application_id: "Clie".
export const applicationId = 0x436c_6965

const pragma = (db: Database.Database, name: string): number => Number(db.pragma(name, { simple: true }))

const versionOf = (db: Database.Database): number => pragma(db, 'user_version')

/** Whether all migrations were applied. */
export const isPresent = (db: Database.Database): boolean => versionOf(db) === present

const isEmpty = (db: Database.Database): boolean => db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0

const schemaFault = (db: Database.Database): StoreRefusal | undefined => {
  if (isEmpty(db)) return undefined
  if (pragma(db, 'application_id') !== applicationId)
    return storeRefusal('foreign-schema', `${db.name} is a database of something else: name another data directory`)
  const version = versionOf(db)
  if (version > present)
    return storeRefusal(
      'newer-schema',
      `${db.name} was written by a newer version (schema ${version}): start that version`,
    )
  return version < first
    ? storeRefusal(
        'earlier-schema',
        `${db.name} was written before the first release (schema ${version}): convert it by node packages/app/convert-database.mjs ${db.name}`,
      )
    : undefined
}

/** Makes the schema in a new database, or goes on from an earlier one. */
export const makeSchema = (db: Database.Database): void => {
  const version = versionOf(db)
  for (const { statements } of migrations.filter(({ number }) => number > version)) db.exec(statements)
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${present}`)
}

/** Migrates the schema in one transaction; refuses a schema that is not of a release before this one, without changes. */
export const migrate = (db: Database.Database): TE.TaskEither<StoreRefusal, void> =>
  pipe(
    onFile(db.name)(() => {
      const fault = schemaFault(db)
      if (fault !== undefined) return E.left(fault)
      if (!isPresent(db)) db.transaction(makeSchema).immediate(db)
      return E.right(undefined)
    }),
    TE.flatMapEither(identity),
  )
