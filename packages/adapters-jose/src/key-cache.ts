// The keys of the set as jose needs them. Importing a key takes longer than using it.
import type { PublicJwk, RingKey } from '@clientele/domain/keys'
import { type CryptoKey, type JWK, importJWK } from 'jose'

export type ImportedKey = CryptoKey | Uint8Array
export type ImportKey<Key> = (alg: string, key: Key) => Promise<ImportedKey>

// The error is not returned, because it could quote the private half.
export const importPrivateKey: ImportKey<RingKey> = async (alg, { privateKey }) => {
  try {
    // A key maker wrote the text, or an import checked it.
    return await importJWK(JSON.parse(privateKey) as JWK, alg)
  } catch {
    throw new Error(`a private key of ${alg} cannot be read`)
  }
}

export const importPublicKey: ImportKey<{ readonly jwk: PublicJwk }> = async (alg, { jwk }) =>
  importJWK({ ...jwk }, alg)

/** Imports each key once, and releases it with the key of the ring. */
export const createKeyCache = <Key extends object>(importKey: ImportKey<Key>): ImportKey<Key> => {
  const stored = new WeakMap<Key, Promise<ImportedKey>>()
  return (alg, key) => {
    const imported = stored.get(key) ?? importKey(alg, key)
    stored.set(key, imported)
    return imported
  }
}
