// Decrypts objects that were encrypted to the published encryption key: ID token hints, and request objects (RFC 9101
// §6.1).
import { contentEncryptions } from '@clientele/domain/client'
import { type KeyRing, type RingKey, encryptionRing } from '@clientele/domain/keys'
import type { HintFault } from '@clientele/domain/logout'
import type { ObjectDecrypter, UndecryptableObject } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { compactDecrypt } from 'jose'
import { type CompactToken, readCompactToken, textOf } from './compact-token.js'
import { type KeySource, createKeyCache, importPrivateKey, refreshUnless } from './ring-keys.js'

type Rings = ReadonlyArray<KeyRing>

type Decrypt = (token: CompactToken) => TE.TaskEither<HintFault, Uint8Array>

/** No key of this service decrypts it, or its algorithms are not those of the published key. */
const undecryptable = (): HintFault => 'hint_undecryptable'

// An announced encryption key is not published, so that nothing is encrypted to it.
const decryptingKeys = (rings: Rings): ReadonlyArray<RingKey> =>
  rings
    .filter(({ use, alg }) => use === encryptionRing.use && alg === encryptionRing.alg)
    .flatMap(({ current, retired }) => [current.key, ...retired.map(({ key }) => key).reverse()])

// Only the latest keys are tried, because each try costs as much as many signatures.
const maxTried = 4

const encryptedTo = (rings: Rings, { kid }: CompactToken['header']): ReadonlyArray<RingKey> => {
  const ours = decryptingKeys(rings)
  return kid === undefined ? ours.slice(0, maxTried) : ours.filter((key) => key.kid === kid)
}

// RFC 7518 §4.3 and §5.1. Compressed plaintexts are refused, because their size is unlimited: CVE-2024-28176.
const decryption = {
  keyManagementAlgorithms: [encryptionRing.alg],
  contentEncryptionAlgorithms: [...contentEncryptions],
  maxDecompressedLength: 0,
}

/** Decrypts a JWE (RFC 7516) with the key that it names, or with one of the latest. */
export const createDecrypter = (source: Pick<KeySource, 'keyRings' | 'refreshKeys'>): Decrypt => {
  const importKey = createKeyCache(importPrivateKey)
  return (token) => {
    const decryptedBy = (key: RingKey): ReturnType<Decrypt> =>
      TE.tryCatch(
        async () => (await compactDecrypt(token.text, await importKey(encryptionRing.alg, key), decryption)).plaintext,
        undecryptable,
      )
    const candidates = (): ReadonlyArray<RingKey> => encryptedTo(source.keyRings(), token.header)
    return pipe(
      TE.fromTask(refreshUnless(source, candidates().length > 0)),
      TE.flatMap(() =>
        candidates().reduce<ReturnType<Decrypt>>(
          (opened, key) =>
            pipe(
              opened,
              TE.orElse(() => decryptedBy(key)),
            ),
          TE.left(undecryptable()),
        ),
      ),
    )
  }
}

// RFC 7518 §4.4, §4.7, §5.1: the octets of the key, of the wrapping or else of the content.
const keyLength = ({ alg, enc }: CompactToken['header']): number => {
  const wrapping = /^A(\d+)(?:GCM)?KW$/.exec(String(alg))
  const content = /^A(?:\d+CBC-HS)?(\d+)(?:GCM)?$/.exec(String(enc))
  return Number((wrapping ?? content)?.[1]) / 8
}

/**
 * Decrypts a JWE whose key is derived from a client_secret, OpenID Core §10.2: the leftmost octets of its SHA-256, SHA-384 or
 * SHA-512, the shortest that is long enough. Undefined if another secret or algorithm encrypted it.
 */
export const decryptBySecret = async (
  { text, header }: CompactToken,
  secret: string,
): Promise<Uint8Array | undefined> => {
  const length = keyLength(header)
  const hash = [256, 384, 512].find((bits) => length * 8 <= bits)
  if (typeof header['alg'] !== 'string' || hash === undefined) return undefined
  const digest = await crypto.subtle.digest(`SHA-${hash}`, new TextEncoder().encode(secret))
  const key = new Uint8Array(digest).slice(0, length)
  try {
    return (await compactDecrypt(text, key, { ...decryption, keyManagementAlgorithms: [header['alg']] })).plaintext
  } catch {
    return undefined
  }
}

const because = (reason: UndecryptableObject['reason']) => (): UndecryptableObject => ({
  error: 'undecryptable_object',
  reason,
})

/** Decrypts objects that were encrypted to the published key, for a provider that accepts encrypted request objects. */
export const createObjectDecrypter = (source: Pick<KeySource, 'keyRings' | 'refreshKeys'>): ObjectDecrypter => {
  const decrypt = createDecrypter(source)
  return {
    decryptObject: (object) =>
      pipe(
        TE.fromEither(readCompactToken(object)),
        TE.mapLeft(because('malformed')),
        TE.filterOrElse(({ segments }) => segments === 5, because('not_encrypted')),
        TE.flatMap((token) => pipe(decrypt(token), TE.mapLeft(because('no_key')))),
        TE.flatMapEither((bytes) => pipe(textOf(bytes), E.mapLeft(because('malformed')))),
      ),
  }
}
