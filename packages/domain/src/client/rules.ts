// The rules across members of client metadata, and the judgement of a body by all rules.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Fault, fault, memberOfFault } from '../kernel/faults.js'
import type { MetadataRuleId } from '../kernel/rule-texts.js'
import { type RegisteredBy } from './ids.js'
import { isSymmetricSignature, keyCount, neededSecretLength, usesKeyPair, usesSecret } from './keys.js'
import {
  type MemberName,
  type NameWith,
  certificateMembers,
  choiceLists,
  contentMembers,
  members,
  redirectMembers,
} from './members.js'
import {
  type ClientMetadata,
  type DefaultsContext,
  type InvalidMembers,
  type IsSupported,
  type ReadMembers,
  membersOfAlgorithms,
  readMembers,
  usesRedirects,
  withDefaults,
} from './metadata.js'
import { misspeltMembers } from './schema.js'
import type { StatementFacts } from './statement.js'
import {
  type PrivateUseSchemes,
  answerOfAuthorization,
  answerWithState,
  isLoopback,
  originOf,
  redirectUriFault,
  redirectionUriFault,
  uriParts,
} from './uris.js'
import { maxUris, neverRedirects } from './values.js'

/** The facts about one client that rules need beside its metadata. */
type ClientFacts = Pick<DefaultsContext, 'invalid'> & {
  /** The length of the client_secret that the client would have, in characters. */
  readonly secretLength: number
  /** The authority for the registration. */
  readonly registeredBy: RegisteredBy
  /** What the software statement says; undefined without one. */
  readonly statementFacts: StatementFacts | undefined
}

/** The facts that rules need beside the metadata, about the client and the service. */
export type RuleContext = DefaultsContext &
  ClientFacts & {
    /** Whether sector identifier URIs can be fetched: the setting outbound-fetches. */
    readonly fetchesSectorIdentifiers: boolean
    /** Whether the base URL of the service is on loopback; not, unless it is set. */
    readonly isOnLoopback?: boolean
    /** The accepted private-use schemes without a period for redirection URIs of native clients. */
    readonly privateUseSchemes: PrivateUseSchemes
  }

/**
 * A rule across members, which judges the effective metadata. It runs when all of its members are valid, so that one
 * mistake is reported once.
 */
export type MetadataRule = {
  readonly members: ReadonlyArray<MemberName>
  readonly faultsOf: (metadata: ClientMetadata, context: RuleContext) => ReadonlyArray<Fault>
}

/** The rules of a service: those of the standards and of its policy, with what the service supports. */
export type RuleBook = { readonly rules: ReadonlyArray<MetadataRule> } & Omit<RuleContext, keyof ClientFacts>

type ListOfUris = NameWith<'redirects'>

const entriesOf = (
  member: ListOfUris,
  metadata: Pick<ClientMetadata, ListOfUris>,
  invalid: InvalidMembers,
): ReadonlyArray<unknown> => {
  const entries: unknown = metadata[member] ?? invalid[member]
  return Array.isArray(entries) ? entries.slice(0, maxUris) : []
}

// Each entry that is a URI is judged, also in a list with other faults, so that all faults are reported at once. Only a
// list with faults needs the check whether an entry is a URI.
export const faultsOfEach =
  (metadata: Pick<ClientMetadata, ListOfUris>, invalid: InvalidMembers) =>
  (member: ListOfUris, faultOf: (uri: string) => MetadataRuleId | undefined): ReadonlyArray<Fault> =>
    entriesOf(member, metadata, invalid).flatMap((entry, index) => {
      if (typeof entry !== 'string') return []
      const rule = faultOf(entry)
      return rule === undefined || redirectionUriFault(entry) !== undefined ? [] : [fault(rule)(member, index)]
    })

export const metadataRule = (members: MetadataRule['members'], faultsOf: MetadataRule['faultsOf']): MetadataRule => ({
  members,
  faultsOf,
})

/** A rule with one fault, at a member that the others contradict. */
export const contradiction = (
  broken: MetadataRuleId,
  at: MemberName,
  others: ReadonlyArray<MemberName>,
  breaks: (metadata: ClientMetadata, context: RuleContext) => boolean,
): MetadataRule => {
  const faults = [fault(broken)(at)]
  return metadataRule([at, ...others], (metadata, context) => (breaks(metadata, context) ? faults : []))
}

const otherRedirectMembers = redirectMembers.filter((member) => member !== 'redirect_uris')

// All of these names are known: the text has nothing of the client's own.
const unusedRedirects = (grantTypes: ReadonlyArray<string>, isSupported: IsSupported): Fault => {
  const found = fault('redirect-uris-unused')('redirect_uris')
  if (grantTypes.length === 0) return found
  const unserved = grantTypes.filter((each) => !isSupported('grant_types', each))
  const undone = unserved.length === 0 ? '' : `; the authorization server here does not do ${unserved.join(', ')}`
  return { ...found, description: `${found.description} (${grantTypes.join(', ')} redirects nowhere${undone})` }
}

// RFC 7591 §2.1, OpenID Registration §2: the grant that each word of a response type needs; none needs no grant
const grantOfWord: ReadonlyMap<string, string> = new Map([
  ['code', 'authorization_code'],
  ['id_token', 'implicit'],
  ['token', 'implicit'],
])

export const grantsOf = (responseType: string): ReadonlyArray<string> =>
  responseType.split(' ').flatMap((word) => grantOfWord.get(word) ?? [])

const confidentialGrants = ['client_credentials', 'urn:openid:params:grant-type:ciba']

// OpenID Core §9: client_secret_jwt takes an HMAC, private_key_jwt a signature; the other methods sign nothing
export const isSigningMethod = (method: string, algorithm: string): boolean =>
  method === (isSymmetricSignature(algorithm) ? 'client_secret_jwt' : 'private_key_jwt')

const keyMethods: ReadonlySet<string> = new Set(['private_key_jwt', 'self_signed_tls_client_auth'])

const hasKeys = ({ jwks, jwks_uri, signed_jwks_uri }: ClientMetadata): boolean =>
  keyCount(jwks) > 0 || jwks_uri !== undefined || signed_jwks_uri !== undefined

const membersThatNeedKeys = (metadata: ClientMetadata): ReadonlyArray<string> => [
  ...(keyMethods.has(metadata.token_endpoint_auth_method) ? ['token_endpoint_auth_method'] : []),
  ...membersOfAlgorithms(metadata, usesKeyPair).filter((member) => members[member].keyOf === 'client'),
]

const holdsIdToken = (responseTypes: ReadonlyArray<string>): boolean =>
  responseTypes.some((responseType) => responseType.split(' ').includes('id_token'))

// Neither a private-use scheme nor http, to the device or a private network, leads to a host with an owner: two applications
// may both register SCHEME://callback or http://127.0.0.1/callback, and would get the same sub.
// RFC 1122 §3.2.1.3, RFC 6761 §6.3: all of these names and addresses are of the device itself.
const hasOwner = (host: string): boolean =>
  !isLoopback(host) && !host.startsWith('127.') && !host.endsWith('.localhost')

const hostOf = (uri: string): string => {
  const { scheme, host } = uriParts(uri)
  return scheme === 'https' && hasOwner(host) ? host : ''
}

const isOneHost = (uris: ReadonlyArray<string>): boolean => {
  const hosts = new Set(uris.map(hostOf))
  return hosts.size === 1 && !hosts.has('')
}

const isHttpsOrLoopback = (uri: string): boolean => {
  const { scheme, host } = uriParts(uri)
  return scheme === 'https' || isLoopback(host)
}

// OpenID Registration §2, JARM §3, RFC 9701 §6: _enc requires _alg
export const encryptionAlgorithms: ReadonlyArray<MetadataRule> = contentMembers.map((enc) =>
  contradiction(
    'encryption-needs-algorithm',
    enc,
    [members[enc].alg],
    (metadata) => metadata[enc] !== undefined && metadata[members[enc].alg] === undefined,
  ),
)

// OpenID RP Metadata Choices §2: the value in use is one of the supported values, and this service knows one of those
export const choices: ReadonlyArray<MetadataRule> = choiceLists.map((list) => {
  const member = members[list].listOf
  const known: ReadonlyArray<string> = members[member].type.values
  return metadataRule([member, list], (metadata) => {
    const supported = metadata[list]
    if (supported === undefined) return []
    if (!supported.some((value) => known.includes(value))) return [fault('no-known-choice')(list)]
    const used = metadata[member]
    return used === undefined || supported.includes(used) ? [] : [fault('value-not-chosen')(member)]
  })
})

/** The rules of the standards across members; the operator's policy adds others. */
export const allRules: ReadonlyArray<MetadataRule> = [
  // RFC 7591 §2: clients of redirect-based flows must register redirection URIs; response type none redirects, too
  contradiction(
    'redirect-uris-required',
    'redirect_uris',
    ['grant_types'],
    ({ redirect_uris = [], grant_types, response_types }) =>
      redirect_uris.length === 0 && (usesRedirects(grant_types) || response_types.includes('none')),
  ),
  metadataRule(
    ['redirect_uris', 'grant_types', 'response_types'],
    ({ redirect_uris = [], grant_types, response_types }, { isSupported }) =>
      redirect_uris.length > 0 && !response_types.includes('none') && neverRedirects(grant_types)
        ? [unusedRedirects(grant_types, isSupported)]
        : [],
  ),
  // OpenID Registration §2, application_type; RFC 8252 §7. Invalid grant_types do not suppress this rule: it refuses no
  // URI without the implicit grant that it accepts with it.
  metadataRule(['application_type'], (metadata, { privateUseSchemes, takesPrivateHttp, invalid }) =>
    faultsOfEach(metadata, invalid)(
      'redirect_uris',
      redirectUriFault({
        applicationType: metadata.application_type,
        implicit: metadata.grant_types.includes('implicit'),
        answer: answerOfAuthorization,
        schemes: privateUseSchemes,
        privateHttp: takesPrivateHttp,
      }),
    ),
  ),
  // OpenID RP-Initiated Logout §3.1, UMA Grant §2: the rules of redirection URIs, but no grant delivers tokens to them
  metadataRule(['application_type'], (metadata, { privateUseSchemes, takesPrivateHttp, invalid }) => {
    const faultOf = redirectUriFault({
      applicationType: metadata.application_type,
      implicit: false,
      answer: answerWithState,
      schemes: privateUseSchemes,
      privateHttp: takesPrivateHttp,
    })
    return otherRedirectMembers.flatMap((member) => faultsOfEach(metadata, invalid)(member, faultOf))
  }),
  // RFC 7591 §2.1: a client must not register an inconsistent state
  contradiction(
    'response-types-required',
    'response_types',
    ['grant_types'],
    ({ response_types, grant_types }) => usesRedirects(grant_types) && response_types.length === 0,
  ),
  metadataRule(['response_types', 'grant_types'], ({ response_types, grant_types }) =>
    response_types.flatMap((responseType, index) =>
      grantsOf(responseType).every((grantType) => grant_types.includes(grantType))
        ? []
        : [fault('response-type-grant')('response_types', index)],
    ),
  ),
  // RFC 7591 §2: jwks_uri and jwks must not both be present
  contradiction(
    'jwks-exclusive',
    'jwks_uri',
    ['jwks'],
    ({ jwks, jwks_uri }) => jwks !== undefined && jwks_uri !== undefined,
  ),
  metadataRule(['jwks', 'jwks_uri', 'signed_jwks_uri'], (metadata) =>
    hasKeys(metadata) ? [] : membersThatNeedKeys(metadata).map((member) => fault('keys-required')(member)),
  ),
  // OpenID Registration §2: none must not be used if the authorization endpoint returns an ID token
  contradiction(
    'id-token-unsigned',
    'id_token_signed_response_alg',
    ['response_types'],
    ({ id_token_signed_response_alg, response_types }) =>
      id_token_signed_response_alg === 'none' && holdsIdToken(response_types),
  ),
  // OpenID RP-Initiated Logout §2: the provider verifies that it issued the hint; Back-Channel Logout §2.6: never none
  contradiction(
    'id-token-unsigned-logout',
    'id_token_signed_response_alg',
    ['response_types', 'post_logout_redirect_uris', 'backchannel_logout_uri'],
    ({ id_token_signed_response_alg, response_types, post_logout_redirect_uris = [], backchannel_logout_uri }) =>
      id_token_signed_response_alg === 'none' &&
      !holdsIdToken(response_types) &&
      (post_logout_redirect_uris.length > 0 || backchannel_logout_uri !== undefined),
  ),
  // OpenID Core §10.1, §10.2: the key is the client_secret or derived from it, and a public client has none
  metadataRule(['token_endpoint_auth_method'], (metadata) =>
    metadata.token_endpoint_auth_method === 'none'
      ? membersOfAlgorithms(metadata, usesSecret).map((member) => fault('secret-algorithm')(member))
      : [],
  ),
  // RFC 7518 §3.2: the key must be at least as long as the hash
  metadataRule(['token_endpoint_auth_method'], (metadata, { secretLength }) =>
    metadata.token_endpoint_auth_method === 'none'
      ? []
      : membersOfAlgorithms(metadata, (algorithm) => neededSecretLength(algorithm) > secretLength).map((member) =>
          fault('secret-length')(member),
        ),
  ),
  // RFC 6749 §4.4, CIBA §7.1: a client that uses these grants must authenticate
  contradiction(
    'confidential-grant',
    'token_endpoint_auth_method',
    ['grant_types'],
    ({ grant_types, token_endpoint_auth_method }) =>
      token_endpoint_auth_method === 'none' && grant_types.some((grant) => confidentialGrants.includes(grant)),
  ),
  contradiction(
    'auth-signing-algorithm',
    'token_endpoint_auth_signing_alg',
    ['token_endpoint_auth_method'],
    ({ token_endpoint_auth_signing_alg: algorithm, token_endpoint_auth_method: method }) =>
      algorithm !== undefined && !isSigningMethod(method, algorithm),
  ),
  // RFC 8705 §2.1.2: exactly one of them identifies the certificate
  metadataRule(['token_endpoint_auth_method', ...certificateMembers], (metadata) => {
    const present = certificateMembers.filter((member) => metadata[member] !== undefined)
    if (metadata.token_endpoint_auth_method !== 'tls_client_auth')
      return present.map((member) => fault('tls-client-auth-unused')(member))
    return present.length === 1 ? [] : [fault('tls-client-auth')('token_endpoint_auth_method')]
  }),
  ...encryptionAlgorithms,
  // RFC 9101 §10.5: require_signed_request_object excludes none
  contradiction(
    'signed-request-required',
    'request_object_signing_alg',
    ['require_signed_request_object'],
    ({ require_signed_request_object, request_object_signing_alg }) =>
      require_signed_request_object === true && request_object_signing_alg === 'none',
  ),
  // OpenID Core §8.1: the sector is the host of the redirection URIs, or of the sector_identifier_uri
  contradiction(
    'pairwise-sector',
    'subject_type',
    ['redirect_uris', 'sector_identifier_uri'],
    ({ subject_type, redirect_uris = [], sector_identifier_uri }) =>
      subject_type === 'pairwise' && sector_identifier_uri === undefined && !isOneHost(redirect_uris),
  ),
  // OpenID Registration §5: the document must be checked; without outbound fetches the member is refused
  contradiction(
    'sector-identifier-off',
    'sector_identifier_uri',
    [],
    ({ sector_identifier_uri }, { fetchesSectorIdentifiers }) =>
      sector_identifier_uri !== undefined && !fetchesSectorIdentifiers,
  ),
  // OpenID Back-Channel Logout §2.2 leaves http to the service, which sends by it on its own machine only
  metadataRule(['backchannel_logout_uri'], ({ backchannel_logout_uri: uri = 'https:' }, { isOnLoopback = false }) =>
    isOnLoopback || uriParts(uri).scheme === 'https' ? [] : [fault('https-uri')('backchannel_logout_uri')],
  ),
  // OpenID Front-Channel Logout §2: the scheme is https, and the origin is that of a redirection URI
  metadataRule(['frontchannel_logout_uri', 'redirect_uris'], ({ frontchannel_logout_uri: uri, redirect_uris = [] }) => {
    if (uri === undefined) return []
    if (!isHttpsOrLoopback(uri)) return [fault('frontchannel-scheme')('frontchannel_logout_uri')]
    return redirect_uris.some((redirect) => originOf(redirect) === originOf(uri))
      ? []
      : [fault('frontchannel-origin')('frontchannel_logout_uri')]
  }),
  // CIBA §4: required for the grant
  contradiction(
    'ciba-delivery-mode',
    'backchannel_token_delivery_mode',
    ['grant_types'],
    ({ grant_types, backchannel_token_delivery_mode }) =>
      grant_types.includes('urn:openid:params:grant-type:ciba') && backchannel_token_delivery_mode === undefined,
  ),
  // CIBA §4: required if the mode is ping or push
  contradiction(
    'ciba-notification-endpoint',
    'backchannel_client_notification_endpoint',
    ['backchannel_token_delivery_mode'],
    ({ backchannel_token_delivery_mode: mode, backchannel_client_notification_endpoint: endpoint }) =>
      (mode === 'ping' || mode === 'push') && endpoint === undefined,
  ),
  ...choices,
]

/** The effective metadata and all faults of the body; the metadata is valid only without faults. */
export type ValidatedMetadata = Pick<ReadMembers, 'invalid'> & {
  readonly metadata: ClientMetadata
  readonly faults: ReadonlyArray<Fault>
}

/** For POST and PUT: each member's own rule, the defaults, then the rules across members. */
export const validateClientMetadata =
  (rules: ReadonlyArray<MetadataRule>, context: Omit<RuleContext, 'invalid'>) =>
  (body: Readonly<Record<string, unknown>>): ValidatedMetadata => {
    const { metadata: requested, invalid, faults } = readMembers(body)
    const judging = Object.assign({}, context, { invalid })
    const metadata = withDefaults(requested, judging)
    const invalidEntries = new Set(faults.map(memberOfFault))
    const judged =
      invalidEntries.size === 0
        ? rules
        : rules.filter(({ members }) => !members.some((each) => invalidEntries.has(each)))
    // Most rules find no fault, and empty lists are not joined.
    const crossed = judged.map((rule) => rule.faultsOf(metadata, judging)).filter(RA.isNonEmpty)
    if (faults.length === 0 && crossed.length === 0) return { metadata, invalid, faults: [] }
    return { metadata, invalid, faults: [...faults, ...crossed.flat(), ...misspeltMembers(body)] }
  }
