// What is remembered of a document, and what its changes do.
import type * as O from 'fp-ts/lib/Option.js'
import type { ClientIdUrl } from '../client/ids.js'
import { redirectMembers } from '../client/members.js'
import type { ClientMetadata } from '../client/metadata.js'
import type { ReadStatement } from '../client/statement.js'
import { isLoopback, isWebScheme, originOf, uriParts } from '../client/uris.js'
import { differingMembers, isPlainObject, ownMember } from '../kernel/json-object.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import { type DocumentPolicy, type DriftAction, type DriftKind, driftActions, driftKinds } from '../policy/policy.js'

/** RFC 9111 §5.2.2, §5.1, §5.3: what a response says about caching, in seconds. */
export type CacheFacts = {
  readonly max_age?: number
  readonly s_maxage?: number
  /** Expires less Date. */
  readonly expires_in?: number
  /** How long caches on the way have kept the response. */
  readonly age?: number
  /** Whether it has no-store, no-cache or private. */
  readonly no_cache?: boolean
}

/** What was seen at the URL of a document: an answer, or none. */
export type SeenDocument =
  | { readonly kind: 'unreachable'; readonly at: EpochSeconds }
  | {
      readonly kind: 'answered'
      readonly at: EpochSeconds
      readonly status: number
      /** In lower case, without parameters. */
      readonly media_type: string
      /** The parsed JSON, or undefined. */
      readonly body: unknown
      /** The claims of the software statement in the body, as for a registration. */
      readonly statement: O.Option<ReadStatement>
      readonly cache: CacheFacts
    }

// RFC 9111 §4.2.1: a shared cache takes s-maxage before max-age, and max-age before Expires.
const lifetime = (facts: Readonly<Record<string, unknown>>): number => {
  if (ownMember(facts, 'no_cache') === true) return 0
  const given = ['s_maxage', 'max_age', 'expires_in'].map((name) => ownMember(facts, name))
  return given.find((value): value is number => typeof value === 'number' && value >= 0) ?? 0
}

/**
 * -02 §5.2 (-00 §4.4), RFC 9111 §4.2: for how many seconds a document is fresh. The policy bounds it, whatever the
 * response says; a response that says nothing gets the least.
 */
export const freshnessOf = (
  { least_freshness, greatest_freshness }: Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>,
  cache: unknown,
): number => {
  const facts = isPlainObject(cache) ? cache : {}
  const age = ownMember(facts, 'age')
  const left = lifetime(facts) - (typeof age === 'number' && age > 0 ? age : 0)
  // Infinity less Infinity is no number, and fresh for no time.
  const seconds = Number.isNaN(left) ? 0 : left
  return Math.floor(Math.min(greatest_freshness, Math.max(least_freshness, seconds)))
}

/** When another request is due. */
export const freshnessEnd = (
  policy: Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>,
  at: EpochSeconds,
  cache: CacheFacts,
): EpochSeconds => secondsAfter(at, freshnessOf(policy, cache))

/** Why a URL shows no document. */
export type NoDocument = 'document-withdrawn' | 'document-unreachable' | 'document-json'

type Answer = Extract<SeenDocument, { readonly kind: 'answered' }>
type FoundDocument =
  | { readonly kind: 'none'; readonly rule: NoDocument }
  | ({ readonly kind: 'found'; readonly body: Readonly<Record<string, unknown>> } & Pick<Answer, 'statement' | 'cache'>)

const none = (rule: NoDocument): FoundDocument => ({ kind: 'none', rule })

// -02 §4: application/json, or a type of its own that ends with +json
const isJsonType = (type: string): boolean => /^application\/(?:json|[\w.-]+\+json)$/.test(type)

/** The document, or why there is none. -02 §5: every status but 200 is an error. */
export const documentIn = (seen: SeenDocument): FoundDocument => {
  if (seen.kind === 'unreachable') return none('document-unreachable')
  const { status, media_type, body, statement, cache } = seen
  // RFC 9110 §15.5.5, §15.5.11
  if (status === 404 || status === 410) return none('document-withdrawn')
  if (status !== 200) return none('document-unreachable')
  return isJsonType(media_type) && isPlainObject(body)
    ? { kind: 'found', body, statement, cache }
    : none('document-json')
}

/** Whether there is a JSON object, valid or not. */
export const showsDocument = (seen: SeenDocument): boolean => documentIn(seen).kind === 'found'

// draft-ietf-oauth-client-id-metadata-document-02 §8.4: how a document differs from the one that was approved.

const isNameMember = (member: string): boolean => /^(?:client_name|organization_name)(?:#|$)/.test(member)

// RFC 8252 §7.3: an application on a device takes any port
const receiverOf = (uri: string): string => {
  const { scheme, host } = uriParts(uri)
  if (!isWebScheme(scheme)) return `${scheme}:`
  return isLoopback(host) ? host : originOf(uri)
}

// They receive the sub and the sid of end-users.
const logoutMembers = ['backchannel_logout_uri', 'frontchannel_logout_uri'] as const

const receivers = (metadata: ClientMetadata): ReadonlyArray<string> =>
  [...redirectMembers, ...logoutMembers].flatMap((member) => metadata[member] ?? []).map(receiverOf)

// Keys in the document itself are vouched for by the host of the document.
const keyHosts =
  (url: ClientIdUrl) =>
  ({ jwks, jwks_uri, signed_jwks_uri }: ClientMetadata): ReadonlyArray<string> =>
    [jwks === undefined ? undefined : url, jwks_uri, signed_jwks_uri].flatMap((uri) =>
      uri === undefined ? [] : [originOf(uri)],
    )

const addsTo =
  (one: ClientMetadata, other: ClientMetadata) =>
  (hostsOf: (metadata: ClientMetadata) => ReadonlyArray<string>): boolean => {
    const known = hostsOf(one)
    return hostsOf(other).some((host) => !known.includes(host))
  }

/** What protects the tokens of a client beyond its method. */
const protections = [
  'dpop_bound_access_tokens',
  'tls_client_certificate_bound_access_tokens',
  'require_pushed_authorization_requests',
  'require_signed_request_object',
] as const

/** What protects messages from a reader or a writer between the parties (RFC 9101 §10.5, OpenID Core §16.14, RFC 9701 §5). */
const algorithms = [
  'request_object_signing_alg',
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
  'id_token_encrypted_response_alg',
  'userinfo_encrypted_response_alg',
  'introspection_encrypted_response_alg',
  'authorization_encrypted_response_alg',
] as const

// OpenID Core §2: none is no signature.
const isProtecting = (algorithm: string | undefined): boolean => algorithm !== undefined && algorithm !== 'none'

const isWeaker = (one: ClientMetadata, other: ClientMetadata): boolean =>
  (one.token_endpoint_auth_method !== 'none' && other.token_endpoint_auth_method === 'none') ||
  // OpenID Core §8: other clients recognize the end-user. Another sector is refused (`decideDocument`).
  (one.subject_type === 'pairwise' && other.subject_type !== 'pairwise') ||
  protections.some((member) => one[member] === true && other[member] !== true) ||
  algorithms.some((member) => isProtecting(one[member]) && !isProtecting(other[member]))

/** The kinds of changes from the approved metadata to that of the document, the most severe first; none if they are equal. */
export const driftBetween = (
  url: ClientIdUrl,
  approved: ClientMetadata,
  metadata: ClientMetadata,
): ReadonlyArray<DriftKind> => {
  const changed = differingMembers(approved, metadata)
  if (changed.length === 0) return []
  const adds = addsTo(approved, metadata)
  const found: Readonly<Partial<Record<DriftKind, boolean>>> = {
    name: changed.some(isNameMember),
    redirect_host: adds(receivers),
    keys_host: adds(keyHosts(url)),
    weaker_method: isWeaker(approved, metadata),
  }
  const kinds = driftKinds.filter((kind) => found[kind] === true)
  return kinds.length === 0 ? ['cosmetic'] : [...kinds].reverse()
}

const severity = (action: DriftAction): number => driftActions.indexOf(action)

/** The most severe of the actions; without drift, the client goes on. */
export const actionOn = ({ on_drift }: DocumentPolicy, drift: ReadonlyArray<DriftKind>): DriftAction =>
  drift.map((kind) => on_drift[kind]).reduce((one, other) => (severity(other) > severity(one) ? other : one), 'go_on')
