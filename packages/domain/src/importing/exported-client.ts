// The format of an export: one JSON object for each client. Its first member is the version of the format.
import type { RegisteredClient } from '../registration/registered-client.js'
import type { Provenance } from '../registration/provenance.js'
import { earlierProvenance } from './imported-provenance.js'
import type { ClientWithUse } from '../ports/client-registry.js'
import type { JsonObject } from '../codec/json-object.js'

export const exportVersion = 2

/** The versions that an import reads. Version 1 said nothing of suspension and use. */
export const readableVersions: ReadonlyArray<unknown> = [1, exportVersion]

/** Whether an export contains the client secrets and registration access tokens. */
export type ExportOptions = { readonly secrets: boolean }

export type ExportedClient = {
  readonly clientele_client: typeof exportVersion
  readonly client_id: string
  readonly client_id_issued_at: number
  readonly registered_by: string
  readonly privileges: RegisteredClient['privileges']
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  readonly registration_access_token?: string
  readonly provenance?: Provenance
  readonly suspended_at?: number
  readonly last_used_at?: number
  readonly metadata: RegisteredClient['metadata'] | JsonObject
}

/** A client as an export writes it. The registration_id is left out: an import is another registration. */
export const exportedClient =
  ({ secrets }: ExportOptions) =>
  ({ client, last_use }: ClientWithUse): ExportedClient => {
    const provenance = earlierProvenance(client.provenance)
    return {
      clientele_client: exportVersion,
      client_id: client.client_id,
      client_id_issued_at: client.client_id_issued_at,
      registered_by: client.registered_by,
      privileges: client.privileges,
      ...(secrets ? { ...client.secret, registration_access_token: client.registration_access_token.token } : {}),
      ...(provenance === undefined ? {} : { provenance }),
      ...(client.suspended_at === undefined ? {} : { suspended_at: client.suspended_at }),
      ...(last_use === undefined ? {} : { last_used_at: last_use }),
      metadata: client.metadata,
    }
  }
