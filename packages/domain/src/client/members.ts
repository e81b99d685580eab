// The members of client metadata, each with its type, its default and the section that defines it.
import type { RuleKind } from '../kernel/rule-texts.js'
import { type ValueType, booleanType, ipAddress, secondsType } from '../kernel/values.js'
import {
  asymmetricAlgorithm,
  contentEncryption,
  encryptionAlgorithm,
  jwkSetType,
  signingAlgorithm,
  signingAlgorithmOrNone,
} from './keys.js'
import { dataType } from './uris.js'
import {
  applicationType,
  authMethod,
  contacts,
  credentialFormats,
  deliveryMode,
  distinguishedName,
  emailAddress,
  fetchedUri,
  grantTypes,
  hostName,
  httpsUri,
  launchUri,
  longText,
  notifiedUri,
  pageUri,
  redirectionUris,
  registrationTypes,
  requestUris,
  responseModes,
  responseTypes,
  scope,
  softwareStatement,
  someTokens,
  subjectType,
  text,
  texts,
  tokens,
  uri,
  webUri,
} from './values.js'

/** A member of client metadata: its type, the standard that defines it, and its meaning. */
export type Member<A> = {
  readonly type: ValueType<A>
  readonly reference: string
  readonly about: string
}

/** The properties of a member from which the rules and the provider metadata follow. */
export type MemberProperties<A> = {
  /** The default value. */
  readonly default?: A
  /** The default value in words, where it depends on other members or on the service. */
  readonly byDefault?: string
  /** An empty text counts as if the member was left out. */
  readonly emptyIsAbsent?: true
  /** RFC 7591 §2.2, OpenID Federation §14: it may have a language tag, as in client_name#fr. */
  readonly languageTagged?: true
  /** The rules of redirection URIs apply to its entries. */
  readonly redirects?: true
  /** RFC 8705 §2.1.2: it identifies the certificate of the client. */
  readonly certificateSubject?: true
  /** Of a member that names an algorithm: the party whose key pair it takes. */
  readonly keyOf?: 'client' | 'provider'
  /** Of a member that names a content encryption: the member for key encryption that it requires. */
  readonly alg?: string
  /** OpenID RP Metadata Choices §2: the member whose supported values it lists. */
  readonly listOf?: string
  /**
   * What a client loses without the member, where its value breaks a rule: a capability, or looks. Without this property,
   * the client would be less safe than its author meant.
   */
  readonly loss?: Exclude<RuleKind, 'safety'>
}

// A misspelt property is an error of the compiler.
type NoOther<Properties, A> = { readonly [Name in Exclude<keyof Properties, keyof MemberProperties<A>>]: never }

/** Makes members that one standard defines. */
const definedIn =
  (reference: string) =>
  <A, const Properties = unknown>(
    type: ValueType<A>,
    about: string,
    properties?: Properties & MemberProperties<A> & NoOther<Properties, A>,
  ): Member<A> & Properties =>
    Object.assign({ type, reference, about }, properties)

// OpenID Core §9, §10.2, RFC 8705 §2.2: the client signs with its own keys, and others encrypt for it with them.
const ofClient = { keyOf: 'client' } as const
const ofProvider = { keyOf: 'provider' } as const
const looks = { loss: 'looks' } as const
const languageTagged = { languageTagged: true, ...looks } as const
const capability = { loss: 'capability' } as const
const redirects = { redirects: true, ...capability } as const

const byDefault = '`A128CBC-HS256` if the same name with `_alg` is sent'

type Content = typeof contentEncryption extends ValueType<infer A> ? A : never

/** OpenID Registration §2, JARM §3, RFC 9701 §6: a content encryption, which has a default where key encryption is named. */
const contentOf = <const Alg extends string>(
  define: ReturnType<typeof definedIn>,
  content: string,
  alg: Alg,
): Member<Content> & { readonly alg: Alg; readonly byDefault: string } =>
  define(contentEncryption, `Encrypts ${content}`, { alg, byDefault })

type Described = Pick<Member<unknown>, 'about'> & MemberProperties<unknown>

/** The default value in words; undefined when an absent member stays absent. */
export const defaultInWords = ({ default: value, byDefault }: Described): string | undefined =>
  value === undefined ? byDefault : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

// OpenID RP Metadata Choices §2: lists of the values that a client supports; the member without the list names the
// value in use.

const choices = definedIn('OpenID RP Metadata Choices §2')
const listOf = <const Name extends string>(name: Name) =>
  choices(tokens, `All values of ${name} that it supports`, { listOf: name })

export const choiceMembers = {
  subject_types_supported: listOf('subject_type'),
  token_endpoint_auth_methods_supported: listOf('token_endpoint_auth_method'),
  token_endpoint_auth_signing_alg_values_supported: listOf('token_endpoint_auth_signing_alg'),
  id_token_signing_alg_values_supported: listOf('id_token_signed_response_alg'),
  id_token_encryption_alg_values_supported: listOf('id_token_encrypted_response_alg'),
  id_token_encryption_enc_values_supported: listOf('id_token_encrypted_response_enc'),
  userinfo_signing_alg_values_supported: listOf('userinfo_signed_response_alg'),
  userinfo_encryption_alg_values_supported: listOf('userinfo_encrypted_response_alg'),
  userinfo_encryption_enc_values_supported: listOf('userinfo_encrypted_response_enc'),
  request_object_signing_alg_values_supported: listOf('request_object_signing_alg'),
  request_object_encryption_alg_values_supported: listOf('request_object_encryption_alg'),
  request_object_encryption_enc_values_supported: listOf('request_object_encryption_enc'),
  authorization_signing_alg_values_supported: listOf('authorization_signed_response_alg'),
  authorization_encryption_alg_values_supported: listOf('authorization_encrypted_response_alg'),
  authorization_encryption_enc_values_supported: listOf('authorization_encrypted_response_enc'),
  introspection_signing_alg_values_supported: listOf('introspection_signed_response_alg'),
  introspection_encryption_alg_values_supported: listOf('introspection_encrypted_response_alg'),
  introspection_encryption_enc_values_supported: listOf('introspection_encrypted_response_enc'),
  backchannel_token_delivery_modes_supported: listOf('backchannel_token_delivery_mode'),
  backchannel_authentication_request_signing_alg_values_supported: listOf(
    'backchannel_authentication_request_signing_alg',
  ),
}

const rfc7591 = definedIn('RFC 7591 §2')
const openid = definedIn('OpenID Registration §2')

export const redirectMember = {
  redirect_uris: rfc7591(redirectionUris, 'Where the authorization endpoint may send its answer', redirects),
}

export const oauthMembers = {
  token_endpoint_auth_method: rfc7591(authMethod, 'How the client authenticates', { default: 'client_secret_basic' }),
  grant_types: rfc7591(grantTypes, 'The grants that the client uses', {
    default: ['authorization_code'],
    ...capability,
  }),
  response_types: rfc7591(
    responseTypes,
    'What the client asks the authorization endpoint for; the words of a type may stand in any order',
    { byDefault: '`["code"]` with the grant `authorization_code`, else `[]`', ...capability },
  ),
  application_type: openid(applicationType, 'Where it runs: as a web application, or installed on a device', {
    byDefault: '`native` if `redirect_uris` are those of an installed application, else `web`',
    ...capability,
  }),
  client_name: rfc7591(text, 'The name that people read', languageTagged),
  client_uri: rfc7591(pageUri, 'A page about the client', languageTagged),
  logo_uri: rfc7591(
    pageUri,
    'A picture that stands for the client; the consent page shows it if somebody vouches for the client',
    languageTagged,
  ),
  scope: rfc7591(scope, 'The scope values that the client may ask for', { emptyIsAbsent: true, ...capability }),
  contacts: rfc7591(contacts, 'How to reach the people who are responsible for it', looks),
  tos_uri: rfc7591(pageUri, 'A page with its terms of service', languageTagged),
  policy_uri: rfc7591(pageUri, 'A page about how it uses the data of people', languageTagged),
  jwks_uri: rfc7591(httpsUri, 'The URL of its public keys'),
  jwks: rfc7591(jwkSetType, 'Its public keys'),
  software_id: rfc7591(text, 'The id of the software, the same for all its instances', looks),
  software_version: rfc7591(text, 'The version of the software', looks),
}

export const ownMembers = {
  data: definedIn('this service')(dataType, 'Custom data, which is stored as it is', capability),
  software_statement: definedIn('RFC 7591 §2.3')(
    softwareStatement,
    'Members for which an issuer vouches; its values replace those of the body',
  ),
}

const rpInitiated = definedIn('OpenID RP-Initiated Logout §3.1')
const frontchannel = definedIn('OpenID Front-Channel Logout §2')
const backchannel = definedIn('OpenID Back-Channel Logout §2.2')

export const openidMembers = {
  sector_identifier_uri: openid(fetchedUri, 'The URL of a list of redirection URIs, whose host is the sector'),
  subject_type: openid(subjectType, 'Whether all clients see the same sub, or each sector another', {
    default: 'public',
  }),
  id_token_signed_response_alg: openid(signingAlgorithmOrNone, 'Signs the ID token', {
    keyOf: 'provider',
    byDefault: '`RS256`, or else the first one that the service supports',
    ...capability,
  }),
  id_token_encrypted_response_alg: openid(encryptionAlgorithm, 'Encrypts the key of the ID token', ofClient),
  id_token_encrypted_response_enc: contentOf(openid, 'the ID token', 'id_token_encrypted_response_alg'),
  userinfo_signed_response_alg: openid(signingAlgorithm, 'Signs the UserInfo response', ofProvider),
  userinfo_encrypted_response_alg: openid(encryptionAlgorithm, 'Encrypts the key of the UserInfo response', ofClient),
  userinfo_encrypted_response_enc: contentOf(openid, 'the UserInfo response', 'userinfo_encrypted_response_alg'),
  request_object_signing_alg: openid(signingAlgorithmOrNone, 'Signs the request objects of the client', ofClient),
  request_object_encryption_alg: openid(encryptionAlgorithm, 'Encrypts the key of its request objects', ofProvider),
  request_object_encryption_enc: contentOf(openid, 'its request objects', 'request_object_encryption_alg'),
  token_endpoint_auth_signing_alg: openid(
    signingAlgorithm,
    'Signs the assertion that authenticates the client',
    ofClient,
  ),
  default_max_age: openid(secondsType, 'After how many seconds people must sign in anew'),
  require_auth_time: openid(booleanType, 'Whether the ID token must say when the end-user signed in'),
  default_acr_values: openid(tokens, 'The authentication context classes it asks for, the best first'),
  initiate_login_uri: openid(httpsUri, 'The URL at which others may start a login at the client', capability),
  request_uris: openid(requestUris, 'The URLs of its request objects', capability),
}

export const logoutMembers = {
  post_logout_redirect_uris: rpInitiated(redirectionUris, 'Where people may return after logout', redirects),
  frontchannel_logout_uri: frontchannel(webUri, 'The URL that the browser loads at logout', capability),
  frontchannel_logout_session_required: frontchannel(booleanType, 'Whether that URL gets iss and sid', capability),
  backchannel_logout_uri: backchannel(notifiedUri, 'The URL to which logout tokens are sent', capability),
  backchannel_logout_session_required: backchannel(booleanType, 'Whether logout tokens name the session', capability),
}

const mutualTls = definedIn('RFC 8705 §2.1.2')
const jarm = definedIn('JARM §3')
const rfc9701 = definedIn('RFC 9701 §6')
const ciba = definedIn('CIBA §4')
const federation = definedIn('OpenID Federation §5.1.2')
const informational = definedIn('OpenID Federation §5.2.2')
const nfv = definedIn('ETSI GS NFV-SEC 022')
const boundTokens = definedIn('RFC 8705 §3.4')
const fapi = definedIn('FAPI 2 Security Profile §5.2.2.1.1')
const presentations = definedIn('OpenID for Verifiable Presentations §11.1')
const presentationRequests = definedIn('OpenID for Verifiable Presentations §5.1')
const credentialIssuance = definedIn('OpenID for Verifiable Credential Issuance §12.1')
const subject = { certificateSubject: true } as const

export const requestMembers = {
  require_signed_request_object: definedIn('RFC 9101 §10.5')(booleanType, 'Whether its requests must be signed'),
  require_pushed_authorization_requests: definedIn('RFC 9126 §6')(booleanType, 'Whether its requests must be pushed'),
  authorization_details_types: definedIn('RFC 9396 §10')(
    tokens,
    'The types of authorization details that it uses',
    capability,
  ),
  dpop_bound_access_tokens: definedIn('RFC 9449 §5.2')(booleanType, 'Whether its tokens are bound by DPoP'),
  response_modes: definedIn('FAPI 2 Message Signing §5.3.3')(
    responseModes,
    'The response modes that it uses',
    capability,
  ),
}

export const mutualTlsMembers = {
  tls_client_certificate_bound_access_tokens: boundTokens(booleanType, 'Whether its tokens are bound to a certificate'),
  tls_client_auth_subject_dn: mutualTls(distinguishedName, 'The subject of its certificate (RFC 4514)', subject),
  tls_client_auth_san_dns: mutualTls(hostName, 'The DNS name in its certificate', subject),
  tls_client_auth_san_uri: mutualTls(uri, 'The URI in its certificate', subject),
  tls_client_auth_san_ip: mutualTls(ipAddress, 'The IP address in its certificate', subject),
  tls_client_auth_san_email: mutualTls(emailAddress, 'The email address in its certificate', subject),
  use_mtls_endpoint_aliases: fapi(booleanType, 'Whether it uses the endpoints for mutual TLS'),
}

export const responseMembers = {
  authorization_signed_response_alg: jarm(signingAlgorithm, 'Signs the authorization response', ofProvider),
  authorization_encrypted_response_alg: jarm(
    encryptionAlgorithm,
    'Encrypts the key of the authorization response',
    ofClient,
  ),
  authorization_encrypted_response_enc: contentOf(
    jarm,
    'the authorization response',
    'authorization_encrypted_response_alg',
  ),
  introspection_signed_response_alg: rfc9701(signingAlgorithm, 'Signs the introspection response', ofProvider),
  introspection_encrypted_response_alg: rfc9701(
    encryptionAlgorithm,
    'Encrypts the key of the introspection response',
    ofClient,
  ),
  introspection_encrypted_response_enc: contentOf(
    rfc9701,
    'the introspection response',
    'introspection_encrypted_response_alg',
  ),
}

export const cibaMembers = {
  backchannel_token_delivery_mode: ciba(deliveryMode, 'How it gets tokens of a backchannel authentication', capability),
  backchannel_client_notification_endpoint: ciba(httpsUri, 'Where it is notified, for ping and push', capability),
  backchannel_authentication_request_signing_alg: ciba(
    asymmetricAlgorithm,
    'Signs its authentication requests',
    ofClient,
  ),
  backchannel_user_code_parameter: ciba(booleanType, 'Whether it sends a user code', capability),
}

export const federationMembers = {
  client_registration_types: federation(registrationTypes, 'The ways of registration that it uses', capability),
  organization_name: informational(text, 'The organization that owns the client', languageTagged),
  organization_uri: informational(pageUri, 'A page about that organization', languageTagged),
  description: informational(longText, 'What the client is, in a few words for people', languageTagged),
  keywords: informational(texts, 'Words by which people find the client', languageTagged),
  information_uri: informational(pageUri, 'A page with more about the client', languageTagged),
  signed_jwks_uri: definedIn('OpenID Federation §5.2.1')(httpsUri, 'The URL of its signed key set'),
  claims_redirect_uris: definedIn('UMA Grant §2')(
    redirectionUris,
    'Where people return after claims gathering',
    redirects,
  ),
}

export const nfvMembers = {
  nfv_token_signed_response_alg: nfv(signingAlgorithm, 'Signs the access tokens of network functions', ofProvider),
  nfv_token_encrypted_response_alg: nfv(encryptionAlgorithm, 'Encrypts the key of those tokens', ofClient),
  nfv_token_encrypted_response_enc: contentOf(nfv, 'those tokens', 'nfv_token_encrypted_response_alg'),
}

export const credentialMembers = {
  vp_formats_supported: presentations(credentialFormats, 'The credential formats that it verifies', capability),
  encrypted_response_enc_values_supported: presentationRequests(
    someTokens,
    'The content encryptions that it takes in presentations',
  ),
  credential_offer_endpoint: credentialIssuance(launchUri, 'Where it takes credential offers, as a wallet', capability),
}

/**
 * All known members of client metadata, in the order in which faults are reported. This table is the source of
 * decoding, the rules for algorithms, docs/use/client-metadata.md, the JSON Schema and the lists in the provider metadata.
 */
export const members = {
  ...redirectMember,
  ...oauthMembers,
  ...openidMembers,
  ...logoutMembers,
  ...requestMembers,
  ...mutualTlsMembers,
  ...responseMembers,
  ...cibaMembers,
  ...federationMembers,
  ...nfvMembers,
  ...credentialMembers,
  ...choiceMembers,
  ...ownMembers,
}

export type MemberName = keyof typeof members

type ValueOf<M> = M extends Member<infer A> ? A : never

/** RFC 7591 §2: the known members, each with its type. */
export type KnownMembers = { readonly [Name in MemberName]?: ValueOf<(typeof members)[Name]> }

export const isMemberName = (name: string): name is MemberName => Object.hasOwn(members, name)

/** The names of the members that have a property. */
export type NameWith<Property extends keyof MemberProperties<unknown>> = {
  [Name in MemberName]: (typeof members)[Name] extends Readonly<Record<Property, unknown>> ? Name : never
}[MemberName]

const namesWith = <Property extends keyof MemberProperties<unknown>>(
  property: Property,
): ReadonlyArray<NameWith<Property>> =>
  Object.keys(members)
    .filter(isMemberName)
    .filter((name): name is NameWith<Property> => Object.hasOwn(members[name], property))

export const humanReadableMembers = namesWith('languageTagged')
export const redirectMembers = namesWith('redirects')
/** The members of which an empty text says nothing. */
export const emptiableMembers = namesWith('emptyIsAbsent')
export const certificateMembers = namesWith('certificateSubject')
/** The members that name an algorithm, except those for content encryption. */
export const algorithmMembers = namesWith('keyOf')
export const contentMembers = namesWith('alg')
export const choiceLists = namesWith('listOf')
