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

/** RFC 7591 §2, effective: with every default. */
export interface ClientMetadata extends Omit<KnownMembers, keyof Defaults>, Defaults, LanguageTagged {}

/** Each member that names a content encryption, and the member that it needs. */
export const encryptionPairs = [
  ['id_token_encrypted_response_enc', 'id_token_encrypted_response_alg'],
  ['userinfo_encrypted_response_enc', 'userinfo_encrypted_response_alg'],
  ['request_object_encryption_enc', 'request_object_encryption_alg'],
  ['authorization_encrypted_response_enc', 'authorization_encrypted_response_alg'],
  ['introspection_encrypted_response_enc', 'introspection_encrypted_response_alg'],
  ['nfv_token_encrypted_response_enc', 'nfv_token_encrypted_response_alg'],
] as const

/** Whether the service can do what a value of the member says. */
export type IsSupported = (member: string, value: string) => boolean

// OpenID RP Metadata Choices §2: of what the client supports, the default, else the first that is supported here, too, else
// the first that is known, which then is told as a fault.
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

// OpenID Registration §2, JARM §3, RFC 9701 §6: where the key algorithm is given, the content encryption has a default
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

// OpenID Registration §2: RS256; §3.2: in place of what it cannot do, the server may register something else and tell it
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
  // A spread in place of assign would give each object a shape of its own, and every rule would read it slowly.
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

/** The members that name an algorithm, but for content encryption. */
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

/** OpenID Core §9, §10.2, RFC 8705 §2.2: what the client signs, and what is encrypted for it, takes its own keys. */
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

/** The members whose algorithm is of a kind. */
export const membersOfAlgorithms = (
  metadata: ClientMetadata,
  isOfKind: (algorithm: string) => boolean,
): ReadonlyArray<AlgorithmMember> =>
  algorithmMembers.filter((member) => {
    const algorithm = metadata[member]
    return algorithm !== undefined && isOfKind(algorithm)
  })

const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']

/** Whether the client authenticates with a secret, or anything is signed or encrypted with it. */
export const needsSecret = (metadata: ClientMetadata): boolean =>
  secretMethods.includes(metadata.token_endpoint_auth_method) || membersOfAlgorithms(metadata, usesSecret).length > 0
