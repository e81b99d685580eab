// The keys of the rings as jose takes them. Because importing takes longer than using them, those that are in a ring are
// kept, and no others.
import type { KeyRing, RingKey } from '@clientele/domain'
import { keysOf } from '@clientele/domain'
import type { CryptoKey, JWK } from 'jose'
import { importJWK } from 'jose'

export type ImportedKey = CryptoKey | Uint8Array
export type ImportKey = (alg: string, key: RingKey) => Promise<ImportedKey>

// What went wrong is not told further: the reason could quote the private half.
export const importPrivateKey: ImportKey = async (alg, { privateKey }) => {
  try {
    // The text is what a key maker wrote, or what was checked when it was imported.
    return await importJWK(JSON.parse(privateKey) as JWK, alg)
  } catch {
    throw new Error(`a private key of ${alg} cannot be read`)
  }
}

export const importPublicKey: ImportKey = async (alg, { jwk }) => importJWK({ ...jwk }, alg)

/** Imports each key once; what the rings have forgotten is dropped at the first use after that. */
export const createKeyCache = (keyRings: () => ReadonlyArray<KeyRing>, importKey: ImportKey): ImportKey => {
  const kept = new Map<string, Promise<ImportedKey>>()
  let seen: ReadonlyArray<KeyRing> = []
  const forgetGone = (): void => {
    const rings = keyRings()
    if (rings === seen) return
    seen = rings
    const present = new Set(rings.flatMap((ring) => keysOf(ring).map(({ key }) => key.kid)))
    for (const kid of kept.keys()) if (!present.has(kid)) kept.delete(kid)
  }
  return (alg, key) => {
    forgetGone()
    const imported = kept.get(key.kid) ?? importKey(alg, key)
    kept.set(key.kid, imported)
    return imported
  }
}
