import { isSymmetricSignature, usesSecret } from '@clientele/domain/client'
import { type ForeignKey, type RingKey, keysOf } from '@clientele/domain/keys'
import type { HintFault, SignedHint } from '@clientele/domain/logout'
import type { IdTokenHints, SecretsOfHint } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { base64url, compactVerify } from 'jose'
import { type CompactToken, jsonObjectOf, readCompactToken, textOf } from './compact-token.js'
import { createDecrypter, decryptBySecret } from './decrypting.js'
import { type KeySource, createKeyCache, importPublicKey, refreshUnless } from './ring-keys.js'

type Hint<Value> = TE.TaskEither<HintFault, Value>
type PublishedKey = { readonly alg: string; readonly key: RingKey | ForeignKey }

const malformed = (): HintFault => 'hint_malformed'
const badSignature = (): HintFault => 'hint_bad_signature'

// An announced key is published, so that other verifiers accept its signatures already.
const verifyingKeys = ({ keyRings, foreignKeys }: KeySource): ReadonlyArray<PublishedKey> => [
  ...keyRings()
    .filter(({ use }) => use === 'sig')
    .flatMap((ring) => keysOf(ring).map(({ key }) => ({ alg: ring.alg, key }))),
  ...foreignKeys().map((key) => ({ alg: key.alg, key })),
]

const signedBy = (
  ours: ReadonlyArray<PublishedKey>,
  { alg, kid }: CompactToken['header'],
): E.Either<HintFault, PublishedKey> => {
  if (!ours.some((each) => each.alg === alg)) return E.left('hint_algorithm')
  const named = ours.find(({ key }) => key.kid === kid)
  if (named === undefined) return E.left('hint_unknown_key')
  return named.alg === alg ? E.right(named) : E.left('hint_algorithm')
}

const isKnown = (source: KeySource, kid: unknown): boolean =>
  typeof kid !== 'string' || verifyingKeys(source).some(({ key }) => key.kid === kid)

/** The published key that the token names. */
const keyNamedBy = (source: KeySource, { header }: CompactToken): Hint<PublishedKey> =>
  pipe(
    refreshUnless(source, isKnown(source, header['kid'])),
    T.map(() => signedBy(verifyingKeys(source), header)),
  )

/** Whether the key, of the algorithm of the token, made the signature of the token (RFC 7515 §5.2). */
export type VerifySignature = (token: string, alg: string, key: RingKey | ForeignKey) => Promise<boolean>

/** By jose, in any runtime. Only the signature is verified, because jwtVerify refuses expired tokens. */
const verifyByWebCrypto = (): VerifySignature => {
  const importKey = createKeyCache<RingKey | ForeignKey>(importPublicKey)
  return async (token, alg, key) => {
    try {
      await compactVerify(token, await importKey(alg, key), { algorithms: [alg] })
      return true
    } catch {
      return false
    }
  }
}

const claimsOf = ({ text }: CompactToken): E.Either<HintFault, SignedHint['claims']> =>
  jsonObjectOf(base64url.decode(text.split('.')[1] ?? ''))

const verified =
  (verify: VerifySignature) =>
  (token: CompactToken, { alg, key }: PublishedKey): Hint<SignedHint> =>
  async () => {
    if (!(await verify(token.text, alg, key))) return E.left(badSignature())
    const claims = claimsOf(token)
    return E.isLeft(claims) ? claims : E.right({ typ: token.typ, claims: claims.right })
  }

// RFC 7519 §5.2 allows unlimited nesting; here a JWE contains a JWS.
const readInside = (plaintext: Uint8Array): E.Either<HintFault, CompactToken> =>
  pipe(
    textOf(plaintext),
    E.flatMap(readCompactToken),
    E.filterOrElse(({ segments }) => segments === 3, malformed),
  )

// OpenID Core §10.1: the octets of the client_secret are the key; RFC 8725 §3.1: never a key of another algorithm
const readBySecret =
  (token: CompactToken, alg: string, secretsOf: SecretsOfHint): Hint<SignedHint> =>
  async () => {
    const claims = claimsOf(token)
    if (E.isLeft(claims)) return claims
    const secrets = await secretsOf({ alg, claims: claims.right })()
    if (secrets.length === 0) return E.left('hint_algorithm')
    const isSignedBy = (secret: string): Promise<boolean> =>
      compactVerify(token.text, new TextEncoder().encode(secret), { algorithms: [alg] }).then(
        () => true,
        () => false,
      )
    const signed = await Promise.all(secrets.map(isSignedBy))
    return signed.includes(true) ? E.right({ typ: token.typ, claims: claims.right }) : E.left(badSignature())
  }

/** Reads hints that a published key or a client_secret signed, and encrypted; it sends no requests. */
export const createIdTokenHints = (
  source: KeySource,
  verifySignature: VerifySignature = verifyByWebCrypto(),
): IdTokenHints => {
  const verify = verified(verifySignature)
  const decrypt = createDecrypter(source)
  const readSigned = (token: CompactToken, secretsOf: SecretsOfHint): Hint<SignedHint> => {
    const { alg } = token.header
    return typeof alg === 'string' && isSymmetricSignature(alg)
      ? readBySecret(token, alg, secretsOf)
      : pipe(
          keyNamedBy(source, token),
          TE.flatMap((key) => verify(token, key)),
        )
  }
  const opened = (token: CompactToken, secretsOf: SecretsOfHint): Hint<Uint8Array> => {
    const { alg } = token.header
    if (typeof alg !== 'string' || !usesSecret(alg)) return decrypt(token)
    return async () => {
      const secrets = await secretsOf({ alg, claims: {} })()
      const opened = await Promise.all(secrets.map((secret) => decryptBySecret(token, secret)))
      const plaintext = opened.find((each) => each !== undefined)
      return plaintext === undefined ? E.left('hint_undecryptable') : E.right(plaintext)
    }
  }
  const readSealed = (token: CompactToken, secretsOf: SecretsOfHint): Hint<SignedHint> =>
    pipe(
      opened(token, secretsOf),
      TE.flatMapEither(readInside),
      TE.flatMap((inside) => readSigned(inside, secretsOf)),
    )
  return {
    readIdTokenHint: (hint, secretsOf) =>
      pipe(
        readCompactToken(hint),
        E.match(TE.left, (token) => (token.segments === 3 ? readSigned : readSealed)(token, secretsOf)),
      ),
  }
}
