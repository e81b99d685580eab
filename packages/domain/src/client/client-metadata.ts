import type { ValueType } from '../codec/value-type.js'
import { asymmetric, contentEncryption, signingAlgorithmOrNone, usesSecret } from './algorithms.js'
import type { LanguageTagged } from './language-tagged.js'
import type { KnownMembers } from './members.js'
import { isChosenMember, listOfMember } from './members/choice-members.js'
import type { RequestedClientMetadata } from './read-members.js'
import { authMethod, subjectType } from './value-types.js'

type Defaults = Required<
  Pick<
    KnownMembers,
    | 'application_type'
    | 'grant_types'
    | 'id_token_signed_response_alg'
    | 'response_types'
    | 'subject_type'
    | 'token_endpoint_auth_method'
  >
>

/** RFC 7591 §2: the effective metadata, with all defaults. */
export interface ClientMetadata extends Omit<KnownMembers, keyof Defaults>, Defaults, LanguageTagged {}

/** Each member that names a content encryption, with the member for key encryption that it requires. */
export const encryptionPairs = [
  ['id_token_encrypted_response_enc', 'id_token_encrypted_response_alg'],
  ['userinfo_encrypted_response_enc', 'userinfo_encrypted_response_alg'],
  ['request_object_encryption_enc', 'request_object_encryption_alg'],
  ['authorization_encrypted_response_enc', 'authorization_encrypted_response_alg'],
  ['introspection_encrypted_response_enc', 'introspection_encrypted_response_alg'],
  ['nfv_token_encrypted_response_enc', 'nfv_token_encrypted_response_alg'],
] as const

/** Whether the service or the provider supports the value for the member. */
export type IsSupported = (member: string, value: string) => boolean

// OpenID RP Metadata Choices §2: of the values that the client supports, the default, else the first supported here,
// else the first known, which is then reported as a fault.
const chosen = <Value extends string>(
  type: ValueType<Value>,
  listed: ReadonlyArray<string> | undefined,
  byDefault: Value,
  isSupported: (value: string) => boolean = () => true,
): Value => {
  if (listed === undefined) return byDefault
  const known = [...(listed.includes(byDefault) ? [byDefault] : []), ...listed.filter(type.codec.is)]
  return known.find(isSupported) ?? known[0] ?? byDefault
}

const supportedOf = (requested: RequestedClientMetadata, member: string): ReadonlyArray<string> | undefined =>
  isChosenMember(member) ? requested[listOfMember[member]] : undefined

// OpenID Registration §2, JARM §3, RFC 9701 §6: the content encryption has a default where key encryption is named.
const defaultEncryptions = (
  requested: RequestedClientMetadata,
  isSupported: IsSupported,
): Partial<RequestedClientMetadata> =>
  Object.fromEntries(
    encryptionPairs
      .filter(([enc, alg]) => requested[alg] !== undefined && requested[enc] === undefined)
      .map(([enc]) => [
        enc,
        chosen(contentEncryption, supportedOf(requested, enc), 'A128CBC-HS256', (value) => isSupported(enc, value)),
      ]),
  )

// OpenID Registration §2: RS256; §3.2: the server may register another value in place of an unsupported one and report
// it
const defaultSignature = (isSupported: (value: string) => boolean) => asymmetric.find(isSupported) ?? 'RS256'

const idTokenSignature = (requested: RequestedClientMetadata, isSupported: IsSupported) => {
  const signs = (value: string): boolean => isSupported('id_token_signed_response_alg', value)
  return (
    requested.id_token_signed_response_alg ??
    chosen(
      signingAlgorithmOrNone,
      requested.id_token_signing_alg_values_supported,
      requested.id_token_signing_alg_values_supported === undefined ? defaultSignature(signs) : 'RS256',
      signs,
    )
  )
}

const redirectGrants = ['authorization_code', 'implicit']

export const usesRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.some((grantType) => redirectGrants.includes(grantType))

/** RFC 7591 §2 and OpenID Registration §2; a client without authorization_code gets no response type. */
export const withDefaults = (
  requested: RequestedClientMetadata,
  isSupported: IsSupported = () => true,
): ClientMetadata => {
  const grant_types = requested.grant_types ?? ['authorization_code']
  // Object.assign gives all objects one hidden class; a spread does not, and the rules would read members slowly.
  return Object.assign({}, requested, defaultEncryptions(requested, isSupported), {
    application_type: requested.application_type ?? 'web',
    grant_types,
    id_token_signed_response_alg: idTokenSignature(requested, isSupported),
    response_types: requested.response_types ?? (grant_types.includes('authorization_code') ? ['code'] : []),
    subject_type: requested.subject_type ?? chosen(subjectType, requested.subject_types_supported, 'public'),
    token_endpoint_auth_method:
      requested.token_endpoint_auth_method ??
      chosen(authMethod, requested.token_endpoint_auth_methods_supported, 'client_secret_basic'),
  })
}

/** The members that name an algorithm, except those for content encryption. */
export const algorithmMembers = [
  'id_token_signed_response_alg',
  'id_token_encrypted_response_alg',
  'userinfo_signed_response_alg',
  'userinfo_encrypted_response_alg',
  'request_object_signing_alg',
  'request_object_encryption_alg',
  'token_endpoint_auth_signing_alg',
  'authorization_signed_response_alg',
  'authorization_encrypted_response_alg',
  'introspection_signed_response_alg',
  'introspection_encrypted_response_alg',
  'nfv_token_signed_response_alg',
  'nfv_token_encrypted_response_alg',
  'backchannel_authentication_request_signing_alg',
] as const

export type AlgorithmMember = (typeof algorithmMembers)[number]

/**
 * OpenID Core §9, §10.2, RFC 8705 §2.2: the algorithms by which the client signs, or by which others encrypt for it.
 */
export const usesClientKeys: ReadonlySet<AlgorithmMember> = new Set([
  'request_object_signing_alg',
  'token_endpoint_auth_signing_alg',
  'backchannel_authentication_request_signing_alg',
  'id_token_encrypted_response_alg',
  'userinfo_encrypted_response_alg',
  'authorization_encrypted_response_alg',
  'introspection_encrypted_response_alg',
  'nfv_token_encrypted_response_alg',
])

/** The members whose algorithm satisfies the predicate. */
export const membersOfAlgorithms = (
  metadata: ClientMetadata,
  isOfKind: (algorithm: string) => boolean,
): ReadonlyArray<AlgorithmMember> =>
  algorithmMembers.filter((member) => {
    const algorithm = metadata[member]
    return algorithm !== undefined && isOfKind(algorithm)
  })

const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']

/** Whether the client authenticates with a secret, or an algorithm of its metadata uses one. */
export const needsSecret = (metadata: ClientMetadata): boolean =>
  secretMethods.includes(metadata.token_endpoint_auth_method) || membersOfAlgorithms(metadata, usesSecret).length > 0
