import {
  type ClientUse,
  type ClientWithUse,
  type RegisteredClient,
  ClientId,
  EpochSeconds,
  RegistrationId,
} from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { parkedMark } from './waiting-clients.js'
import type { ReadRow } from './read-row.js'

const UseRow = t.type({
  client_id: ClientId,
  registration_id: RegistrationId,
  used_at: t.union([EpochSeconds, t.null]),
  unused_open: t.number,
})

const fromUseRow = (row: unknown): ReadonlyArray<ClientUse> => {
  if (!UseRow.is(row)) return []
  const { client_id, registration_id, used_at, unused_open } = row
  return [{ client_id, registration_id, last_use: used_at ?? undefined, parked: unused_open === parkedMark }]
}

/** The uses of clients by their rows, in the order of the ids; none for a row that cannot be read. */
export const fromUseRows =
  (ids: ReadonlyArray<ClientId>) =>
  (rows: ReadonlyArray<unknown>): ReadonlyArray<ClientUse> => {
    const byId = new Map(rows.flatMap(fromUseRow).map((use) => [use.client_id, use]))
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
  }

/** The client of a row that has the last use as well. */
export const readWithUse =
  (read: ReadRow<RegisteredClient>): ReadRow<ClientWithUse> =>
  (row) =>
    pipe(
      read(row),
      TE.map((client) => ({ client, last_use: fromUseRow(row)[0]?.last_use })),
    )
