import type { Registrant } from '../authorization/authorize-registrant.js'
import type { PresentedCredential, RegisteredBy, TokenHash } from '../authorization/credential.js'
import type { PermittedMetadata } from './permit-registration.js'
import type { Provenance } from './provenance.js'
import type { Privileges } from '../authorization/privileges.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { ClientId } from '../client/client-id.js'
import { type PrecedingToken, precedingAfterUpdate } from './preceding-token.js'
import type { RegistrationId } from '../client/registration-id.js'
import { needsSecret } from '../client/client-metadata.js'
import { type ClientSecret, clientSecret, isExpired } from '../client/client-secret.js'
import type { RegistrationRequest } from './registration-request.js'

/** RFC 7592 §1.3, with the hash that recognizes a presented token. */
export type RegistrationAccessToken = { readonly token: string; readonly hash: TokenHash }

/**
 * The stored client. `privileges` are those granted at registration; they limit the client's own updates.
 * `registered_by` is the authority for the registration.
 */
export type RegisteredClient = {
  readonly client_id: ClientId
  /** Updates and renewals keep it, and everything that is recorded for the client names it. */
  readonly registration_id: RegistrationId
  readonly client_id_issued_at: EpochSeconds
  readonly secret: ClientSecret | undefined
  readonly registration_access_token: RegistrationAccessToken
  /** Of an update whose answer may be lost; left out where the newest token alone opens the client. */
  readonly preceding_token?: PrecedingToken
  readonly registered_by: RegisteredBy
  readonly privileges: Privileges
  readonly metadata: PermittedMetadata
  /** Increases with every replacement, so that a store replaces only the version that was read. */
  readonly version: number
  /** Since when the operator suspends the client; left out where it does not. */
  readonly suspended_at?: EpochSeconds
  /** Since when it waits for its first use (waitsSince); left out where that is client_id_issued_at. */
  readonly waits_since?: EpochSeconds
  /** What the client was registered with; left out where nothing is known of it. */
  readonly provenance?: Provenance
}

/** Generated credentials and the time: the only inputs from outside that a decision about a client needs. */
export type GeneratedCredentials = {
  readonly at: EpochSeconds
  readonly client_id: ClientId
  readonly registration_id: RegistrationId
  readonly client_secret: string
  /** Further characters of the same kind, for a secret as long as the client's algorithms need (RFC 7518 §3.2). */
  readonly client_secret_padding: string
  readonly registration_access_token: RegistrationAccessToken
}

/** Lifetime of the secret in seconds, 0 for unlimited; and the credentials that an update renews. */
export type CredentialPolicy = {
  readonly clientSecretLifetime: number
  readonly rotateRegistrationAccessTokenOnUpdate: boolean
  /** Seconds in which the token of an update stays valid until the new one is first used; none, unless it is set. */
  readonly registrationAccessTokenGrace?: number
  readonly rotateClientSecretOnUpdate: boolean
  /** Whether an update keeps an expired secret as well; it renews it, unless this is set. */
  readonly keepsExpiredClientSecretOnUpdate?: boolean
}

/** The policy of an update that keeps every credential: a secret is made or dropped only where the metadata demands it. */
export const keepingCredentials = (policy: CredentialPolicy): CredentialPolicy => ({
  ...policy,
  rotateRegistrationAccessTokenOnUpdate: false,
  rotateClientSecretOnUpdate: false,
  keepsExpiredClientSecretOnUpdate: true,
})

/** Makes a client from permitted metadata and generated values. */
export const registeredClient =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (request: RegistrationRequest, metadata: PermittedMetadata, registrant: Registrant): RegisteredClient => ({
    client_id: request.preferred_client_id ?? issued.client_id,
    registration_id: issued.registration_id,
    client_id_issued_at: issued.at,
    secret: needsSecret(metadata)
      ? clientSecret(request.preferred_client_secret ?? issued.client_secret, issued.at, policy.clientSecretLifetime)
      : undefined,
    registration_access_token: issued.registration_access_token,
    registered_by: registrant.by,
    privileges: registrant.granted,
    metadata,
    version: 1,
  })

// RFC 7518 §3.2: as long as the previous secret, if that many characters are generated, because the client's algorithms
// may need the length
const generatedSecret = (
  policy: CredentialPolicy,
  issued: GeneratedCredentials,
  current: ClientSecret | undefined,
): ClientSecret => {
  const { client_secret, client_secret_padding, at } = issued
  const length = Math.max(client_secret.length, current?.client_secret.length ?? 0)
  return clientSecret((client_secret + client_secret_padding).slice(0, length), at, policy.clientSecretLifetime)
}

const secretAfterUpdate = (
  policy: CredentialPolicy,
  issued: GeneratedCredentials,
  current: ClientSecret | undefined,
): ClientSecret => {
  if (current === undefined || policy.rotateClientSecretOnUpdate) return generatedSecret(policy, issued, current)
  const isKept = policy.keepsExpiredClientSecretOnUpdate === true || !isExpired(current, issued.at)
  return isKept ? current : generatedSecret(policy, issued, current)
}

/** The length of the secret that the client has after an update. */
export const secretLengthAfterUpdate =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (client: RegisteredClient): number =>
    secretAfterUpdate(policy, issued, client.secret).client_secret.length

/** The client in the same version, which its newest token alone opens. */
export const withoutPrecedingToken = (client: RegisteredClient): RegisteredClient => {
  const { preceding_token, ...others } = client
  return preceding_token === undefined ? client : others
}

// A new token is preceded by that of the request; one that stays is used by its own request.
const tokensAfterUpdate = (
  policy: CredentialPolicy,
  { registration_access_token, at }: GeneratedCredentials,
  client: RegisteredClient,
  credential: PresentedCredential | undefined,
): RegisteredClient => {
  const { rotateRegistrationAccessTokenOnUpdate: rotates, registrationAccessTokenGrace: grace = 0 } = policy
  const presented = credential?.kind === 'token' ? credential.hash : undefined
  if (!rotates) return presented === client.registration_access_token.hash ? withoutPrecedingToken(client) : client
  const preceding_token = precedingAfterUpdate(client, presented, at, grace)
  const next = { ...withoutPrecedingToken(client), registration_access_token }
  return preceding_token === undefined ? next : { ...next, preceding_token }
}

/**
 * RFC 7592 §2.2: an update replaces all metadata; the policy determines which credentials are renewed. The
 * token of the request stays valid for a while (preceding-token.ts), where a client presents one.
 */
export const updatedClient =
  (policy: CredentialPolicy, issued: GeneratedCredentials, credential?: PresentedCredential) =>
  (client: RegisteredClient) =>
  (metadata: PermittedMetadata): RegisteredClient => ({
    ...tokensAfterUpdate(policy, issued, client, credential),
    secret: needsSecret(metadata) ? secretAfterUpdate(policy, issued, client.secret) : undefined,
    metadata,
    version: client.version + 1,
  })

export const hasExpiredSecret = (client: RegisteredClient, at: EpochSeconds): boolean =>
  client.secret !== undefined && isExpired(client.secret, at)

/** The client with new credentials, also where the policy retains them in an update; the previous ones are invalid. */
export const withGeneratedCredentials =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...withoutPrecedingToken(client),
    secret: client.secret === undefined ? undefined : generatedSecret(policy, issued, client.secret),
    registration_access_token: issued.registration_access_token,
    version: client.version + 1,
  })

/** The client with a new secret. */
export const withGeneratedSecret =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...client,
    secret: generatedSecret(policy, issued, client.secret),
    version: client.version + 1,
  })

/** The client with a new registration access token, and everything else as it is. */
export const withGeneratedToken =
  (registration_access_token: RegistrationAccessToken) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...withoutPrecedingToken(client),
    registration_access_token,
    version: client.version + 1,
  })

/** The client, suspended since the time. */
export const suspendedClient =
  (suspended_at: EpochSeconds) =>
  (client: RegisteredClient): RegisteredClient => ({ ...client, suspended_at, version: client.version + 1 })

/** The client with what it was registered with. */
export const withProvenance = (provenance: Provenance | undefined, client: RegisteredClient): RegisteredClient =>
  provenance === undefined ? client : { ...client, provenance }

/** The client in force again. It waits for its first use anew: a suspended client cannot be used. */
export const resumedClient =
  (at: EpochSeconds) =>
  (client: RegisteredClient): RegisteredClient => {
    const { suspended_at, ...others } = client
    return { ...(suspended_at === undefined ? client : others), waits_since: at, version: client.version + 1 }
  }

/** Which client, and which of its registrations. */
export type Registration = Pick<RegisteredClient, 'client_id' | 'registration_id'>
