import type { HintFault, IdTokenHints, KeyRing, RingKey, SignedHint } from '@clientele/domain'
import { encryptionRing, keysOf } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { compactDecrypt, compactVerify } from 'jose'
import type { CompactToken } from './compact-token.js'
import { jsonObjectOf, readCompactToken, textOf } from './compact-token.js'
import type { ImportKey } from './key-cache.js'
import { createKeyCache, importPrivateKey, importPublicKey } from './key-cache.js'

export type HintPorts = {
  /** The rings as they are published now. */
  readonly keyRings: () => ReadonlyArray<KeyRing>
}

type Hint<Value> = TE.TaskEither<HintFault, Value>
type OurKey = { readonly alg: string; readonly key: RingKey }
type Rings = ReadonlyArray<KeyRing>

const malformed = (): HintFault => 'hint_malformed'
const undecryptable = (): HintFault => 'hint_undecryptable'
const badSignature = (): HintFault => 'hint_bad_signature'

// An announced key is published, and so whatever it signed would be taken for ours everywhere else.
const verifyingKeys = (rings: Rings): ReadonlyArray<OurKey> =>
  rings.filter(({ use }) => use === 'sig').flatMap((ring) => keysOf(ring).map(({ key }) => ({ alg: ring.alg, key })))

const signedBy = (rings: Rings, { alg, kid }: CompactToken['header']): E.Either<HintFault, OurKey> => {
  const ours = verifyingKeys(rings)
  if (!ours.some((each) => each.alg === alg)) return E.left('hint_algorithm')
  const named = ours.find(({ key }) => key.kid === kid)
  if (named === undefined) return E.left('hint_unknown_key')
  return named.alg === alg ? E.right(named) : E.left('hint_algorithm')
}

// Because jwtVerify refuses what has expired, only the signature is verified.
const verified =
  (importKey: ImportKey) =>
  ({ text, typ }: CompactToken, { alg, key }: OurKey): Hint<SignedHint> =>
    pipe(
      TE.tryCatch(async () => compactVerify(text, await importKey(alg, key), { algorithms: [alg] }), badSignature),
      T.map((read) => {
        const claims = E.isLeft(read) ? read : jsonObjectOf(read.right.payload)
        return E.isLeft(claims) ? claims : E.right({ typ, claims: claims.right })
      }),
    )

// An announced key for encryption is not published, so that nothing can be encrypted to it.
const decryptingKeys = (rings: Rings): ReadonlyArray<RingKey> =>
  rings
    .filter(({ use, alg }) => use === encryptionRing.use && alg === encryptionRing.alg)
    .flatMap(({ current, retired }) => [current.key, ...retired.map(({ key }) => key).reverse()])

// Because each try costs as much as many signatures, only the latest keys are tried.
const mostTried = 4

const encryptedTo = (rings: Rings, { kid }: CompactToken['header']): ReadonlyArray<RingKey> => {
  const ours = decryptingKeys(rings)
  return kid === undefined ? ours.slice(0, mostTried) : ours.filter((key) => key.kid === kid)
}

// RFC 7518 §4.3 and §5.1. A zipped plaintext could be of any size: CVE-2024-28176.
const decryption = {
  keyManagementAlgorithms: [encryptionRing.alg],
  contentEncryptionAlgorithms: ['A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512', 'A128GCM', 'A192GCM', 'A256GCM'],
  maxDecompressedLength: 0,
}

const decrypted =
  (importKey: ImportKey) =>
  ({ text }: CompactToken, keys: ReadonlyArray<RingKey>): Hint<Uint8Array> => {
    const decryptedBy = (key: RingKey): Hint<Uint8Array> =>
      TE.tryCatch(
        async () => (await compactDecrypt(text, await importKey(encryptionRing.alg, key), decryption)).plaintext,
        undecryptable,
      )
    return keys.reduce<Hint<Uint8Array>>(
      (opened, key) =>
        pipe(
          opened,
          TE.orElse(() => decryptedBy(key)),
        ),
      TE.left(undecryptable()),
    )
  }

// RFC 7519 §5.2 lets tokens nest without end: here the one inside is a JWS.
const readInside = (plaintext: Uint8Array): E.Either<HintFault, CompactToken> =>
  pipe(
    textOf(plaintext),
    E.flatMap(readCompactToken),
    E.filterOrElse(({ segments }) => segments === 3, malformed),
  )

/** Reads whatever is signed by a key of ours, and never reaches out. */
export const createIdTokenHints = ({ keyRings }: HintPorts): IdTokenHints => {
  const verify = verified(createKeyCache(keyRings, importPublicKey))
  const decrypt = decrypted(createKeyCache(keyRings, importPrivateKey))
  const readSigned = (token: CompactToken): Hint<SignedHint> =>
    pipe(
      signedBy(keyRings(), token.header),
      E.match(TE.left, (key) => verify(token, key)),
    )
  const readSealed = (token: CompactToken): Hint<SignedHint> =>
    pipe(decrypt(token, encryptedTo(keyRings(), token.header)), TE.flatMapEither(readInside), TE.flatMap(readSigned))
  return {
    readIdTokenHint: (hint) =>
      pipe(
        readCompactToken(hint),
        E.match(TE.left, (token) => (token.segments === 3 ? readSigned(token) : readSealed(token))),
      ),
  }
}
