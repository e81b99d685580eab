import type { ValueType } from '../codec/value-type.js'
import { effectiveApplicationType } from './application-type.js'
import { asymmetricAlgorithms, contentEncryption, signingAlgorithmOrNone, usesSecret } from './algorithms.js'
import type { LanguageTagged } from './language-tagged.js'
import {
  type KnownMembers,
  type MemberName,
  type NameWith,
  algorithmMembers,
  choiceLists,
  contentMembers,
  members,
} from './members.js'
import type { InvalidMembers, RequestedClientMetadata } from './read-members.js'
import { authMethod, subjectType } from './value-types.js'

type Defaults = Required<
  Pick<KnownMembers, NameWith<'default'> | 'application_type' | 'id_token_signed_response_alg' | 'response_types'>
>

/** RFC 7591 §2: the effective metadata, with all defaults. */
export interface ClientMetadata extends Omit<KnownMembers, keyof Defaults>, Defaults, LanguageTagged {}

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

const listOf: ReadonlyMap<string, NameWith<'listOf'>> = new Map(choiceLists.map((list) => [members[list].listOf, list]))

const supportedOf = (requested: RequestedClientMetadata, member: MemberName): ReadonlyArray<string> | undefined => {
  const list = listOf.get(member)
  return list === undefined ? undefined : requested[list]
}

// OpenID Registration §2, JARM §3, RFC 9701 §6: the content encryption has a default where key encryption is named.
const defaultEncryptions = (
  requested: RequestedClientMetadata,
  isSupported: IsSupported,
): Partial<RequestedClientMetadata> =>
  Object.fromEntries(
    contentMembers
      .filter((enc) => requested[members[enc].alg] !== undefined && requested[enc] === undefined)
      .map((enc) => {
        const isSupportedHere = (value: string): boolean => isSupported(enc, value)
        return [enc, chosen(contentEncryption, supportedOf(requested, enc), 'A128CBC-HS256', isSupportedHere)]
      }),
  )

// OpenID Registration §2: RS256; §3.2: the server may register another value in place of an unsupported one and report
// it
const defaultSignature = (isSupported: (value: string) => boolean) => asymmetricAlgorithms.find(isSupported) ?? 'RS256'

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

// RFC 7591 §2: the server may replace what it does not do, if something remains; adjustmentsOf tells the client
const servedResponseTypes = (sent: KnownMembers['response_types'], isSupported: IsSupported) => {
  const served = sent?.filter((each) => isSupported('response_types', each)) ?? []
  return served.length === 0 ? sent : served
}

const redirectGrants = ['authorization_code', 'implicit']

export const usesRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.some((grantType) => redirectGrants.includes(grantType))

/** What defaults depend on, beside the metadata as sent. */
export type DefaultsContext = {
  /** Selects a value where the client lists several and leaves the choice to the service. */
  readonly isSupported: IsSupported
  /** Members that violate their own rule, as sent: the metadata does not contain them. */
  readonly invalid: InvalidMembers
  /** Whether a client that says web, and has private-use schemes, is registered as native: a part of the policy. */
  readonly replacesWebType: boolean
}

const ofStoredMetadata: DefaultsContext = { isSupported: () => true, invalid: {}, replacesWebType: false }

/** RFC 7591 §2 and OpenID Registration §2; a client without authorization_code gets no response type. */
export const withDefaults = (
  requested: RequestedClientMetadata,
  { isSupported, invalid, replacesWebType }: DefaultsContext = ofStoredMetadata,
): ClientMetadata => {
  const grant_types = requested.grant_types ?? members.grant_types.default
  // Object.assign gives all objects one hidden class; a spread does not, and the rules would read members slowly.
  return Object.assign({}, requested, defaultEncryptions(requested, isSupported), {
    application_type: effectiveApplicationType({ requested, invalid }, replacesWebType),
    grant_types,
    id_token_signed_response_alg: idTokenSignature(requested, isSupported),
    response_types:
      servedResponseTypes(requested.response_types, isSupported) ??
      (grant_types.includes('authorization_code') ? ['code'] : []),
    subject_type:
      requested.subject_type ?? chosen(subjectType, requested.subject_types_supported, members.subject_type.default),
    token_endpoint_auth_method:
      requested.token_endpoint_auth_method ??
      chosen(
        authMethod,
        requested.token_endpoint_auth_methods_supported,
        members.token_endpoint_auth_method.default,
        (value) => isSupported('token_endpoint_auth_method', value),
      ),
  })
}

/** The members whose algorithm satisfies the predicate. */
export const membersOfAlgorithms = (
  metadata: ClientMetadata,
  isOfKind: (algorithm: string) => boolean,
): ReadonlyArray<NameWith<'keyOf'>> =>
  algorithmMembers.filter((member) => {
    const algorithm = metadata[member]
    return algorithm !== undefined && isOfKind(algorithm)
  })

const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']

/** Whether the client authenticates with a secret, or an algorithm of its metadata uses one. */
export const needsSecret = (metadata: ClientMetadata): boolean =>
  secretMethods.includes(metadata.token_endpoint_auth_method) || membersOfAlgorithms(metadata, usesSecret).length > 0
