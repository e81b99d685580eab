import { type ClientUse, ClientId, EpochSeconds, RegistrationId } from '@clientele/domain'
import * as t from 'io-ts'

const UseRow = t.type({
  client_id: ClientId,
  registration_id: RegistrationId,
  used_at: t.union([EpochSeconds, t.null]),
})

const fromUseRow = (row: unknown): ReadonlyArray<ClientUse> => {
  if (!UseRow.is(row)) return []
  const { client_id, registration_id, used_at } = row
  return [{ client_id, registration_id, last_use: used_at ?? undefined }]
}

/** The uses of clients by their rows, in the order of the ids; none for a row that cannot be read. */
export const fromUseRows =
  (ids: ReadonlyArray<ClientId>) =>
  (rows: ReadonlyArray<unknown>): ReadonlyArray<ClientUse> => {
    const byId = new Map(rows.flatMap(fromUseRow).map((use) => [use.client_id, use]))
    return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
  }
