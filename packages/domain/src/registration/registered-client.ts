import type { RegisteredBy, Registrant } from '../authorization/authorize-registrant.js'
import type { PermittedMetadata } from './permit-registration.js'
import type { Privileges } from '../authorization/privileges.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { ClientId } from '../client/client-id.js'
import { needsSecret } from '../client/client-metadata.js'
import { type ClientSecret, clientSecret, isExpired } from '../client/client-secret.js'
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

/** Registered on nobody's word: the client counts as unused and open until it is used for the first time. */
export const isOpenClient = ({ registered_by }: Pick<RegisteredClient, 'registered_by'>): boolean =>
  registered_by === 'nobody'

/** Fresh identifiers and the time: all that a decision about a client needs from the world. */
export type Issued = {
  readonly at: EpochSeconds
  readonly client_id: ClientId
  readonly client_secret: string
  /** More of the same, for a secret that is as long as the one before it. */
  readonly client_secret_rest: string
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

// RFC 7518 §3.2: never shorter than the secret before it, which the client's algorithms may need
const freshSecret = (policy: CredentialPolicy, issued: Issued, current: ClientSecret | undefined): ClientSecret => {
  const { client_secret, client_secret_rest, at } = issued
  const length = Math.max(client_secret.length, current?.client_secret.length ?? 0)
  return clientSecret((client_secret + client_secret_rest).slice(0, length), at, policy.clientSecretLifetime)
}

const secretAfterUpdate = (
  policy: CredentialPolicy,
  issued: Issued,
  current: ClientSecret | undefined,
): ClientSecret =>
  current === undefined || policy.rotateClientSecretOnUpdate || isExpired(current, issued.at)
    ? freshSecret(policy, issued, current)
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

/** The client with new credentials in place of the present ones, whatever the policy keeps in an update. */
export const withFreshCredentials =
  (policy: CredentialPolicy, issued: Issued) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...client,
    secret: client.secret === undefined ? undefined : freshSecret(policy, issued, client.secret),
    registration_access_token: issued.registration_access_token,
    version: client.version + 1,
  })

/** The client with a new secret in place of the present one. */
export const withFreshSecret =
  (policy: CredentialPolicy, issued: Issued) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...client,
    secret: freshSecret(policy, issued, client.secret),
    version: client.version + 1,
  })
