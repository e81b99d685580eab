import {
  minStoredEvents,
  type Encryption,
  type ProviderEvent,
  type ProviderEvents,
  type StoredProviderEvent,
  type ProviderEventPage,
  type Unavailable,
} from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attempt } from './attempt.js'

const insert = 'INSERT INTO provider_events (sealed) VALUES (?)'
const forget = 'DELETE FROM provider_events WHERE position <= ?'
const select = 'SELECT position, sealed FROM provider_events WHERE position > ? ORDER BY position LIMIT ?'
const selectLatest = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'provider_events'), 0)"

/** The number of events that are removed in one step. */
const forgottenTogether = 1000

/** The context of sealed events. */
export const eventContext = 'provider_events'

type EventRow = { readonly position: number; readonly sealed: string }

const Event: t.Type<ProviderEvent> = t.union([
  t.type({ event: t.literal('client_deleted'), client_id: t.string, registration_id: t.string }),
  t.type({ event: t.literal('session_ended'), sid: t.string }),
])

/** The event as stored text. */
export const sealEvent = ({ seal }: Encryption, event: ProviderEvent): TE.TaskEither<Unavailable, string> =>
  seal(JSON.stringify(event), eventContext)

const eventOf = (text: string): O.Option<ProviderEvent> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(Event.is),
  )

/** Called in the transaction that causes the event. */
export const createRecordEvent = (db: Database.Database): ((sealed: string) => void) => {
  const inserting = db.prepare(insert)
  const dropExpired = db.prepare(forget)
  return (sealed) => {
    const position = Number(inserting.run(sealed).lastInsertRowid)
    if (position % forgottenTogether === 0) dropExpired.run(position - minStoredEvents)
  }
}

// An event that no key decrypts is left out.
const openAll =
  ({ open }: Encryption) =>
  (rows: ReadonlyArray<EventRow>): TE.TaskEither<Unavailable, ReadonlyArray<StoredProviderEvent>> =>
    pipe(
      rows,
      TE.traverseArray(({ position, sealed }) =>
        pipe(open(sealed, eventContext), TE.map(O.flatMap(eventOf)), TE.map(O.map((event) => ({ position, event })))),
      ),
      TE.map((events) => events.flatMap((event) => (O.isSome(event) ? [event.value] : []))),
    )

export const createProviderEvents = (db: Database.Database, encryption: Encryption): ProviderEvents => {
  const selecting = db.prepare<[number, number], EventRow>(select)
  const latest = db.prepare<[], number>(selectLatest).pluck()
  return {
    latestPosition: attempt(() => latest.get() ?? 0),
    listEvents: (position, max) =>
      pipe(
        attempt(() => selecting.all(position, max)),
        TE.flatMap((rows) =>
          pipe(
            openAll(encryption)(rows),
            TE.map((events): ProviderEventPage => ({ events, position: rows.at(-1)?.position ?? position })),
          ),
        ),
      ),
  }
}
