// draft-ietf-oauth-client-id-metadata-document-02 §8.4: how a document differs from the one that was approved.
import type { ClientIdUrl } from '../client/client-id-url.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { redirectMembers } from '../client/members.js'
import { isLoopback, isWebScheme, originOf, uriParts } from '../client/uri.js'
import { jsonInOrder } from '../codec/json-object.js'
import {
  type DocumentPolicy,
  type DriftAction,
  type DriftKind,
  driftActions,
  driftKinds,
} from '../policy/document-policy.js'

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
  // OpenID Core §8: other clients recognize the end-user. Another sector is refused (read-document.ts).
  (one.subject_type === 'pairwise' && other.subject_type !== 'pairwise') ||
  protections.some((member) => one[member] === true && other[member] !== true) ||
  algorithms.some((member) => isProtecting(one[member]) && !isProtecting(other[member]))

const differing = (one: ClientMetadata, other: ClientMetadata): ReadonlyArray<string> => {
  const before: ReadonlyMap<string, unknown> = new Map(Object.entries(one))
  const after: ReadonlyMap<string, unknown> = new Map(Object.entries(other))
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names.filter(
    (name) => before.get(name) !== after.get(name) && jsonInOrder(before.get(name)) !== jsonInOrder(after.get(name)),
  )
}

/** The kinds of changes from the approved metadata to that of the document, the most severe first; none if they are equal. */
export const driftBetween = (
  url: ClientIdUrl,
  approved: ClientMetadata,
  metadata: ClientMetadata,
): ReadonlyArray<DriftKind> => {
  const changed = differing(approved, metadata)
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
