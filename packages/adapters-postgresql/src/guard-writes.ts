// Code that a later migration excludes writes nothing any more. Each announcement of the instance looks for one.
import { type ExcludedBySchema, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Database, Query } from './database.js'

const selectSchema = { name: 'select_schema', text: 'SELECT version, works_with FROM schema_version' }

const Schema = t.type({ version: t.number, works_with: t.number })

export type WriteGuard = {
  /** The database, of which writes are unavailable while the last look found that the schema excludes this code. */
  readonly guarded: Database
  readonly look: (query: Query) => Promise<E.Either<ExcludedBySchema, void>>
}

/** `last` is the schema that this code expects. */
export const guardWrites = (db: Database, last: number): WriteGuard => {
  const found: { excludes?: ExcludedBySchema } = {}
  const guard =
    <Failure, Result>(write: TE.TaskEither<Failure, Result>) =>
    () =>
      found.excludes === undefined
        ? write()
        : TE.left(unavailable(`schema ${found.excludes.schema} excludes this version of the service`))()
  return {
    guarded: {
      maxTogether: db.maxTogether,
      name: db.name,
      run: db.run,
      confirmReads: db.confirmReads,
      checkWrites: db.checkWrites,
      first: db.first,
      writeOnce: (write) => guard(db.writeOnce(write)),
      transaction: (write, limit) => guard(db.transaction(write, limit)),
      close: db.close,
    },
    look: async (query) => {
      const [schema] = await query(selectSchema)
      if (Schema.is(schema) && schema.works_with > last) {
        found.excludes = { error: 'excluded_by_schema', schema: schema.version }
        return E.left(found.excludes)
      }
      delete found.excludes
      return E.right(undefined)
    },
  }
}
