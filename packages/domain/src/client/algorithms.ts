// The algorithms that a client may name, and the keys that each needs.
import { choiceType } from '../codec/value-type.js'

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
