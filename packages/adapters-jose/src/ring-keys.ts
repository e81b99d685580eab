// The keys of this service: how they are made, found and imported. Importing a key takes longer than using it.
import { unavailable } from '@clientele/domain/kernel'
import {
  type ForeignKey,
  type GeneratedKey,
  type KeyRing,
  type LastRead,
  type RingKey,
  PublicJwk,
} from '@clientele/domain/keys'
import type { KeyMaker } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'

/** The keys that this instance publishes, with the private halves of its own keys. */
export type KeySource = {
  readonly keyRings: () => ReadonlyArray<KeyRing>
  /** The keys of other signers: ID tokens of the provider beside this service are hints as well. */
  readonly foreignKeys: () => ReadonlyArray<ForeignKey>
  /** The last read of these keys from the store. */
  readonly lastRead: () => LastRead
  /** Reads the stored keys, at most once a second: another instance may have published a key that is unknown here. */
  readonly refreshKeys: T.Task<void>
}

/** Completes at once for a known key, otherwise after the stored keys were read. */
export const refreshUnless = ({ refreshKeys }: Pick<KeySource, 'refreshKeys'>, isKnown: boolean): T.Task<void> =>
  isKnown ? () => Promise.resolve() : refreshKeys

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

// RFC 7518 §3.3: at least 2048 bits
const modulusLength = 2048

type KeyPair = { readonly kid: string; readonly publicJwk: JWK; readonly privateJwk: JWK }

const generated = async (alg: string): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength })
  const publicJwk = await exportJWK(publicKey)
  return { publicJwk, privateJwk: await exportJWK(privateKey), kid: await calculateJwkThumbprint(publicJwk) }
}

/** The pair for a ring; the public half has only public members. */
export const toGeneratedKey = ({ kid, publicJwk, privateJwk }: KeyPair): E.Either<unknown, GeneratedKey> =>
  pipe(
    PublicJwk.decode(publicJwk),
    E.map((jwk) => ({ kid, jwk, privateKey: JSON.stringify(privateJwk) })),
  )

/** Generates key pairs by the system's secure random source, each named by its thumbprint: RFC 7638. */
export const createKeyMaker = (): KeyMaker => ({
  makeKey: (alg) =>
    pipe(
      TE.tryCatch(() => generated(alg), unavailable),
      TE.flatMapEither((pair) =>
        pipe(
          toGeneratedKey(pair),
          E.mapLeft(() => unavailable(`no key of ${alg} can be published`)),
        ),
      ),
    ),
})
