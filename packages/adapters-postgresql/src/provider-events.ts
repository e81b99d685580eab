import { minStoredEvents, type ProviderEvent, type ProviderEventPage, type ProviderEvents } from '@clientele/domain'
import { fromEventRow } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Query } from './database.js'

// The position of an event is the number of its transaction. An event is shown when no transaction before it is open, so
// that positions appear in their order.
const isSettled = 'transaction < pg_snapshot_xmin(pg_current_snapshot())'

/** The number of events that are removed in one step: before the first step, the oldest ordinal is not higher. */
const forgottenTogether = 1000

const insertEvent = {
  name: 'insert_event',
  text: 'INSERT INTO provider_events (event) VALUES ($1) RETURNING ordinal',
}
const forgetEvents = { name: 'forget_events', text: 'DELETE FROM provider_events WHERE ordinal <= $1' }
const selectEvents = {
  name: 'select_events',
  text: `
SELECT transaction::text::bigint AS position, event,
  (SELECT $1 <> '0' AND oldest.transaction > $1::text::xid8 AND oldest.ordinal > ${forgottenTogether}
   FROM provider_events AS oldest ORDER BY oldest.ordinal LIMIT 1) AS forgotten
FROM provider_events WHERE transaction > $1::text::xid8 AND ${isSettled} ORDER BY transaction LIMIT $2`,
}
const selectLatest = {
  name: 'select_latest_event',
  text: `
SELECT transaction::text::bigint AS position FROM provider_events WHERE ${isSettled} ORDER BY transaction DESC LIMIT 1`,
}

const Inserted = t.type({ ordinal: t.number })
const Position = t.type({ position: t.number })
const EventRow = t.type({ position: t.number, event: t.string, forgotten: t.boolean })

/** Called once in the transaction that causes the event. */
export const recordEvent = async (query: Query, event: ProviderEvent): Promise<void> => {
  const [inserted] = await query(insertEvent, [JSON.stringify(event)])
  if (Inserted.is(inserted) && inserted.ordinal % forgottenTogether === 0)
    await query(forgetEvents, [inserted.ordinal - minStoredEvents])
}

export const createProviderEvents = (db: Database): ProviderEvents => ({
  latestPosition: pipe(
    db.run(selectLatest),
    TE.map(([latest]) => (Position.is(latest) ? latest.position : 0)),
  ),
  listEvents: (position, max) =>
    pipe(
      db.run(selectEvents, [String(position), max]),
      TE.map((rows): ProviderEventPage => {
        const events = rows.filter(EventRow.is)
        return {
          events: events.flatMap(fromEventRow),
          position: events.at(-1)?.position ?? position,
          forgotten: events[0]?.forgotten ?? false,
        }
      }),
    ),
})
