// A client whose client_id is the URL of its metadata, as it is stored from the first consent on; decision 0145.
import type { Privileges } from '../authorization/privileges.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { jsonInOrder } from '../codec/json-object.js'
import type { GeneratedCredentials, RegisteredClient } from '../registration/registered-client.js'
import type { DocumentedClient } from './decide-document.js'

/** No party knows its registration access token: only the document changes its metadata. */
export const storedDocument = (
  { client_id, metadata }: DocumentedClient,
  { at, registration_id, registration_access_token }: GeneratedCredentials,
  privileges: Privileges,
): RegisteredClient => ({
  client_id,
  registration_id,
  client_id_issued_at: at,
  secret: undefined,
  registration_access_token,
  registered_by: 'nobody',
  privileges,
  metadata,
  version: 1,
})

/** The stored client with the metadata of its document. */
export const withDocument = (client: RegisteredClient, metadata: RegisteredClient['metadata']): RegisteredClient => ({
  ...client,
  metadata,
  version: client.version + 1,
})

export const isSameMetadata = (one: ClientMetadata, other: ClientMetadata): boolean =>
  jsonInOrder({ ...one }) === jsonInOrder({ ...other })
