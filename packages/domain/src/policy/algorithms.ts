import { neededSecretLength, requestEncryption, usesKeyPair } from '../client/keys.js'
import { type MemberProperties, type NameWith, algorithmMembers, contentMembers, members } from '../client/members.js'
import { type IsSupported, redirectGrants } from '../client/metadata.js'
import { type MetadataRule, contradiction, grantsOf, isSigningMethod, metadataRule } from '../client/rules.js'
import { fault } from '../kernel/faults.js'
import { type JsonObject, ownMember } from '../kernel/json-object.js'
import { type RegistrationPolicy, allowsResponseType, inOrder } from './policy.js'

// Whether an algorithm of client metadata is supported: one answer for registration and for the provider metadata.

/** What an authorization server does of what clients register, in the values of the members. */
type Served = {
  readonly grant_types: ReadonlyArray<string>
  readonly response_types: ReadonlyArray<string>
  readonly token_endpoint_auth_method: ReadonlyArray<string>
}

type ServedTypes = Pick<Served, 'grant_types' | 'response_types'>

/** RFC 7591 §2.1: what the policy leaves. A grant that only its response types use is of no use without one of them. */
export const typesByPolicy = (
  policy: Pick<RegistrationPolicy, 'allowed_response_types'>,
  served: ServedTypes,
): ServedTypes => {
  if (policy.allowed_response_types === undefined) return served
  const response_types = served.response_types.filter((each) => allowsResponseType(policy, each))
  const used = response_types.flatMap(grantsOf)
  const grant_types = served.grant_types.filter((each) => !redirectGrants.includes(each) || used.includes(each))
  return { grant_types, response_types }
}

/** The keys and algorithms by which this service, and the provider beside it, sign and decrypt. */
export type Abilities = {
  /** The algorithms of this service: one key ring each. */
  readonly signingAlgorithms: ReadonlyArray<string>
  /** OpenID Discovery §3: the provider metadata that the operator declares. */
  readonly providerMetadata: JsonObject
  /** What the authorization server in this service does; left out where another one is beside it. */
  readonly served?: Served
  /** Characters of a client_secret that is made here; without it, it is long enough for every algorithm. */
  readonly clientSecretLength?: number
}

/** Without abilities, every known algorithm is accepted. */
type Settings = { readonly policy: RegistrationPolicy; readonly abilities?: Abilities }

/** A member that names an algorithm, or a content encryption. */
export type CryptographicMember = NameWith<'keyOf'> | NameWith<'alg'>

export const cryptographicMembers: ReadonlyArray<CryptographicMember> = [...algorithmMembers, ...contentMembers]

/**
 * OpenID Discovery §3, JARM §4, RFC 9701 §7, CIBA §4, ETSI GS NFV-SEC 022: the provider metadata that lists the
 * supported values has the name of the member, with other words for a response.
 */
export const listOfAlgorithms = (member: CryptographicMember): `${string}_supported` =>
  `${member.replace('signed_response', 'signing').replace('encrypted_response', 'encryption')}_values_supported`

// A client's own keys verify its signatures and encrypt for it; all other algorithms take a key pair of the provider.
const usesProviderKeys = (member: CryptographicMember): boolean => {
  const { keyOf }: MemberProperties<never> = members[member]
  return keyOf === 'provider'
}

const isDoneHere = ({ signingAlgorithms }: Abilities, member: CryptographicMember, algorithm: string): boolean =>
  !usesProviderKeys(member) || !usesKeyPair(algorithm) || [...signingAlgorithms, requestEncryption].includes(algorithm)

/** A list in the declared provider metadata takes precedence over the keys of this service. */
const isAble = (abilities: Abilities, member: CryptographicMember): ((algorithm: string) => boolean) => {
  const declared = ownMember(abilities.providerMetadata, listOfAlgorithms(member))
  return Array.isArray(declared)
    ? (algorithm) => declared.includes(algorithm)
    : (algorithm) => isDoneHere(abilities, member, algorithm)
}

const ableOf = ({ abilities }: Settings, member: CryptographicMember): ReadonlyArray<string> => {
  const known = members[member].type.values
  return abilities === undefined ? known : known.filter(isAble(abilities, member))
}

const isAllowed = ({ policy }: Settings, algorithm: string): boolean =>
  policy.allowed_algorithms?.includes(algorithm) ?? true

/** The algorithms of the member that the service or the provider supports and that the policy allows. */
const supportedAlgorithms =
  (settings: Settings) =>
  (member: CryptographicMember): ReadonlyArray<string> =>
    ableOf(settings, member).filter((algorithm) => isAllowed(settings, algorithm))

// OpenID Core §9: an algorithm of client assertions is of use with one method alone.
const isOfAllowedMethod = ({ policy }: Settings, member: CryptographicMember, algorithm: string): boolean =>
  member !== 'token_endpoint_auth_signing_alg' ||
  (policy.allowed_token_endpoint_auth_methods?.some((method) => isSigningMethod(method, algorithm)) ?? true)

/**
 * The supported algorithms that the provider metadata list: RFC 7518 §3.2 leaves those out for which a client_secret that is
 * made here is too short. A client that brings a longer one may register them.
 */
export const listedAlgorithms = (settings: Settings): ((member: CryptographicMember) => ReadonlyArray<string>) => {
  const supported = supportedAlgorithms(settings)
  const { clientSecretLength = Infinity } = settings.abilities ?? {}
  return (member) =>
    supported(member).filter(
      (algorithm) =>
        neededSecretLength(algorithm) <= clientSecretLength && isOfAllowedMethod(settings, member, algorithm),
    )
}

/**
 * Whether the value is supported, and the policy allows it, for a member that has an algorithm, for response types and the
 * authentication method, and for a member that an authorization server here serves; every value of another member is.
 */
export const supportedValues = (settings: Settings): IsSupported => {
  const supported = supportedAlgorithms(settings)
  const { allowed_token_endpoint_auth_methods: methods } = settings.policy
  const byMember: ReadonlyMap<string, ReadonlySet<string>> = new Map([
    ...Object.entries(settings.abilities?.served ?? {}).map(
      ([member, values]) => [member, new Set(values.map(inOrder))] as const,
    ),
    ...cryptographicMembers.map((member) => [member, new Set(supported(member))] as const),
  ])
  return (member, value) =>
    (byMember.get(member)?.has(inOrder(value)) ?? true) &&
    (member !== 'response_types' || allowsResponseType(settings.policy, value)) &&
    (member !== 'token_endpoint_auth_method' || (methods?.includes(value) ?? true))
}

// OpenID Registration §2: the server may refuse unsupported values, so that the client can choose another one.
const unsupportedRules = (settings: Settings): ReadonlyArray<MetadataRule> =>
  cryptographicMembers.flatMap((member) => {
    const able = ableOf(settings, member)
    const known = members[member].type.values
    // The policy's own rule reports the values that the policy does not allow.
    const refused = known.filter((algorithm) => !able.includes(algorithm) && isAllowed(settings, algorithm))
    const unsupported = metadataRule([member], (metadata) => {
      const algorithm = metadata[member]
      return algorithm !== undefined && refused.includes(algorithm) ? [fault('unsupported-algorithm')(member)] : []
    })
    return refused.length === 0 ? [] : [unsupported]
  })

// OpenID Back-Channel Logout §2.6: a logout token is signed as ID tokens are, and only this service sends it
const logoutTokenRule = ({ signingAlgorithms }: Abilities): MetadataRule =>
  contradiction(
    'logout-token-algorithm',
    'id_token_signed_response_alg',
    ['backchannel_logout_uri'],
    ({ id_token_signed_response_alg: algorithm, backchannel_logout_uri }) =>
      backchannel_logout_uri !== undefined && usesKeyPair(algorithm) && !signingAlgorithms.includes(algorithm),
  )

/**
 * The rules that refuse algorithms which neither the service nor the provider supports, or which only the provider
 * supports where this service must sign.
 */
export const abilityRules = (
  settings: Settings & { readonly outboundFetches: boolean },
): ReadonlyArray<MetadataRule> => [
  ...unsupportedRules(settings),
  ...(settings.abilities !== undefined && settings.outboundFetches ? [logoutTokenRule(settings.abilities)] : []),
]
