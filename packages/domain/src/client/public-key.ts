import { bitLength, byteLength, isBase64url, isOdd } from '../codec/base64url.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'

/** A rule that a key breaks, at one of its members or as a whole. */
export type KeyFault = { readonly rule: RuleId; readonly member?: string }

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

const faultsUnless = (holds: boolean, rule: RuleId, member: string): ReadonlyArray<KeyFault> =>
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
