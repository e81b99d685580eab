import { minStoredEvents, type ProviderEvent, type ProviderEvents, type ProviderEventPage } from '@clientele/domain'
import { type EventRow, fromEventRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Connection } from './connection.js'

const insert = 'INSERT INTO provider_events (event) VALUES (?)'
const forget = 'DELETE FROM provider_events WHERE position <= ?'
const select = 'SELECT position, event FROM provider_events WHERE position > ? ORDER BY position LIMIT ?'
const selectLatest = 'SELECT coalesce(max(position), 0) FROM provider_events'

/** The number of events that are removed in one step. */
const forgottenTogether = 1000

/** Called in the transaction that causes the event. */
export const createRecordEvent = (db: Database.Database): ((event: ProviderEvent) => void) => {
  const inserting = db.prepare(insert)
  const dropExpired = db.prepare(forget)
  return (event) => {
    const position = Number(inserting.run(JSON.stringify(event)).lastInsertRowid)
    if (position % forgottenTogether === 0) dropExpired.run(position - minStoredEvents)
  }
}

export const createProviderEvents = ({ db, read }: Connection): ProviderEvents => {
  const selecting = db.prepare<[number, number], EventRow>(select)
  const latest = db.prepare<[], number>(selectLatest).pluck()
  return {
    latestPosition: read(() => latest.get() ?? 0),
    listEvents: (position, max) =>
      pipe(
        read(() => selecting.all(position, max)),
        TE.map((rows): ProviderEventPage => ({
          events: rows.flatMap(fromEventRow),
          position: rows.at(-1)?.position ?? position,
          // Positions are consecutive here.
          forgotten: (rows[0]?.position ?? 0) > position + 1,
        })),
      ),
  }
}
