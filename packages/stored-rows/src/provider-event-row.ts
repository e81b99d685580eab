import type { ProviderEvent, StoredProviderEvent } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

/** A row of the table provider_events. */
export type EventRow = { readonly position: number; readonly event: string }

const Event: t.Type<ProviderEvent> = t.union([
  t.type({ event: t.literal('client_deleted'), client_id: t.string, registration_id: t.string }),
  t.type({ event: t.literal('session_ended'), sid: t.string }),
])

/** The event of a row; none if the text is not an event. */
export const fromEventRow = ({ position, event }: EventRow): ReadonlyArray<StoredProviderEvent> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(event)),
    O.filter(Event.is),
    O.match(
      () => [],
      (read) => [{ position, event: read }],
    ),
  )
