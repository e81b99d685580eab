// The rows of listed clients: nothing is decrypted, so that a list costs little and has no credential.
import {
  type ListedClient,
  ClientId,
  EpochSeconds,
  RegisteredBy,
  RegistrationId,
  isParsedObject,
  storedMetadata,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { provenanceIn } from './provenance-columns.js'
import { parkedMark } from './waiting-clients.js'

/** The columns that a list reads, also in SQL that joins no other table. */
export const listedColumns = `ordinal, client_id, registration_id, version, client_id_issued_at,
  client_secret_expires_at, registered_by, metadata, suspended_at, used_at, unused_open, token_fingerprint, statement_issuer, imported`

const ListedRow = t.type({
  ordinal: t.number,
  client_id: ClientId,
  registration_id: RegistrationId,
  version: t.number,
  client_id_issued_at: EpochSeconds,
  client_secret_expires_at: t.union([EpochSeconds, t.null]),
  registered_by: RegisteredBy,
  metadata: t.string,
  suspended_at: t.union([EpochSeconds, t.null]),
  used_at: t.union([EpochSeconds, t.null]),
  unused_open: t.number,
  token_fingerprint: t.union([t.string, t.null]),
  statement_issuer: t.union([t.string, t.null]),
  imported: t.number,
})

/** A listed client, and its position. */
export type PlacedClient = { readonly position: number; readonly client: ListedClient }

// An unreadable client is listed, so that the operator finds and removes it.
const metadataIn = (text: string): ListedClient['metadata'] => {
  const parsed = O.tryCatch((): unknown => JSON.parse(text))
  return storedMetadata(O.isSome(parsed) && isParsedObject(parsed.value) ? parsed.value : {})
}

/** None for a row whose columns cannot be read. */
export const fromListedRow = (row: unknown): ReadonlyArray<PlacedClient> => {
  if (!ListedRow.is(row)) return []
  const { client_id, registration_id, version, client_id_issued_at, registered_by } = row
  const provenance = provenanceIn(row)
  const client: ListedClient = {
    client_id,
    registration_id,
    version,
    client_id_issued_at,
    registered_by,
    metadata: metadataIn(row.metadata),
    last_use: row.used_at ?? undefined,
    parked: row.unused_open === parkedMark,
    ...(row.client_secret_expires_at === null ? {} : { client_secret_expires_at: row.client_secret_expires_at }),
    ...(row.suspended_at === null ? {} : { suspended_at: row.suspended_at }),
    ...(provenance === undefined ? {} : { provenance }),
  }
  return [{ position: row.ordinal, client }]
}
