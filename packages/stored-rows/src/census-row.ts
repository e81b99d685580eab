import {
  type CountedClient,
  type CountedClients,
  EpochSeconds,
  type StoredCounts,
  type Unavailable,
  unavailable,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { parkedMark } from './waiting-clients.js'

const nullableTime = t.union([EpochSeconds, t.null])

const CountedRow = t.type({
  ordinal: t.number,
  suspended_at: nullableTime,
  used_at: nullableTime,
  unused_open: t.number,
})

const counted = ({ suspended_at, used_at, unused_open }: t.TypeOf<typeof CountedRow>): CountedClient => ({
  ...(suspended_at === null ? {} : { suspended_at }),
  last_use: used_at ?? undefined,
  parked: unused_open === parkedMark,
})

/** The columns that a state follows from, of a step with at most `max` rows. */
export const fromCountedRows =
  (max: number) =>
  (rows: ReadonlyArray<unknown>): E.Either<Unavailable, CountedClients> => {
    const read = rows.filter(CountedRow.is)
    if (read.length < rows.length) return E.left(unavailable('the columns of a client are not as they were written'))
    const clients = read.map(counted)
    const last = read.at(-1)
    return E.right(last === undefined || rows.length < max ? { clients } : { clients, next: last.ordinal })
  }

const CountsRow = t.type({
  tokens: t.number,
  sessions: t.number,
  waiting: t.number,
  failed: t.number,
  oldest: nullableTime,
})

type Counts = Omit<StoredCounts, 'size'>

export const fromCountsRow = (row: unknown): E.Either<Unavailable, Counts> =>
  pipe(
    CountsRow.is(row) ? E.right(row) : E.left(unavailable('the counts of the store are not numbers')),
    E.map(({ tokens, sessions, waiting, failed, oldest }) => ({
      initialAccessTokens: tokens,
      endUserSessions: sessions,
      notifications: { waiting, failed },
      oldestNotification: oldest ?? undefined,
    })),
  )
