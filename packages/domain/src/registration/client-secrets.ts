// The client_secrets of a client: the newest one, which answers show, and the one before it while a client changes from one to
// the other. What this service sends is by the newest, and what a client sends may be by both: docs/use/register.md.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  type ClientSecretConflict,
  type InvalidRequest,
  invalidRequest,
  noClientSecret,
  noPrecedingSecret,
  twoClientSecrets,
} from '../kernel/refusals.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { EpochSeconds, century, epochSeconds, secondsAfter, timeOfText } from '../kernel/time.js'
import { record } from '../kernel/values.js'

/** client_secret_expires_at is seconds since the epoch, or 0 when it never expires (RFC 7591 §3.2.1). */
export const ClientSecret = record('ClientSecret', { client_secret: t.string, client_secret_expires_at: EpochSeconds })

export interface ClientSecret extends t.TypeOf<typeof ClientSecret> {}

/**
 * The secret before the newest one. It ends at its client_secret_expires_at or at ends_at, whichever is earlier, where 0 means
 * never; an operator can drop it at any time.
 */
export const PrecedingSecret = record('PrecedingSecret', {
  client_secret: t.string,
  client_secret_expires_at: EpochSeconds,
  created_at: EpochSeconds,
  ends_at: EpochSeconds,
})

export interface PrecedingSecret extends t.TypeOf<typeof PrecedingSecret> {}

/** What a client has of them. */
export type Secrets = {
  readonly secret: ClientSecret | undefined
  /** When the newest one was made; left out where that is client_id_issued_at. */
  readonly secret_created_at?: EpochSeconds
  /** Left out where the newest alone counts. */
  readonly preceding_secret?: PrecedingSecret
}

type SecretsOfClient = Secrets & { readonly client_id_issued_at: EpochSeconds }

/** A lifetime of 0 seconds means that it never expires. */
export const clientSecret = (value: string, issuedAt: EpochSeconds, lifetime: number): ClientSecret => ({
  client_secret: value,
  client_secret_expires_at: lifetime === 0 ? epochSeconds(0) : secondsAfter(issuedAt, lifetime),
})

const isOver = (end: EpochSeconds, at: EpochSeconds): boolean => end !== 0 && end <= at

export const isExpired = (secret: Pick<ClientSecret, 'client_secret_expires_at'>, now: EpochSeconds): boolean =>
  isOver(secret.client_secret_expires_at, now)

/** The secret before the newest one while it counts. */
export const precedingInForce = (
  { secret, preceding_secret: preceding }: Secrets,
  at: EpochSeconds,
): PrecedingSecret | undefined =>
  secret === undefined || preceding === undefined || isExpired(preceding, at) || isOver(preceding.ends_at, at)
    ? undefined
    : preceding

/** The secrets by which the client authenticates at the time, the newest first. */
export const secretsInForce = (client: Secrets, at: EpochSeconds): ReadonlyArray<string> => {
  const { secret } = client
  const newest = secret === undefined || isExpired(secret, at) ? [] : [secret.client_secret]
  const preceding = precedingInForce(client, at)
  return preceding === undefined ? newest : [...newest, preceding.client_secret]
}

/** The secrets by which a token may be signed or encrypted that comes back to this service: those in force, and the newest one also if it has expired. */
export const secretsOfIssued = (client: Secrets, at: EpochSeconds): ReadonlyArray<string> => {
  const newest = client.secret === undefined ? [] : [client.secret.client_secret]
  return [...new Set([...newest, ...secretsInForce(client, at)])]
}

/** What the newest secret becomes when another one is made; nothing of one that is over. */
const precedingOf = (
  { client_id_issued_at, secret, secret_created_at }: SecretsOfClient,
  at: EpochSeconds,
  ends_at: EpochSeconds,
): PrecedingSecret | undefined =>
  secret === undefined || isExpired(secret, at)
    ? undefined
    : { ...secret, created_at: secret_created_at ?? client_id_issued_at, ends_at }

type SomeSecrets = Secrets & { readonly secret: ClientSecret }

export const secretsOf = (
  secret: ClientSecret,
  secret_created_at: EpochSeconds | undefined,
  preceding_secret: PrecedingSecret | undefined,
): SomeSecrets => ({
  secret,
  ...(secret_created_at === undefined ? {} : { secret_created_at }),
  ...(preceding_secret === undefined ? {} : { preceding_secret }),
})

/** The characters of a secret that is generated, and the time. */
export type GeneratedSecret = {
  readonly at: EpochSeconds
  readonly client_secret: string
  /** Further characters of the same kind, for a secret as long as the client's algorithms need (RFC 7518 §3.2). */
  readonly client_secret_padding: string
}

/** How long a secret lasts, and which an update renews. */
export type SecretPolicy = {
  /** In seconds, 0 for unlimited. */
  readonly clientSecretLifetime: number
  readonly rotateClientSecretOnUpdate: boolean
  /** Seconds in which a client_secret that an update replaces counts as well; none, unless it is set. */
  readonly clientSecretOverlap?: number
  /** Whether an update keeps an expired secret as well; it renews it, unless this is set. */
  readonly keepsExpiredClientSecretOnUpdate?: boolean
}

// RFC 7518 §3.2: as long as the previous secret, if that many characters are generated, because the client's algorithms
// may need the length
const generatedSecret = (
  policy: SecretPolicy,
  issued: GeneratedSecret,
  current: ClientSecret | undefined,
): ClientSecret => {
  const { client_secret, client_secret_padding, at } = issued
  const length = Math.max(client_secret.length, current?.client_secret.length ?? 0)
  return clientSecret((client_secret + client_secret_padding).slice(0, length), at, policy.clientSecretLifetime)
}

/** A new secret in place of all before. */
export const secretsRenewed = (policy: SecretPolicy, issued: GeneratedSecret, { secret }: Secrets): SomeSecrets =>
  secretsOf(generatedSecret(policy, issued, secret), issued.at, undefined)

/** A new secret in place of an expired one; the one before that counts as long as it did. */
export const expiredSecretRenewed = (policy: SecretPolicy, issued: GeneratedSecret, client: Secrets): SomeSecrets =>
  secretsOf(generatedSecret(policy, issued, client.secret), issued.at, precedingInForce(client, issued.at))

/** RFC 7592 §2.2: the secrets after an update that the policy determines; one that is replaced counts for the overlap. */
export const secretsAfterUpdate = (
  policy: SecretPolicy,
  issued: GeneratedSecret,
  client: SecretsOfClient,
): SomeSecrets => {
  const { secret, secret_created_at } = client
  const { clientSecretOverlap: overlap = 0 } = policy
  const { at } = issued
  if (secret === undefined || (policy.rotateClientSecretOnUpdate && overlap === 0))
    return secretsRenewed(policy, issued, client)
  const preceding = precedingInForce(client, at)
  // Whoever repeats an update, because its answer was lost, has the preceding one in use: a third one would end that.
  const isRotated = policy.rotateClientSecretOnUpdate && (preceding === undefined || isExpired(secret, at))
  if (isRotated)
    return secretsOf(
      generatedSecret(policy, issued, secret),
      at,
      precedingOf(client, at, secondsAfter(at, overlap)) ?? preceding,
    )
  const isKept = policy.keepsExpiredClientSecretOnUpdate === true || !isExpired(secret, at)
  return isKept ? secretsOf(secret, secret_created_at, preceding) : expiredSecretRenewed(policy, issued, client)
}

// What an operator does with them.

/** A second secret, beside the one that the client has, which ends at the time, or when it is dropped where that is 0. */
export const secretAdded = (
  policy: SecretPolicy,
  issued: GeneratedSecret,
  client: SecretsOfClient,
  ends_at: EpochSeconds,
): E.Either<ClientSecretConflict, SomeSecrets> => {
  const { at } = issued
  if (client.secret === undefined) return E.left(noClientSecret)
  if (secretsInForce(client, at).length > 1) return E.left(twoClientSecrets)
  const preceding = precedingOf(client, at, ends_at) ?? precedingInForce(client, at)
  return E.right(secretsOf(generatedSecret(policy, issued, client.secret), at, preceding))
}

/** The preceding secret ends at the time, or at once without one. Undefined where none precedes that could be dropped. */
export const precedingEnded = (
  client: Secrets,
  at: EpochSeconds,
  ends_at: EpochSeconds | undefined,
): E.Either<ClientSecretConflict, Secrets | undefined> => {
  const { secret, secret_created_at } = client
  const preceding = precedingInForce(client, at)
  if (secret === undefined || preceding === undefined)
    return ends_at === undefined ? E.right(undefined) : E.left(noPrecedingSecret)
  return E.right(secretsOf(secret, secret_created_at, ends_at === undefined ? undefined : { ...preceding, ends_at }))
}

const endIn = (value: unknown, at: EpochSeconds): EpochSeconds | undefined => {
  const end = typeof value === 'string' ? timeOfText(value) : value
  return EpochSeconds.is(end) && end > at && end <= at + century ? end : undefined
}

const badEnd = (member: string): InvalidRequest =>
  invalidRequest(
    `${member} must be a time in the future, at most a century ahead: seconds since 1970-01-01, a date, or a time of RFC 3339`,
  )

/** When the preceding secret ends, in the body of a request for a second one; 0 where it is not said. Total for any body. */
export const readPrecedingEnd =
  (at: EpochSeconds) =>
  (body: unknown): E.Either<InvalidRequest, EpochSeconds> => {
    const sent = isPlainObject(body) ? ownMember(body, 'preceding_ends_at') : undefined
    const known = isPlainObject(body) && Object.keys(body).every((name) => name === 'preceding_ends_at')
    if (!known) return E.left(invalidRequest('The body must be an object with no member but preceding_ends_at'))
    const end = sent === undefined ? epochSeconds(0) : endIn(sent, at)
    return end === undefined ? E.left(badEnd('preceding_ends_at')) : E.right(end)
  }

/** The end in the body of a request that sets it. Total for any body. */
export const readEnd =
  (at: EpochSeconds) =>
  (body: unknown): E.Either<InvalidRequest, EpochSeconds> => {
    const end = endIn(isPlainObject(body) ? ownMember(body, 'ends_at') : undefined, at)
    return end === undefined ? E.left(badEnd('ends_at')) : E.right(end)
  }

/** A secret as an operator sees it who may not see its value. */
export type DescribedSecret = {
  readonly secret: 'newest' | 'preceding'
  readonly created_at: EpochSeconds
  /** The UTC day of the last use; left out before the first. */
  readonly last_use?: EpochSeconds
  readonly client_secret_expires_at: EpochSeconds
  /** Of the preceding one: when it ends; 0 where it is dropped by the operator alone. */
  readonly ends_at?: EpochSeconds
}

/** Those that count; an expired newest one as well, because answers show it. */
export const describeSecrets = (
  client: SecretsOfClient,
  at: EpochSeconds,
  lastUseOf: (client_secret: string) => EpochSeconds | undefined,
): ReadonlyArray<DescribedSecret> => {
  const { secret, secret_created_at, client_id_issued_at } = client
  if (secret === undefined) return []
  const preceding = precedingInForce(client, at)
  const use = ({ client_secret }: Pick<ClientSecret, 'client_secret'>): Pick<DescribedSecret, 'last_use'> => {
    const last_use = lastUseOf(client_secret)
    return last_use === undefined ? {} : { last_use }
  }
  const newest: DescribedSecret = {
    secret: 'newest',
    created_at: secret_created_at ?? client_id_issued_at,
    ...use(secret),
    client_secret_expires_at: secret.client_secret_expires_at,
  }
  if (preceding === undefined) return [newest]
  const { created_at, client_secret_expires_at, ends_at } = preceding
  return [newest, { secret: 'preceding', created_at, ...use(preceding), client_secret_expires_at, ends_at }]
}
