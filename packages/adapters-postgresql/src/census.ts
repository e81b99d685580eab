import type { Census } from '@clientele/domain'
import { fromCountedRows, fromCountsRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database } from './database.js'

const selectClients = {
  name: 'count_clients',
  text: `
SELECT ordinal, suspended_at, used_at, unused_open FROM clients
WHERE ordinal > $1 ORDER BY ordinal LIMIT $2`,
}
const upTo = (from: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT $2) AS counted)`
const selectCounts = {
  name: 'count_others',
  text: `
SELECT ${upTo('initial_access_tokens WHERE expires_at > $1')} AS tokens,
  ${upTo('end_user_sessions WHERE over_at > $1')} AS sessions,
  ${upTo('notifications WHERE failed = 0')} AS waiting,
  ${upTo('notifications WHERE failed = 1')} AS failed,
  (SELECT min(created_at) FROM notifications) AS oldest,
  pg_database_size(current_database()) AS size`,
}

const Size = t.type({ size: t.number })

export const createCensus = (db: Database): Census => ({
  countClients: (after, max) => pipe(db.run(selectClients, [after, max]), TE.flatMapEither(fromCountedRows(max))),
  countOthers: (at, max) =>
    pipe(
      db.first(selectCounts, [at, max]),
      TE.flatMapEither((row) =>
        pipe(
          fromCountsRow(row),
          E.map((counts) => ({ ...counts, size: Size.is(row) ? { database: row.size } : {} })),
        ),
      ),
    ),
})
