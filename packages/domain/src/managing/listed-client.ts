// A client as the operator lists it: without its credentials, which are not even decrypted.
import type { RegisteredBy } from '../authorization/credential.js'
import type { ClientId } from '../client/client-id.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { LifeCycleFacts } from '../life-cycle/client-state.js'
import type { Provenance } from '../registration/provenance.js'
import type { Version } from '../registration/entity-tag.js'
import type { RegisteredClient } from '../registration/registered-client.js'

export type ListedClient = LifeCycleFacts &
  Version & {
    readonly client_id: ClientId
    readonly client_id_issued_at: EpochSeconds
    /** The authority for the registration. */
    readonly registered_by: RegisteredBy
    readonly client_secret_expires_at?: EpochSeconds
    readonly provenance?: Provenance
    readonly metadata: ClientMetadata
    /** The UTC day of the last use; undefined before the first. */
    readonly last_use: EpochSeconds | undefined
  }

export const listedClient = (
  client: RegisteredClient,
  { last_use, parked }: Pick<ListedClient, 'last_use' | 'parked'>,
): ListedClient => {
  const { client_id, registration_id, version, client_id_issued_at, registered_by, metadata, secret } = client
  return {
    client_id,
    registration_id,
    version,
    client_id_issued_at,
    registered_by,
    metadata,
    last_use,
    parked,
    ...(secret === undefined ? {} : { client_secret_expires_at: secret.client_secret_expires_at }),
    ...(client.suspended_at === undefined ? {} : { suspended_at: client.suspended_at }),
    ...(client.provenance === undefined ? {} : { provenance: client.provenance }),
  }
}
