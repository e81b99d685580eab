// What is counted for metrics, in steps and up to a maximum.
import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import type { Census } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { statement } from './statement.js'
import { orNull } from './table.js'
import type { Engine } from './verb.js'
import { parkedMark } from './waiting-clients.js'

const clients = statement(
  `
SELECT ordinal, suspended_at, used_at, unused_open FROM clients
WHERE ordinal > :after ORDER BY ordinal LIMIT :max`,
  { after: 'number', max: 'number' },
  t.type({
    ordinal: t.number,
    suspended_at: orNull(EpochSeconds),
    used_at: orNull(EpochSeconds),
    unused_open: t.number,
  }),
)

const upTo = (from: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT :max) AS counted)`
const countAll = (size: string): string => `
SELECT ${upTo('initial_access_tokens WHERE expires_at > :at')} AS tokens,
  ${upTo('end_user_sessions WHERE over_at > :at')} AS sessions,
  ${upTo('notifications WHERE failed = 0')} AS waiting,
  ${upTo('notifications WHERE failed = 1')} AS failed,
  (SELECT min(created_at) FROM notifications) AS oldest,
  ${size} AS size`
const counts = statement(
  {
    sqlite: countAll('(SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size())'),
    postgresql: countAll('pg_database_size(current_database())'),
  },
  { at: 'number', max: 'number' },
  t.type({
    tokens: t.number,
    sessions: t.number,
    waiting: t.number,
    failed: t.number,
    oldest: orNull(EpochSeconds),
    size: t.number,
  }),
)

/** `logSize`: the octets of the log, where that is a file beside the database. */
export const createCensus = (engine: Engine, logSize?: TE.TaskEither<Unavailable, number>): Census => ({
  countClients: (after, max) =>
    pipe(
      engine.all(clients, { after, max }),
      TE.map((rows) => {
        const counted = rows.map(({ suspended_at, used_at, unused_open }) => ({
          ...(suspended_at === null ? {} : { suspended_at }),
          last_use: used_at ?? undefined,
          parked: unused_open === parkedMark,
        }))
        const last = rows.at(-1)
        return last === undefined || rows.length < max ? { clients: counted } : { clients: counted, next: last.ordinal }
      }),
    ),
  countOthers: (at, max) =>
    pipe(
      engine.get(counts, { at, max }),
      TE.filterOrElse(
        (row) => row !== undefined,
        () => unavailable('the counts of the store are missing'),
      ),
      TE.bindTo('row'),
      TE.bind('log', () => logSize ?? TE.right(undefined)),
      TE.map(({ row: { tokens, sessions, waiting, failed, oldest, size }, log }) => ({
        initialAccessTokens: tokens,
        endUserSessions: sessions,
        notifications: { waiting, failed },
        oldestNotification: oldest ?? undefined,
        size: { database: size, ...(log === undefined ? {} : { log }) },
      })),
    ),
})
