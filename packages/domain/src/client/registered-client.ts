import type { RegisteredBy, Registrant } from '../authorization/authorize-registrant.js'
import type { PermittedMetadata } from '../authorization/permit-registration.js'
import type { Privileges } from '../authorization/privileges.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { ClientId } from './client-id.js'
import { needsSecret } from './client-metadata.js'
import type { ClientSecret } from './client-secret.js'
import { clientSecret, isExpired } from './client-secret.js'
import type { RegistrationRequest } from './registration-request.js'

/** RFC 7592 §1.3, with the hash by which a presented one is recognized. */
export type RegistrationAccessToken = { readonly token: string; readonly hash: TokenHash }

/**
 * What is kept of a client. `privileges` is what its registration was allowed, and bounds its own updates; `registered_by`
 * tells on whose word that was.
 */
export type RegisteredClient = {
  readonly client_id: ClientId
  readonly client_id_issued_at: EpochSeconds
  readonly secret: ClientSecret | undefined
  readonly registration_access_token: RegistrationAccessToken
  readonly registered_by: RegisteredBy
  readonly privileges: Privileges
  readonly metadata: PermittedMetadata
  /** Rises with every replacement, so that a store replaces only the version that was read. */
  readonly version: number
}

/** Fresh identifiers and the time: all that a decision about a client needs from the world. */
export type Issued = {
  readonly at: EpochSeconds
  readonly client_id: ClientId
  readonly client_secret: string
  readonly registration_access_token: RegistrationAccessToken
}

/** Lifetime in seconds, 0 for never expiring; and what an update renews. */
export type CredentialPolicy = {
  readonly clientSecretLifetime: number
  readonly rotateRegistrationAccessTokenOnUpdate: boolean
  readonly rotateClientSecretOnUpdate: boolean
}

/** A client comes into being: from permission and issued values alone. */
export const registeredClient =
  (policy: CredentialPolicy, issued: Issued) =>
  (request: RegistrationRequest, metadata: PermittedMetadata, registrant: Registrant): RegisteredClient => ({
    client_id: request.preferred_client_id ?? issued.client_id,
    client_id_issued_at: issued.at,
    secret: needsSecret(metadata)
      ? clientSecret(request.preferred_client_secret ?? issued.client_secret, issued.at, policy.clientSecretLifetime)
      : undefined,
    registration_access_token: issued.registration_access_token,
    registered_by: registrant.by,
    privileges: registrant.held,
    metadata,
    version: 1,
  })

const freshSecret = (policy: CredentialPolicy, issued: Issued): ClientSecret =>
  clientSecret(issued.client_secret, issued.at, policy.clientSecretLifetime)

const secretAfterUpdate = (
  policy: CredentialPolicy,
  issued: Issued,
  current: ClientSecret | undefined,
): ClientSecret =>
  current === undefined || policy.rotateClientSecretOnUpdate || isExpired(current, issued.at)
    ? freshSecret(policy, issued)
    : current

/** How long the secret would be that an update leaves the client with. */
export const secretLengthAfterUpdate =
  (policy: CredentialPolicy, issued: Issued) =>
  (client: RegisteredClient): number =>
    secretAfterUpdate(policy, issued, client.secret).client_secret.length

/** RFC 7592 §2.2: the metadata is replaced as a whole; credentials are renewed as the policy says. */
export const updatedClient =
  (policy: CredentialPolicy, issued: Issued) =>
  (client: RegisteredClient) =>
  (metadata: PermittedMetadata): RegisteredClient => ({
    ...client,
    secret: needsSecret(metadata) ? secretAfterUpdate(policy, issued, client.secret) : undefined,
    registration_access_token: policy.rotateRegistrationAccessTokenOnUpdate
      ? issued.registration_access_token
      : client.registration_access_token,
    metadata,
    version: client.version + 1,
  })

export const hasExpiredSecret = (client: RegisteredClient, at: EpochSeconds): boolean =>
  client.secret !== undefined && isExpired(client.secret, at)

/** The client with a new secret in place of the present one. */
export const withFreshSecret =
  (policy: CredentialPolicy, issued: Issued) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...client,
    secret: freshSecret(policy, issued),
    version: client.version + 1,
  })
