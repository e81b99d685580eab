// The events for an OpenID provider beside the registry, written with what causes them.
import {
  type ProviderEvent,
  type ProviderEventPage,
  type ProviderEvents,
  type StoredProviderEvent,
  minStoredEvents,
} from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, returning, statement } from './statement.js'
import { json, orNull } from './table.js'
import type { Engine, Tx } from './verb.js'

/** The number of events that are removed in one step: before the first step, the oldest ordinal is not higher. */
const forgottenTogether = 1000

const Inserted = t.type({ ordinal: t.number })
const insertEvent = returning('provider_events', { event: 'text' } as const, { key: ['event'] }, ['ordinal'], Inserted)
const forgetEvents = change('DELETE FROM provider_events WHERE ordinal <= :ordinal', { ordinal: 'number' } as const)

export const recordEvent = async (tx: Tx, event: ProviderEvent): Promise<void> => {
  const inserted = await tx.get(insertEvent, { event: JSON.stringify(event) })
  if (inserted !== undefined && inserted.ordinal % forgottenTogether === 0)
    await tx.run(forgetEvents, { ordinal: inserted.ordinal - minStoredEvents })
}

// In SQLite, which has one writer, the position of an event is its ordinal, and ordinals are consecutive. In PostgreSQL, it is
// the number of its transaction, which may have several events. An event is shown when no transaction before it is open, so
// that positions appear in their order.
const isSettled = 'transaction < pg_snapshot_xmin(pg_current_snapshot())'
const selectEvents = statement(
  {
    sqlite: `
SELECT ordinal AS position, event, ordinal > :position + 1 AS forgotten
FROM provider_events WHERE ordinal > :position ORDER BY ordinal LIMIT :max`,
    postgresql: `
SELECT transaction::text::bigint AS position, event,
  (SELECT (:position <> 0 AND oldest.transaction > :position::text::xid8 AND oldest.ordinal > ${forgottenTogether})::int
   FROM provider_events AS oldest ORDER BY oldest.ordinal LIMIT 1) AS forgotten
FROM provider_events WHERE transaction > :position::text::xid8 AND ${isSettled} ORDER BY transaction
FETCH FIRST (:max) ROWS WITH TIES`,
  },
  { position: 'number', max: 'number' },
  t.type({ position: t.number, event: t.string, forgotten: t.number }),
)
const selectLatest = statement(
  {
    sqlite: 'SELECT max(ordinal) AS position FROM provider_events',
    postgresql: `
SELECT transaction::text::bigint AS position FROM provider_events WHERE ${isSettled} ORDER BY transaction DESC LIMIT 1`,
  },
  {},
  t.type({ position: orNull(t.number) }),
)

const Event: t.Type<ProviderEvent> = t.union([
  t.type({ event: t.literal('client_deleted'), client_id: t.string, registration_id: t.string }),
  t.type({ event: t.literal('session_ended'), sid: t.string }),
])

type EventRow = { readonly position: number; readonly event: string }

/** The event of a row; none if the text is not an event. */
const fromRow = ({ position, event }: EventRow): ReadonlyArray<StoredProviderEvent> => {
  const read = O.toUndefined(json(event))
  return Event.is(read) ? [{ position, event: read }] : []
}

export const createProviderEvents = (engine: Engine): ProviderEvents => ({
  latestPosition: pipe(
    engine.get(selectLatest, {}),
    TE.map((latest) => latest?.position ?? 0),
  ),
  listEvents: (position, max) =>
    pipe(
      engine.all(selectEvents, { position, max }),
      TE.map((rows): ProviderEventPage => ({
        events: rows.flatMap(fromRow),
        position: rows.at(-1)?.position ?? position,
        forgotten: rows[0] !== undefined && rows[0].forgotten > 0,
      })),
    ),
})
