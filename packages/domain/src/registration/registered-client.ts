// A client as it is stored, and its versions.
import * as E from 'fp-ts/lib/Either.js'
import type { PresentedCredential, RegisteredBy, TokenHash } from '../authorization/credential.js'
import type { Privileges, Registrant } from '../authorization/registrant.js'
import { type ClientId, type RegistrationId } from '../client/ids.js'
import { needsSecret } from '../client/metadata.js'
import { isSameJson } from '../kernel/json-object.js'
import {
  type PreconditionFailed,
  type PreconditionRequired,
  preconditionFailed,
  preconditionRequired,
} from '../kernel/refusals.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import type { RefusalReason, Unapproved } from '../life-cycle/states.js'
import {
  type GeneratedSecret,
  type SecretPolicy,
  type Secrets,
  clientSecret,
  expiredSecretRenewed,
  isExpired,
  secretsAfterUpdate,
  secretsRenewed,
} from './client-secrets.js'
import type { PermittedMetadata } from './permit.js'
import type { Provenance } from './provenance.js'

// RFC 7592 §2.2: an update may answer with a new registration access token. The answer may be lost: therefore the token
// of the request stays valid until the new one is first used, within a grace.

/** The registration access token before the newest one. It opens the client before that time, if it was not ended. */
type PrecedingToken = { readonly hash: TokenHash; readonly until: EpochSeconds }

/** The tokens of a client: all others that were ever issued for it open nothing. */
type TokensOfClient = Pick<RegisteredClient, 'registration_access_token' | 'preceding_token'>

/** Whether the token of the digest opens the client: the newest one, or the one before it in its grace. */
export const opensClient = (
  { registration_access_token, preceding_token }: TokensOfClient,
  hash: TokenHash,
  at: EpochSeconds,
): boolean => registration_access_token.hash === hash || (preceding_token?.hash === hash && at < preceding_token.until)

/**
 * The token that precedes the new one of an update: that of the request, if a client presented one. The grace of one that precedes already goes on
 * as it began, so that no token is valid for longer. An operator is not locked out by a lost answer, and leaves none.
 */
const precedingAfterUpdate = (
  { registration_access_token, preceding_token }: TokensOfClient,
  presented: TokenHash | undefined,
  at: EpochSeconds,
  grace: number,
): PrecedingToken | undefined => {
  if (grace === 0 || presented === undefined) return undefined
  if (presented === registration_access_token.hash) return { hash: presented, until: secondsAfter(at, grace) }
  return presented === preceding_token?.hash ? preceding_token : undefined
}

/** Whether a request with the credential is the first use of the newest token, which ends the one before it. */
export const endsPrecedingToken = (
  credential: PresentedCredential,
  { registration_access_token, preceding_token }: TokensOfClient,
): boolean =>
  preceding_token !== undefined && credential.kind === 'token' && credential.hash === registration_access_token.hash

/** RFC 7592 §1.3, with the hash that recognizes a presented token. */
export type RegistrationAccessToken = { readonly token: string; readonly hash: TokenHash }

/**
 * The stored client. `privileges` are those granted at registration; they limit the client's own updates.
 * `registered_by` is the authority for the registration.
 */
export type RegisteredClient = Secrets & {
  readonly client_id: ClientId
  /** Updates and renewals keep it, and everything that is recorded for the client names it. */
  readonly registration_id: RegistrationId
  readonly client_id_issued_at: EpochSeconds
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
  /** Left out where the client needs no approval of an operator, or has it. */
  readonly approval?: Unapproved
  /** Since when it waits for its first use (waitsSince); left out where that is client_id_issued_at. */
  readonly waits_since?: EpochSeconds
  /** By which a repetition of its registration finds it; left out where none does. */
  readonly fingerprint?: TokenHash
  /** What the client was registered with; left out where nothing is known of it. */
  readonly provenance?: Provenance
}

/** Generated credentials and the time: the only inputs from outside that a decision about a client needs. */
export type GeneratedCredentials = GeneratedSecret & {
  readonly client_id: ClientId
  readonly registration_id: RegistrationId
  readonly registration_access_token: RegistrationAccessToken
}

/** The lifetime of the secret, and the credentials that an update renews. */
export type CredentialPolicy = SecretPolicy & {
  readonly rotateRegistrationAccessTokenOnUpdate: boolean
  /** Seconds in which the token of an update stays valid until the new one is first used; none, unless it is set. */
  readonly registrationAccessTokenGrace?: number
}

/** The policy of an update that keeps every credential: a secret is made or dropped only where the metadata demands it. */
export const keepingCredentials = (policy: CredentialPolicy): CredentialPolicy => ({
  ...policy,
  rotateRegistrationAccessTokenOnUpdate: false,
  rotateClientSecretOnUpdate: false,
  keepsExpiredClientSecretOnUpdate: true,
})

/** The identifier and the secret of an imported client, which its registration presets. */
export type PresetCredentials = {
  readonly preferred_client_id: ClientId | undefined
  readonly preferred_client_secret: string | undefined
}

/** Makes a client from permitted metadata and generated values. */
export const registeredClient =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (preset: PresetCredentials, metadata: PermittedMetadata, registrant: Registrant): RegisteredClient => ({
    client_id: preset.preferred_client_id ?? issued.client_id,
    registration_id: issued.registration_id,
    client_id_issued_at: issued.at,
    secret: needsSecret(metadata)
      ? clientSecret(preset.preferred_client_secret ?? issued.client_secret, issued.at, policy.clientSecretLifetime)
      : undefined,
    registration_access_token: issued.registration_access_token,
    registered_by: registrant.by,
    privileges: registrant.granted,
    metadata,
    version: 1,
  })

/** The length of the secret that the client has after an update. */
export const secretLengthAfterUpdate =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (client: RegisteredClient): number =>
    secretsAfterUpdate(policy, issued, client).secret.client_secret.length

const noSecrets: Secrets = { secret: undefined }

/** The client in the next version, with these secrets in place of its own. */
export const withSecrets = (client: RegisteredClient, secrets: Secrets): RegisteredClient => {
  const { secret, secret_created_at, preceding_secret, ...others } = client
  const isSame =
    secret === secrets.secret &&
    secret_created_at === secrets.secret_created_at &&
    preceding_secret === secrets.preceding_secret
  return { ...(isSame ? client : { ...others, ...secrets }), version: client.version + 1 }
}

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
 * token of the request stays valid for a while, where a client presents one.
 */
export const updatedClient =
  (policy: CredentialPolicy, issued: GeneratedCredentials, credential?: PresentedCredential) =>
  (client: RegisteredClient) =>
  (metadata: PermittedMetadata): RegisteredClient => ({
    ...withSecrets(
      tokensAfterUpdate(policy, issued, client, credential),
      needsSecret(metadata) ? secretsAfterUpdate(policy, issued, client) : noSecrets,
    ),
    metadata,
  })

export const hasExpiredSecret = (client: RegisteredClient, at: EpochSeconds): boolean =>
  client.secret !== undefined && isExpired(client.secret, at)

/** The client with new credentials, also where the policy retains them in an update; the previous ones are invalid. */
export const withGeneratedCredentials =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...withSecrets(
      withoutPrecedingToken(client),
      client.secret === undefined ? noSecrets : secretsRenewed(policy, issued, client),
    ),
    registration_access_token: issued.registration_access_token,
  })

/** The client with a new secret in place of its expired one. */
export const withGeneratedSecret =
  (policy: CredentialPolicy, issued: GeneratedCredentials) =>
  (client: RegisteredClient): RegisteredClient =>
    withSecrets(client, expiredSecretRenewed(policy, issued, client))

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

/** The client, which waits for the approval of an operator from its registration on. */
export const pendingClient = (client: RegisteredClient): RegisteredClient => ({
  ...client,
  approval: { state: 'pending' },
})

/**
 * A client that changes its own metadata waits for an approval again, if its registration would wait: the operator decided about
 * other metadata. A client that is pending keeps its place, and an update that changes nothing has no effect.
 */
export const pendingAfterUpdate =
  (at: EpochSeconds, waits: boolean, before: RegisteredClient) =>
  (next: RegisteredClient): RegisteredClient =>
    !waits || before.approval?.state === 'pending' || isSameJson(before.metadata, next.metadata)
      ? next
      : { ...pendingClient(next), waits_since: at }

/** The client as the operator approves it. It waits for its first use anew: until now it could not be used. */
export const approvedClient =
  (at: EpochSeconds) =>
  (client: RegisteredClient): RegisteredClient => {
    const { approval, ...others } = client
    return { ...(approval === undefined ? client : others), waits_since: at, version: client.version + 1 }
  }

/** The client as the operator refuses it: it stays for as long as a pending one, so that its developer reads the reason. */
export const refusedClient =
  (at: EpochSeconds, reason: RefusalReason) =>
  (client: RegisteredClient): RegisteredClient => ({
    ...client,
    approval: { state: 'refused', reason },
    waits_since: at,
    version: client.version + 1,
  })

/** Which client, and which of its registrations. */
export type Registration = Pick<RegisteredClient, 'client_id' | 'registration_id'>

/** A client, and the UTC day of its last use; undefined before the first. */
export type ClientWithUse = { readonly client: RegisteredClient; readonly last_use: EpochSeconds | undefined }

// RFC 9110 §8.8.3 and §13.1.1: the version of a client that a request was made for.

/** With its quotation marks, as in the header field ETag. */
type EntityTag = `"${string}"`

/** The value of the header field If-Match: any version, or one of those listed; undefined where there is none. */
export type IfMatch = '*' | ReadonlyArray<string> | undefined

/** What a request returns of a client, with the version that it shows. */
export type Representation<Body> = { readonly body: Body; readonly entityTag: EntityTag }

/** Which registration, in which version. */
export type Version = Pick<RegisteredClient, 'registration_id' | 'version'>

// At least 64 of its random bits: no response has the whole of it.
const identityLength = 16

/**
 * A client that is registered again under its client_id begins with version 1 again, and may be imported with the same
 * time of issue: its registration_id is another one.
 */
export const entityTagOf = ({ registration_id, version }: Version): EntityTag =>
  `"${registration_id.slice(-identityLength)}-${version}"`

export const representing =
  <Body>(bodyOf: (client: RegisteredClient) => Body) =>
  (client: RegisteredClient): Representation<Body> => ({ body: bodyOf(client), entityTag: entityTagOf(client) })

/**
 * RFC 9110 §13.1.1: whether the client is still in a version that the request names. RFC 6585 §3: whether a request that
 * names none may change it. Weak entity tags match nothing.
 */
export const checkPrecondition =
  (isRequired: boolean, ifMatch: IfMatch) =>
  (client: Version): E.Either<PreconditionFailed | PreconditionRequired, void> => {
    if (ifMatch === undefined) return isRequired ? E.left(preconditionRequired) : E.right(undefined)
    return ifMatch === '*' || ifMatch.includes(entityTagOf(client)) ? E.right(undefined) : E.left(preconditionFailed)
  }
