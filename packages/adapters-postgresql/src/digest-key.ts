import type { StoreRefusal } from '@clientele/domain'
import { type DigestKeyRow, digestKeyName } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Statement, Values } from './database.js'
import { unusable } from './refusals.js'

const selectKey = { name: 'select_secret', text: 'SELECT sealed FROM secrets WHERE name = $1' }
const insertKey = {
  name: 'insert_secret',
  text: 'INSERT INTO secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
}
const updateKey = { name: 'update_secret', text: 'UPDATE secrets SET sealed = $2 WHERE name = $1 AND sealed = $3' }

const Sealed = t.type({ sealed: t.string })

export const digestKeyRow = (db: Database): DigestKeyRow => {
  const write = (statement: Statement, values: Values): TE.TaskEither<StoreRefusal, unknown> =>
    pipe(db.run(statement, values), TE.mapLeft(unusable(db.name)))
  return {
    find: pipe(
      db.run(selectKey, [digestKeyName]),
      TE.mapBoth(unusable(db.name), ([row]) => (Sealed.is(row) ? row.sealed : undefined)),
    ),
    insert: (sealed) => write(insertKey, [digestKeyName, sealed]),
    replace: (sealed, replacing) => write(updateKey, [digestKeyName, sealed, replacing]),
  }
}
