// The keys of the set as jose takes them. Importing a key takes longer than using it.
import type { PublicJwk, RingKey } from '@clientele/domain'
import { type CryptoKey, type JWK, importJWK } from 'jose'

export type ImportedKey = CryptoKey | Uint8Array
export type ImportKey<Key> = (alg: string, key: Key) => Promise<ImportedKey>

// What went wrong is not told further: the reason could quote the private half.
export const importPrivateKey: ImportKey<RingKey> = async (alg, { privateKey }) => {
  try {
    // The text is what a key maker wrote, or what was checked when it was imported.
    return await importJWK(JSON.parse(privateKey) as JWK, alg)
  } catch {
    throw new Error(`a private key of ${alg} cannot be read`)
  }
}

export const importPublicKey: ImportKey<{ readonly jwk: PublicJwk }> = async (alg, { jwk }) =>
  importJWK({ ...jwk }, alg)

/** Imports each key once, and keeps it as long as the key itself is kept. */
export const createKeyCache = <Key extends object>(importKey: ImportKey<Key>): ImportKey<Key> => {
  const kept = new WeakMap<Key, Promise<ImportedKey>>()
  return (alg, key) => {
    const imported = kept.get(key) ?? importKey(alg, key)
    kept.set(key, imported)
    return imported
  }
}
