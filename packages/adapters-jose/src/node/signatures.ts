// Signatures by node:crypto, at once: WebCrypto verifies on another thread, which takes three times as long for one key.
import type { VerifySignature } from '@clientele/adapters-jose'
import type { asymmetricAlgorithms } from '@clientele/domain/client'
import type { PublicJwk } from '@clientele/domain/keys'
import { type KeyObject, type VerifyKeyObjectInput, constants, createPublicKey, verify } from 'node:crypto'

type Algorithm = (typeof asymmetricAlgorithms)[number]

/** How an algorithm verifies, and which keys it has. */
type Verification = {
  readonly digest: string | null
  readonly isOwnKey: (key: KeyObject) => boolean
  readonly options: Omit<VerifyKeyObjectInput, 'key'>
}

// RFC 7518 §3.3, §3.5: RSA with at least 2048 bits
const isRsa = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048

const pkcs1 = (digest: string): Verification => ({ digest, isOwnKey: isRsa, options: {} })

// RFC 7518 §3.5: the salt is as long as the digest.
const pss = (digest: string): Verification => ({
  digest,
  isOwnKey: isRsa,
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
})

// RFC 7518 §3.4: each algorithm has one curve, and its signatures are the two numbers without a frame.
const ecdsa = (digest: string, curve: string): Verification => ({
  digest,
  isOwnKey: ({ asymmetricKeyDetails }) => asymmetricKeyDetails?.namedCurve === curve,
  options: { dsaEncoding: 'ieee-p1363' },
})

const verifications: Readonly<Record<Algorithm, Verification>> = {
  RS256: pkcs1('sha256'),
  RS384: pkcs1('sha384'),
  RS512: pkcs1('sha512'),
  PS256: pss('sha256'),
  PS384: pss('sha384'),
  PS512: pss('sha512'),
  ES256: ecdsa('sha256', 'prime256v1'),
  ES384: ecdsa('sha384', 'secp384r1'),
  ES512: ecdsa('sha512', 'secp521r1'),
  // RFC 8037 §3.1
  EdDSA: { digest: null, isOwnKey: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519', options: {} },
}

const isKnown = (alg: string): alg is Algorithm => Object.hasOwn(verifications, alg)

/** Verifies signatures by keys that are read once; it has the same answers as jose. */
export const verifyByNode = (): VerifySignature => {
  const read = new WeakMap<object, KeyObject>()
  const keyOf = (holder: { readonly jwk: PublicJwk }): KeyObject => {
    const key = read.get(holder) ?? createPublicKey({ key: { ...holder.jwk }, format: 'jwk' })
    read.set(holder, key)
    return key
  }
  const isSigned = (token: string, { digest, isOwnKey, options }: Verification, key: KeyObject): boolean => {
    const end = token.lastIndexOf('.')
    const signature = Buffer.from(token.slice(end + 1), 'base64url')
    return isOwnKey(key) && verify(digest, Buffer.from(token.slice(0, end)), { key, ...options }, signature)
  }
  return (token, alg, holder) => {
    try {
      return Promise.resolve(isKnown(alg) && isSigned(token, verifications[alg], keyOf(holder)))
    } catch {
      // A key that cannot be read verifies nothing.
      return Promise.resolve(false)
    }
  }
}
