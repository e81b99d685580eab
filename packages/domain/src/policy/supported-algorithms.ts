// What can be done with an algorithm that a client names: one answer for registration and for the metadata of the provider.
import { usesKeyPair } from '../client/algorithms.js'
import { type AlgorithmMember, algorithmMembers, encryptionPairs, usesClientKeys } from '../client/client-metadata.js'
import { members } from '../client/members.js'
import { isChosenMember, listOfMember } from '../client/members/choice-members.js'
import type { FaultsOf, MetadataRule } from '../client/rules/rule.js'
import { fault } from '../codec/fault.js'
import type { JsonObject } from '../codec/json-object.js'
import { encryptionRing } from '../keys/key-settings.js'
import type { RegistrationPolicy } from './registration-policy.js'

/** With what tokens and other objects are signed and decrypted, by this service or by the provider beside it. */
export type Abilities = {
  /** What this service signs with: one key ring each. */
  readonly signingAlgorithms: ReadonlyArray<string>
  /** OpenID Discovery §3: what the provider beside this service says of itself. */
  readonly providerMetadata: JsonObject
}

/** Where the abilities are left out, they are unknown, and every known algorithm is taken. */
type Settings = { readonly policy: RegistrationPolicy; readonly abilities?: Abilities }

/** A member that names an algorithm, or a content encryption. */
export type CryptographicMember = AlgorithmMember | (typeof encryptionPairs)[number][0]

export const cryptographicMembers: ReadonlyArray<CryptographicMember> = [
  ...algorithmMembers,
  ...encryptionPairs.map(([enc]) => enc),
]

export const isCryptographicMember = (name: string): name is CryptographicMember =>
  cryptographicMembers.some((member) => member === name)

const nfvLists = {
  nfv_token_signed_response_alg: 'nfv_token_signing_alg_values_supported',
  nfv_token_encrypted_response_alg: 'nfv_token_encryption_alg_values_supported',
  nfv_token_encrypted_response_enc: 'nfv_token_encryption_enc_values_supported',
} as const

/** OpenID Discovery §3, JARM §4, RFC 9701 §7, CIBA §4, ETSI GS NFV-SEC 022: where the provider tells what it supports. */
export const listOfAlgorithms = (member: CryptographicMember): `${string}_supported` =>
  isChosenMember(member) ? listOfMember[member] : nfvLists[member]

const isAlgorithmMember = (member: CryptographicMember): member is AlgorithmMember =>
  algorithmMembers.some((each) => each === member)

// The client's own keys verify what it signs and encrypt what is for it; all else takes a key pair of the provider.
const usesProviderKeys = (member: CryptographicMember): boolean =>
  isAlgorithmMember(member) && !usesClientKeys.has(member)

const isDoneHere = ({ signingAlgorithms }: Abilities, member: CryptographicMember, algorithm: string): boolean =>
  !usesProviderKeys(member) || !usesKeyPair(algorithm) || [...signingAlgorithms, encryptionRing.alg].includes(algorithm)

/** The list that the provider beside this service declares takes the place of what is known of our keys. */
const isAble = (abilities: Abilities, member: CryptographicMember): ((algorithm: string) => boolean) => {
  const list = listOfAlgorithms(member)
  const declared = Object.hasOwn(abilities.providerMetadata, list) ? abilities.providerMetadata[list] : undefined
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

/** The algorithms of the member that somebody can do, and that the policy of the operator allows. */
export const supportedAlgorithms =
  (settings: Settings) =>
  (member: CryptographicMember): ReadonlyArray<string> =>
    ableOf(settings, member).filter((algorithm) => isAllowed(settings, algorithm))

// OpenID Registration §2: the server may refuse what it does not support, and a client that is told so can choose again.
const unsupportedRules = (settings: Settings): ReadonlyArray<MetadataRule> =>
  cryptographicMembers.flatMap((member) => {
    const [able, known] = [ableOf(settings, member), members[member].type.values]
    // What the policy does not allow is told by its own rule.
    const refused = known.filter((algorithm) => !able.includes(algorithm) && isAllowed(settings, algorithm))
    const faultsOf: FaultsOf = (metadata) => {
      const algorithm = metadata[member]
      return algorithm !== undefined && refused.includes(algorithm) ? [fault('unsupported-algorithm')(member)] : []
    }
    return refused.length === 0 ? [] : [{ members: [member], faultsOf }]
  })

// OpenID Back-Channel Logout §2.6: a logout token is signed as ID tokens are, and this service alone sends it
const logoutTokenRule = ({ signingAlgorithms }: Abilities): MetadataRule => ({
  members: ['id_token_signed_response_alg', 'backchannel_logout_uri'],
  faultsOf: ({ id_token_signed_response_alg: algorithm, backchannel_logout_uri }) =>
    backchannel_logout_uri !== undefined && usesKeyPair(algorithm) && !signingAlgorithms.includes(algorithm)
      ? [fault('logout-token-algorithm')('id_token_signed_response_alg')]
      : [],
})

/** What nobody can do is refused, and what another than this service does where it would have to do it. */
export const abilityRules = (
  settings: Settings & { readonly outboundFetches: boolean },
): ReadonlyArray<MetadataRule> => [
  ...unsupportedRules(settings),
  ...(settings.abilities !== undefined && settings.outboundFetches ? [logoutTokenRule(settings.abilities)] : []),
]
