// The rules across members of client metadata.
import { type Fault, fault } from '../kernel/faults.js'
import type { RuleId } from '../kernel/rule-texts.js'
import { isSymmetricSignature, keyCount, neededSecretLength, usesKeyPair, usesSecret } from './keys.js'
import { type NameWith, certificateMembers, choiceLists, contentMembers, members, redirectMembers } from './members.js'
import { type ClientMetadata, type InvalidMembers, membersOfAlgorithms, usesRedirects } from './metadata.js'
import {
  answerOfAuthorization,
  answerWithState,
  isLoopback,
  isWebScheme,
  originOf,
  redirectUriFault,
  uriFault,
  uriParts,
} from './uris.js'
import type { MetadataRule } from './validate.js'
import { maxEntries } from './values.js'

type ListOfUris = NameWith<'redirects'>

const entriesOf = (
  member: ListOfUris,
  metadata: Pick<ClientMetadata, ListOfUris>,
  invalid: InvalidMembers,
): ReadonlyArray<unknown> => {
  const entries: unknown = metadata[member] ?? invalid[member]
  return Array.isArray(entries) ? entries.slice(0, maxEntries) : []
}

// Each entry that is a URI is judged, also in a list with other faults, so that all faults are reported at once. Only a
// list with faults needs the check whether an entry is a URI.
export const faultsOfEach =
  (metadata: Pick<ClientMetadata, ListOfUris>, invalid: InvalidMembers) =>
  (member: ListOfUris, faultOf: (uri: string) => RuleId | undefined): ReadonlyArray<Fault> =>
    entriesOf(member, metadata, invalid).flatMap((entry, index) => {
      if (typeof entry !== 'string') return []
      const rule = faultOf(entry)
      return rule === undefined || uriFault(entry) !== undefined ? [] : [fault(rule)(member, index)]
    })

// OpenID Registration §2, application_type; RFC 8252 §7. Invalid grant_types do not suppress this rule: it refuses no
// URI without the implicit grant that it accepts with it.
const redirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: (metadata, { privateUseSchemes, invalid }) =>
    faultsOfEach(metadata, invalid)(
      'redirect_uris',
      redirectUriFault({
        applicationType: metadata.application_type,
        implicit: metadata.grant_types.includes('implicit'),
        answer: answerOfAuthorization,
        schemes: privateUseSchemes,
      }),
    ),
}

const otherMembers = redirectMembers.filter((member) => member !== 'redirect_uris')

// OpenID RP-Initiated Logout §3.1, UMA Grant §2: the rules of redirection URIs, but no grant delivers tokens to them
const otherRedirectUris: MetadataRule = {
  members: ['application_type'],
  faultsOf: (metadata, { privateUseSchemes, invalid }) => {
    const faultOf = redirectUriFault({
      applicationType: metadata.application_type,
      implicit: false,
      answer: answerWithState,
      schemes: privateUseSchemes,
    })
    return otherMembers.flatMap((member) => faultsOfEach(metadata, invalid)(member, faultOf))
  },
}

// RFC 7591 §2: clients of redirect-based flows must register redirection URIs; response type none redirects, too
const redirectUrisRequired: MetadataRule = {
  members: ['redirect_uris', 'grant_types'],
  faultsOf: ({ redirect_uris = [], grant_types, response_types }) =>
    redirect_uris.length === 0 && (usesRedirects(grant_types) || response_types.includes('none'))
      ? [fault('redirect-uris-required')('redirect_uris')]
      : [],
}

// RFC 6749 §4.3, §4.4, §6, RFC 7523, RFC 7522, RFC 8628, RFC 8693, CIBA: none of them redirects
const grantsWithoutRedirect: ReadonlySet<string> = new Set([
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:openid:params:grant-type:ciba',
])

// An unknown grant type may redirect; a client without grant types does not.
const neverRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.every((grantType) => grantsWithoutRedirect.has(grantType))

const redirectUrisUnused: MetadataRule = {
  members: ['redirect_uris', 'grant_types', 'response_types'],
  faultsOf: ({ redirect_uris = [], grant_types, response_types }) =>
    redirect_uris.length > 0 && !response_types.includes('none') && neverRedirects(grant_types)
      ? [fault('redirect-uris-unused')('redirect_uris')]
      : [],
}

// RFC 7591 §2.1, OpenID Registration §2: the grant that each word of a response type needs; none needs no grant
const grantOfWord: ReadonlyMap<string, string> = new Map([
  ['code', 'authorization_code'],
  ['id_token', 'implicit'],
  ['token', 'implicit'],
])

const grantsOf = (responseType: string): ReadonlyArray<string> =>
  responseType.split(' ').flatMap((word) => grantOfWord.get(word) ?? [])

const responseTypeGrants: MetadataRule = {
  members: ['response_types', 'grant_types'],
  faultsOf: ({ response_types, grant_types }) =>
    response_types.flatMap((responseType, index) =>
      grantsOf(responseType).every((grantType) => grant_types.includes(grantType))
        ? []
        : [fault('response-type-grant')('response_types', index)],
    ),
}

// RFC 7591 §2.1: a client must not register an inconsistent state
const responseTypesRequired: MetadataRule = {
  members: ['response_types', 'grant_types'],
  faultsOf: ({ response_types, grant_types }) =>
    usesRedirects(grant_types) && response_types.length === 0
      ? [fault('response-types-required')('response_types')]
      : [],
}

// OpenID Core §9: client_secret_jwt takes an HMAC, private_key_jwt a signature; the other methods sign nothing
const isSigningMethod = (method: string, algorithm: string): boolean =>
  method === (isSymmetricSignature(algorithm) ? 'client_secret_jwt' : 'private_key_jwt')

const assertionAlgorithm: MetadataRule = {
  members: ['token_endpoint_auth_signing_alg', 'token_endpoint_auth_method'],
  faultsOf: ({ token_endpoint_auth_signing_alg: algorithm, token_endpoint_auth_method: method }) =>
    algorithm === undefined || isSigningMethod(method, algorithm)
      ? []
      : [fault('auth-signing-algorithm')('token_endpoint_auth_signing_alg')],
}

const confidentialGrants = ['client_credentials', 'urn:openid:params:grant-type:ciba']

// RFC 6749 §4.4, CIBA §7.1: a client that uses these grants must authenticate
const confidentialGrant: MetadataRule = {
  members: ['grant_types', 'token_endpoint_auth_method'],
  faultsOf: ({ grant_types, token_endpoint_auth_method }) =>
    token_endpoint_auth_method === 'none' && grant_types.some((grant) => confidentialGrants.includes(grant))
      ? [fault('confidential-grant')('token_endpoint_auth_method')]
      : [],
}

// RFC 8705 §2.1.2: exactly one of them identifies the certificate
const certificateSubject: MetadataRule = {
  members: ['token_endpoint_auth_method', ...certificateMembers],
  faultsOf: (metadata) => {
    const present = certificateMembers.filter((member) => metadata[member] !== undefined)
    if (metadata.token_endpoint_auth_method !== 'tls_client_auth')
      return present.map((member) => fault('tls-client-auth-unused')(member))
    return present.length === 1 ? [] : [fault('tls-client-auth')('token_endpoint_auth_method')]
  },
}

// OpenID RP Metadata Choices §2: the value in use is one of the supported values, and this service knows one of those
const choiceRule = (list: NameWith<'listOf'>): MetadataRule => {
  const member = members[list].listOf
  const known: ReadonlyArray<string> = members[member].type.values
  return {
    members: [member, list],
    faultsOf: (metadata) => {
      const supported = metadata[list]
      if (supported === undefined) return []
      if (!supported.some((value) => known.includes(value))) return [fault('no-known-choice')(list)]
      const used = metadata[member]
      return used === undefined || supported.includes(used) ? [] : [fault('value-not-chosen')(member)]
    },
  }
}

export const choices: ReadonlyArray<MetadataRule> = choiceLists.map(choiceRule)

// RFC 7591 §2: jwks_uri and jwks must not both be present
const jwksExclusive: MetadataRule = {
  members: ['jwks', 'jwks_uri'],
  faultsOf: ({ jwks, jwks_uri }) =>
    jwks !== undefined && jwks_uri !== undefined ? [fault('jwks-exclusive')('jwks_uri')] : [],
}

const keyMethods: ReadonlySet<string> = new Set(['private_key_jwt', 'self_signed_tls_client_auth'])

const hasKeys = ({ jwks, jwks_uri, signed_jwks_uri }: ClientMetadata): boolean =>
  keyCount(jwks) > 0 || jwks_uri !== undefined || signed_jwks_uri !== undefined

const membersThatNeedKeys = (metadata: ClientMetadata): ReadonlyArray<string> => [
  ...(keyMethods.has(metadata.token_endpoint_auth_method) ? ['token_endpoint_auth_method'] : []),
  ...membersOfAlgorithms(metadata, usesKeyPair).filter((member) => members[member].keyOf === 'client'),
]

const keysRequired: MetadataRule = {
  members: ['jwks', 'jwks_uri', 'signed_jwks_uri'],
  faultsOf: (metadata) =>
    hasKeys(metadata) ? [] : membersThatNeedKeys(metadata).map((member) => fault('keys-required')(member)),
}

const holdsIdToken = (responseTypes: ReadonlyArray<string>): boolean =>
  responseTypes.some((responseType) => responseType.split(' ').includes('id_token'))

// OpenID Registration §2: none must not be used if the authorization endpoint returns an ID token
const unsignedIdToken: MetadataRule = {
  members: ['id_token_signed_response_alg', 'response_types'],
  faultsOf: ({ id_token_signed_response_alg, response_types }) =>
    id_token_signed_response_alg === 'none' && holdsIdToken(response_types)
      ? [fault('id-token-unsigned')('id_token_signed_response_alg')]
      : [],
}

// OpenID RP-Initiated Logout §2: the provider verifies that it issued the hint; Back-Channel Logout §2.6: never none
const unsignedLogout: MetadataRule = {
  members: [...unsignedIdToken.members, 'post_logout_redirect_uris', 'backchannel_logout_uri'],
  faultsOf: ({ id_token_signed_response_alg, response_types, post_logout_redirect_uris, backchannel_logout_uri }) => {
    if (id_token_signed_response_alg !== 'none' || holdsIdToken(response_types)) return []
    const usesLogout = (post_logout_redirect_uris ?? []).length > 0 || backchannel_logout_uri !== undefined
    return usesLogout ? [fault('id-token-unsigned-logout')('id_token_signed_response_alg')] : []
  },
}

// OpenID Core §10.1, §10.2: the key is the client_secret or derived from it, and a public client has none
const secretAlgorithm: MetadataRule = {
  members: ['token_endpoint_auth_method'],
  faultsOf: (metadata) =>
    metadata.token_endpoint_auth_method === 'none'
      ? membersOfAlgorithms(metadata, usesSecret).map((member) => fault('secret-algorithm')(member))
      : [],
}

// RFC 7518 §3.2: the key must be at least as long as the hash
const secretLength: MetadataRule = {
  members: ['token_endpoint_auth_method'],
  faultsOf: (metadata, context) =>
    metadata.token_endpoint_auth_method === 'none'
      ? []
      : membersOfAlgorithms(metadata, (algorithm) => neededSecretLength(algorithm) > context.secretLength).map(
          (member) => fault('secret-length')(member),
        ),
}

// OpenID Registration §2, JARM §3, RFC 9701 §6: _enc requires _alg
export const encryptionAlgorithms: ReadonlyArray<MetadataRule> = contentMembers.map((enc) => ({
  members: [enc, members[enc].alg],
  faultsOf: (metadata) =>
    metadata[enc] !== undefined && metadata[members[enc].alg] === undefined
      ? [fault('encryption-needs-algorithm')(enc)]
      : [],
}))

// RFC 9101 §10.5: require_signed_request_object excludes none
const signedRequests: MetadataRule = {
  members: ['require_signed_request_object', 'request_object_signing_alg'],
  faultsOf: ({ require_signed_request_object, request_object_signing_alg }) =>
    require_signed_request_object === true && request_object_signing_alg === 'none'
      ? [fault('signed-request-required')('request_object_signing_alg')]
      : [],
}

// Neither a private-use scheme nor loopback has a host with an owner: two applications may both register SCHEME://callback
// or http://127.0.0.1/callback, and would get the same sub.
// RFC 1122 §3.2.1.3, RFC 6761 §6.3: all of these names and addresses are of the device itself.
const hasOwner = (host: string): boolean =>
  !isLoopback(host) && !host.startsWith('127.') && !host.endsWith('.localhost')

const hostOf = (uri: string): string => {
  const { scheme, host } = uriParts(uri)
  return isWebScheme(scheme) && hasOwner(host) ? host : ''
}

const isOneHost = (uris: ReadonlyArray<string>): boolean => {
  const hosts = new Set(uris.map(hostOf))
  return hosts.size === 1 && !hosts.has('')
}

// OpenID Core §8.1: the sector is the host of the redirection URIs, or of the sector_identifier_uri
const pairwiseSector: MetadataRule = {
  members: ['subject_type', 'redirect_uris', 'sector_identifier_uri'],
  faultsOf: ({ subject_type, redirect_uris = [], sector_identifier_uri }) =>
    subject_type === 'pairwise' && sector_identifier_uri === undefined && !isOneHost(redirect_uris)
      ? [fault('pairwise-sector')('subject_type')]
      : [],
}

// OpenID Registration §5: the document must be checked; without outbound fetches the member is refused
const sectorIdentifier: MetadataRule = {
  members: ['sector_identifier_uri'],
  faultsOf: ({ sector_identifier_uri }, context) =>
    sector_identifier_uri !== undefined && !context.fetchesSectorIdentifiers
      ? [fault('sector-identifier-off')('sector_identifier_uri')]
      : [],
}

const isHttpsOrLoopback = (uri: string): boolean => {
  const { scheme, host } = uriParts(uri)
  return scheme === 'https' || isLoopback(host)
}

// OpenID Front-Channel Logout §2: the scheme is https, and the origin is that of a redirection URI
const frontchannelLogout: MetadataRule = {
  members: ['frontchannel_logout_uri', 'redirect_uris'],
  faultsOf: ({ frontchannel_logout_uri: uri, redirect_uris = [] }) => {
    if (uri === undefined) return []
    if (!isHttpsOrLoopback(uri)) return [fault('frontchannel-scheme')('frontchannel_logout_uri')]
    return redirect_uris.some((redirect) => originOf(redirect) === originOf(uri))
      ? []
      : [fault('frontchannel-origin')('frontchannel_logout_uri')]
  },
}

// CIBA §4: required for the grant
const deliveryMode: MetadataRule = {
  members: ['grant_types', 'backchannel_token_delivery_mode'],
  faultsOf: ({ grant_types, backchannel_token_delivery_mode }) =>
    grant_types.includes('urn:openid:params:grant-type:ciba') && backchannel_token_delivery_mode === undefined
      ? [fault('ciba-delivery-mode')('backchannel_token_delivery_mode')]
      : [],
}

// CIBA §4: required if the mode is ping or push
const notificationEndpoint: MetadataRule = {
  members: ['backchannel_token_delivery_mode', 'backchannel_client_notification_endpoint'],
  faultsOf: ({ backchannel_token_delivery_mode: mode, backchannel_client_notification_endpoint }) =>
    (mode === 'ping' || mode === 'push') && backchannel_client_notification_endpoint === undefined
      ? [fault('ciba-notification-endpoint')('backchannel_client_notification_endpoint')]
      : [],
}

/** The rules of the standards across members; the operator's policy adds others. */
export const allRules: ReadonlyArray<MetadataRule> = [
  redirectUrisRequired,
  redirectUrisUnused,
  redirectUris,
  otherRedirectUris,
  responseTypesRequired,
  responseTypeGrants,
  jwksExclusive,
  keysRequired,
  unsignedIdToken,
  unsignedLogout,
  secretAlgorithm,
  secretLength,
  confidentialGrant,
  assertionAlgorithm,
  certificateSubject,
  ...encryptionAlgorithms,
  signedRequests,
  pairwiseSector,
  sectorIdentifier,
  frontchannelLogout,
  deliveryMode,
  notificationEndpoint,
  ...choices,
]
