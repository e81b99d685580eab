import { bitLength, byteLength, isBase64url, isOdd } from '../codec/base64url.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'

/** A rule that a key breaks, at one of its members or as a whole. */
export type KeyFault = { readonly rule: RuleId; readonly member?: string }

type Key = Readonly<Record<string, unknown>>

// RFC 7518 §6: the members that only a private or symmetric key has; priv is that of the type AKP (ML-DSA and the like)
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

type Curves = ReadonlyMap<unknown, number>

// RFC 7518 §6.2.1, RFC 8812 §3.1: the curves of the type EC, and how many bytes each coordinate has
const ellipticCurves: Curves = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
  ['secp256k1', 32],
])
// RFC 8037 §2: the same of the type OKP
const octetCurves: Curves = new Map([
  ['Ed25519', 32],
  ['Ed448', 57],
  ['X25519', 32],
  ['X448', 56],
])
const maximumModulusText = 2731
const maximumExponentText = 43
const maximumCertificates = 10

const faultsUnless = (holds: boolean, rule: RuleId, member: string): ReadonlyArray<KeyFault> =>
  holds ? [] : [{ rule, member }]

const isBytes = (value: unknown): value is string => typeof value === 'string' && isBase64url(value)

const modulusFaults = (value: unknown): ReadonlyArray<KeyFault> => {
  if (!isBytes(value)) return [{ rule: 'jwk-member', member: 'n' }]
  const isSound = value.length <= maximumModulusText && isOdd(value) && bitLength(value) >= 2048
  return faultsUnless(isSound, 'jwk-rsa-size', 'n')
}

const exponentFaults = (value: unknown): ReadonlyArray<KeyFault> => {
  if (!isBytes(value)) return [{ rule: 'jwk-member', member: 'e' }]
  const isSound = value.length <= maximumExponentText && isOdd(value) && bitLength(value) >= 17
  return faultsUnless(isSound, 'jwk-rsa-exponent', 'e')
}

// A curve that is not known is left to those who know it, but not one of the other type.
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
      // RFC 7517 §5: keys of a type that is not understood are left to those who do
      return []
  }
}

const isKid = (value: unknown): boolean =>
  typeof value === 'string' && /^[\x21-\x7E]{1,256}$/.test(value) && !value.includes('..')

// RFC 7517 §4.7: base64 of DER, not base64url
const isCertificateChain = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maximumCertificates &&
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

/** What keeps a value from being a public key: RFC 7517 §4, RFC 7591 §2. */
export const publicKeyFaults = (key: unknown): ReadonlyArray<KeyFault> => {
  if (!isPlainObject(key) || typeof ownMember(key, 'kty') !== 'string') return [{ rule: 'jwk' }]
  const secret = privateMembers.filter((member) => Object.hasOwn(key, member))
  return [
    ...secret.map((member): KeyFault => ({ rule: 'jwk-private', member })),
    ...faultsOfType(key),
    ...faultsOfCommonMembers(key),
  ]
}
