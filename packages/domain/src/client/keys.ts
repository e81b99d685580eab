// The public keys of clients, and algorithms.
import { type BrokenRule, broken, ruleCodec } from '../kernel/faults.js'
import { type JsonObject, isJsonObject, isPlainObject, maxDepth, ownMember } from '../kernel/json-object.js'
import type { MetadataRuleId } from '../kernel/rule-texts.js'
import { type ValueType, bitLength, byteLength, choiceType, isBase64url, isOdd } from '../kernel/values.js'

// The algorithms that a client may name, and the keys that each needs.

// RFC 7518 §3.1, RFC 8037 §3.1
export const asymmetricAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const
export const symmetricAlgorithms = ['HS256', 'HS384', 'HS512'] as const

export const asymmetricAlgorithm = choiceType('asymmetric-algorithm', ...asymmetricAlgorithms)
export const signingAlgorithm = choiceType('signing-algorithm', ...asymmetricAlgorithms, ...symmetricAlgorithms)
export const signingAlgorithmOrNone = choiceType(
  'signing-algorithm-or-none',
  ...asymmetricAlgorithms,
  ...symmetricAlgorithms,
  'none',
)

// RFC 7518 §4.1. RSA1_5 is left out because of its padding oracle, and PBES2 because a client_secret is not a password.
const keyEncryption = [
  'RSA-OAEP',
  'RSA-OAEP-256',
  'RSA-OAEP-384',
  'RSA-OAEP-512',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A192KW',
  'ECDH-ES+A256KW',
] as const
const keyWrapping = ['A128KW', 'A192KW', 'A256KW', 'A128GCMKW', 'A192GCMKW', 'A256GCMKW', 'dir'] as const

export const keyManagementAlgorithms = [...keyEncryption, ...keyWrapping] as const

/** RFC 7518 §4.3: that of the key to which clients encrypt request objects and ID token hints. */
export const requestEncryption = 'RSA-OAEP-256'

export const encryptionAlgorithm = choiceType('encryption-algorithm', ...keyManagementAlgorithms)

// RFC 7518 §5.1
export const contentEncryptions = [
  'A128CBC-HS256',
  'A192CBC-HS384',
  'A256CBC-HS512',
  'A128GCM',
  'A192GCM',
  'A256GCM',
] as const

export const contentEncryption = choiceType('content-encryption', ...contentEncryptions)

// RFC 7518 §3.2: the key is at least as long as the hash
const secretBytes: ReadonlyMap<string, number> = new Map([
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
])
const wrapping: ReadonlySet<string> = new Set(keyWrapping)
const publicKey: ReadonlySet<string> = new Set([...asymmetricAlgorithms, ...keyEncryption])

/** OpenID Core §10.1, §10.2: whether the key is the client_secret or derived from it. */
export const usesSecret = (algorithm: string): boolean => secretBytes.has(algorithm) || wrapping.has(algorithm)

export const isSymmetricSignature = (algorithm: string): boolean => secretBytes.has(algorithm)

/** Whether the algorithm needs a key pair, of the client or of the provider. */
export const usesKeyPair = (algorithm: string): boolean => publicKey.has(algorithm)

/** The minimum length of the client_secret in bytes. */
export const neededSecretLength = (algorithm: string): number => secretBytes.get(algorithm) ?? 0

// The maximum size of stored JSON of a registration, in bytes: without a limit, registrants would get free storage.
const maxStoredBytes = 16_384

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

// RFC 3629 §3: two bytes from U+0080, three from U+0800; a surrogate pair takes four
const utf8Length = (text: string): number =>
  text.length + count(text, /[\u0080-\u07ff\ud800-\udfff]/g) + 2 * count(text, /[\u0800-\ud7ff\ue000-\uffff]/g)

/**
 * Whether the text has at most so many bytes in UTF-8. Each code unit takes a byte at least, so that longer texts are
 * not counted.
 */
export const hasAtMost =
  (bytes: number) =>
  (text: string): boolean =>
    text.length <= bytes && utf8Length(text) <= bytes

export const isStorable = hasAtMost(maxStoredBytes)

/** A rule that a key breaks, at one of its members or as a whole. */
type KeyFault = { readonly rule: MetadataRuleId; readonly member?: string }

type Key = Readonly<Record<string, unknown>>

// RFC 7518 §6: the members of private and symmetric keys; priv is the one of the type AKP (ML-DSA and others)
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

type Curves = ReadonlyMap<unknown, number>

// RFC 7518 §6.2.1, RFC 8812 §3.1: the curves of the type EC, and the length of a coordinate in bytes
const ellipticCurves: Curves = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
  ['secp256k1', 32],
])
// RFC 8037 §2: the curves of the type OKP
const octetCurves: Curves = new Map([
  ['Ed25519', 32],
  ['Ed448', 57],
  ['X25519', 32],
  ['X448', 56],
])
const maxModulusText = 2731
const maxExponentText = 43
const maxCertificates = 10

const faultsUnless = (holds: boolean, rule: MetadataRuleId, member: string): ReadonlyArray<KeyFault> =>
  holds ? [] : [{ rule, member }]

const isBytes = (value: unknown): value is string => typeof value === 'string' && isBase64url(value)

const modulusFaults = (value: unknown): ReadonlyArray<KeyFault> => {
  if (!isBytes(value)) return [{ rule: 'jwk-member', member: 'n' }]
  const isValid = value.length <= maxModulusText && isOdd(value) && bitLength(value) >= 2048
  return faultsUnless(isValid, 'jwk-rsa-size', 'n')
}

const exponentFaults = (value: unknown): ReadonlyArray<KeyFault> => {
  if (!isBytes(value)) return [{ rule: 'jwk-member', member: 'e' }]
  const isValid = value.length <= maxExponentText && isOdd(value) && bitLength(value) >= 17
  return faultsUnless(isValid, 'jwk-rsa-exponent', 'e')
}

// An unknown curve is accepted, because verifiers may know it; a curve of the other type is not.
const isCurveOf = (curves: Curves, curve: unknown): boolean =>
  typeof curve === 'string' && (curves.has(curve) || !(ellipticCurves.has(curve) || octetCurves.has(curve)))

const curveFaults = (key: Key, curves: Curves, coordinates: ReadonlyArray<string>): ReadonlyArray<KeyFault> => {
  const curve = ownMember(key, 'crv')
  if (!isCurveOf(curves, curve)) return [{ rule: 'jwk-member', member: 'crv' }]
  const bytes = curves.get(curve)
  return coordinates.flatMap((member) => {
    const value = ownMember(key, member)
    return faultsUnless(isBytes(value) && byteLength(value) === (bytes ?? byteLength(value)), 'jwk-member', member)
  })
}

const faultsOfType = (key: Key): ReadonlyArray<KeyFault> => {
  switch (ownMember(key, 'kty')) {
    case 'RSA':
      return [...modulusFaults(ownMember(key, 'n')), ...exponentFaults(ownMember(key, 'e'))]
    case 'EC':
      return curveFaults(key, ellipticCurves, ['x', 'y'])
    case 'OKP':
      return curveFaults(key, octetCurves, ['x'])
    case 'oct':
      return Object.hasOwn(key, 'k') ? [] : [{ rule: 'jwk-private', member: 'kty' }]
    default:
      // RFC 7517 §5: keys of unknown types are ignored
      return []
  }
}

const isKid = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x7E]{1,256}$/.test(value) && !value.includes('..')

// RFC 7517 §4.7: base64 of DER, not base64url
const isCertificateChain = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxCertificates &&
  value.every(
    (entry) =>
      typeof entry === 'string' && /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(entry),
  )

const isTextIfAny = (key: Key, member: string): boolean =>
  !Object.hasOwn(key, member) || typeof key[member] === 'string'

const faultsOfCommonMembers = (key: Key): ReadonlyArray<KeyFault> => [
  ...faultsUnless(!Object.hasOwn(key, 'kid') || isKid(key['kid']), 'jwk-kid', 'kid'),
  ...faultsUnless(isTextIfAny(key, 'use'), 'jwk-member', 'use'),
  ...faultsUnless(isTextIfAny(key, 'alg'), 'jwk-member', 'alg'),
  ...faultsUnless(!Object.hasOwn(key, 'x5c') || isCertificateChain(key['x5c']), 'jwk-member', 'x5c'),
]

/** The faults of a value as a public key: RFC 7517 §4, RFC 7591 §2. */
export const publicKeyFaults = (key: unknown): ReadonlyArray<KeyFault> => {
  if (!isPlainObject(key) || typeof ownMember(key, 'kty') !== 'string') return [{ rule: 'jwk' }]
  const secret = privateMembers.filter((member) => Object.hasOwn(key, member))
  return [
    ...secret.map((member): KeyFault => ({ rule: 'jwk-private', member })),
    ...faultsOfType(key),
    ...faultsOfCommonMembers(key),
  ]
}

const maxKeys = 32

type Broken = BrokenRule<MetadataRuleId>

const kidOf = (key: unknown): unknown => (isPlainObject(key) ? ownMember(key, 'kid') : undefined)

const brokenByKeys = (keys: ReadonlyArray<unknown>): ReadonlyArray<Broken> => {
  const kids = keys.map(kidOf)
  return keys.flatMap((key, index) => {
    const kid = kids[index]
    const isRepeated = kid !== undefined && kids.indexOf(kid) < index
    return [
      ...publicKeyFaults(key).map(({ rule, member }) =>
        broken(rule, 'keys', index, ...(member === undefined ? [] : [member])),
      ),
      ...(isRepeated ? [broken('jwk-kid-repeated' as const, 'keys', index, 'kid')] : []),
    ]
  })
}

const keysOf = (input: unknown): ReadonlyArray<unknown> | undefined => {
  const keys = isJsonObject(maxDepth)(input) ? input['keys'] : undefined
  return Array.isArray(keys) && keys.length <= maxKeys ? keys : undefined
}

const brokenBy = (input: unknown): ReadonlyArray<Broken> => {
  const keys = keysOf(input)
  if (keys === undefined) return [broken('jwk-set')]
  return isStorable(JSON.stringify(input)) ? brokenByKeys(keys) : [broken('jwk-set-size')]
}

/** RFC 7517 §5, public keys only (RFC 7591 §2). */
export const jwkSetType: ValueType<JsonObject> = {
  codec: ruleCodec('jwk-set', brokenBy),
  schema: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        maxItems: maxKeys,
        items: { type: 'object', required: ['kty'], properties: { kty: { type: 'string' } } },
      },
    },
  },
  values: [],
}

/** The number of keys in a valid set. */
export const keyCount = (jwks: JsonObject | undefined): number => {
  const keys = jwks?.['keys']
  return Array.isArray(keys) ? keys.length : 0
}
