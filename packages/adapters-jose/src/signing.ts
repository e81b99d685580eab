// What the service signs by the present signing keys: tokens, signing inputs of the authorization server, and checkpoints.
import { checkpointType } from '@clientele/domain/audit'
import { isSymmetricSignature } from '@clientele/domain/client'
import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import {
  type KeyPolicy,
  type KeyRing,
  type RingKey,
  type SigningRefusal,
  type UnsignedToken,
  keysOf,
  maxReadAge,
  permitSigning,
  presentTime,
  signingKey,
} from '@clientele/domain/keys'
import type {
  CheckpointSigner,
  CheckpointVerifier,
  Clock,
  JwsSigner,
  NoSuchRing,
  TokenSigner,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { FlattenedSign, SignJWT, base64url, compactVerify, decodeProtectedHeader } from 'jose'
import { jsonObjectOf } from './compact-token.js'
import {
  type ImportedKey,
  type KeySource,
  createKeyCache,
  importPrivateKey,
  importPublicKey,
  refreshUnless,
} from './ring-keys.js'

type SigningSource = Pick<KeySource, 'keyRings' | 'lastRead' | 'refreshKeys'>

const ringsToSign = ({ keyRings }: Pick<KeySource, 'keyRings'>): ReadonlyArray<KeyRing> =>
  keyRings().filter(({ use }) => use === 'sig')

const signed = async (
  issuer: string,
  { alg, typ, claims, expiresAt }: UnsignedToken,
  { kid, key, at }: { readonly kid?: string; readonly key: ImportedKey; readonly at: EpochSeconds },
): Promise<string> =>
  new SignJWT({ ...claims, iss: issuer, iat: at, exp: expiresAt })
    .setProtectedHeader({ alg, typ, ...(kid === undefined ? {} : { kid }) })
    .sign(key)

/** Signs tokens with the present signing key only. */
export const createTokenSigner = (
  { issuer, policy }: { readonly issuer: string; readonly policy: KeyPolicy },
  ports: SigningSource & Pick<Clock, 'now'>,
): TokenSigner => {
  const importKey = createKeyCache(importPrivateKey)
  const signWith = (token: UnsignedToken, key: RingKey, at: EpochSeconds): TE.TaskEither<Unavailable, string> =>
    TE.tryCatch(
      async () => signed(issuer, token, { kid: key.kid, key: await importKey(token.alg, key), at }),
      unavailable,
    )
  const signBySecret = (token: UnsignedToken, secret: string): TE.TaskEither<Unavailable, string> =>
    TE.tryCatch(
      async () => signed(issuer, token, { key: new TextEncoder().encode(secret), at: ports.now() }),
      unavailable,
    )
  const signsNow = ({ alg, kid }: UnsignedToken): boolean =>
    ports.lastRead().age <= maxReadAge &&
    ringsToSign(ports).some((ring) => ring.alg === alg && (kid === undefined || kid === signingKey(ring).kid))
  const signByRing: TokenSigner['signToken'] = (token) => {
    const rings = ringsToSign(ports)
    const ring = rings.find(({ alg }) => alg === token.alg)
    if (ring === undefined) return TE.left({ error: 'no_such_ring', known: rings.map(({ alg }) => alg) })
    const wanted = { kid: token.kid ?? signingKey(ring).kid, expiresAt: token.expiresAt }
    return pipe(
      TE.fromEither(permitSigning(policy, ports.lastRead())(ring, wanted)),
      TE.flatMap((key) => signWith(token, key, ports.now())),
    )
  }
  return {
    signToken: (token) => async () => {
      if (!EpochSeconds.is(token.expiresAt)) return E.left({ error: 'no_time' })
      if (token.secret !== undefined && isSymmetricSignature(token.alg)) return signBySecret(token, token.secret)()
      await refreshUnless(ports, signsNow(token))()
      return signByRing(token)()
    },
  }
}

/** A signing input as read again: jose signs a header and a payload, and encodes them the same way. */
type Input = {
  readonly header: { readonly alg: string; readonly kid: string }
  readonly payload: Uint8Array
  readonly exp: unknown
}

const unreadable = unavailable('what is to be signed has no header with alg and kid, or no JSON payload')

const bytesOf = (segment: string): E.Either<Unavailable, Uint8Array> =>
  E.tryCatch(
    () => base64url.decode(segment),
    () => unreadable,
  )

const readInput = (input: string): E.Either<Unavailable, Input> => {
  const [first = '', second = '', ...more] = input.split('.')
  const protectedHeader = bytesOf(first)
  const payload = bytesOf(second)
  if (more.length > 0 || E.isLeft(protectedHeader) || E.isLeft(payload)) return E.left(unreadable)
  const header = jsonObjectOf(protectedHeader.right)
  const claims = jsonObjectOf(payload.right)
  if (E.isLeft(header) || E.isLeft(claims)) return E.left(unreadable)
  const { alg, kid } = header.right
  return typeof alg === 'string' && typeof kid === 'string'
    ? E.right({ header: { ...header.right, alg, kid }, payload: payload.right, exp: claims.right['exp'] })
    : E.left(unreadable)
}

/** Signs by the present signing key only, under the rules of every other token (docs/decisions/keys-of-several-instances.md). */
export const createJwsSigner = (policy: KeyPolicy, ports: SigningSource): JwsSigner => {
  const importKey = createKeyCache(importPrivateKey)
  const ringOf = (alg: string): KeyRing | undefined => ringsToSign(ports).find((ring) => ring.alg === alg)
  const permit = ({ header, exp }: Input): E.Either<SigningRefusal | NoSuchRing | Unavailable, RingKey> => {
    const ring = ringOf(header.alg)
    if (ring === undefined) return E.left({ error: 'no_such_ring', known: ringsToSign(ports).map(({ alg }) => alg) })
    const read = ports.lastRead()
    // Without a claim exp it is an answer of this moment, such as that of the UserInfo endpoint.
    const expiresAt = EpochSeconds.is(exp) ? exp : presentTime(read)
    return permitSigning(policy, read)(ring, { kid: header.kid, expiresAt })
  }
  const sign = (input: string, { header, payload }: Input, key: RingKey): TE.TaskEither<Unavailable, string> =>
    TE.tryCatch(async () => {
      const signed = await new FlattenedSign(payload).setProtectedHeader(header).sign(await importKey(header.alg, key))
      if (`${String(signed.protected)}.${signed.payload}` !== input)
        throw new Error('the signing input was encoded in another way than its signature covers')
      return signed.signature
    }, unavailable)
  return {
    signingKeyOf: (alg) => {
      const ring = ringOf(alg)
      if (ring === undefined) return undefined
      const { kid, jwk } = signingKey(ring)
      return { kid, jwk }
    },
    readyToSign: () => refreshUnless(ports, ports.lastRead().age <= maxReadAge)(),
    signInput: (input) =>
      pipe(
        TE.fromEither(readInput(input)),
        TE.flatMap((read) =>
          pipe(
            TE.fromEither(permit(read)),
            TE.flatMap((key) => sign(input, read, key)),
          ),
        ),
      ),
  }
}

const encoded = (value: object): string => base64url.encode(JSON.stringify(value))

const headerOf = (jws: string): { readonly alg?: unknown; readonly kid?: unknown; readonly typ?: unknown } =>
  E.getOrElse(() => ({}))(
    E.tryCatch(
      () => decodeProtectedHeader(jws),
      () => undefined,
    ),
  )

export const createCheckpointSigner = (signer: JwsSigner, alg: string): CheckpointSigner => ({
  signCheckpoint: (claims) => async () => {
    await signer.readyToSign()
    const key = signer.signingKeyOf(alg)
    if (key === undefined) return E.left(unavailable(`no key ring of ${alg} signs checkpoints`))
    const input = `${encoded({ alg, kid: key.kid, typ: checkpointType })}.${encoded(claims)}`
    return pipe(
      signer.signInput(input),
      TE.map((signature) => `${input}.${signature}`),
      TE.mapLeft((refusal) => (refusal.error === 'unavailable' ? refusal : unavailable(refusal.error))),
    )()
  },
  isByPresentKey: (jws) => headerOf(jws).kid === signer.signingKeyOf(alg)?.kid,
})

/** Verifies by the keys of the rings, as they are at each verification. */
export const createCheckpointVerifier = (keyRings: () => ReadonlyArray<KeyRing>): CheckpointVerifier => ({
  isSignedCheckpoint: (jws) => async () => {
    const { alg, kid, typ } = headerOf(jws)
    const ring = ringsToSign({ keyRings }).find((each) => each.alg === alg)
    const named = ring === undefined ? undefined : keysOf(ring).find(({ key }) => key.kid === kid)
    if (ring === undefined || named === undefined || typ !== checkpointType) return false
    try {
      await compactVerify(jws, await importPublicKey(ring.alg, named.key), { algorithms: [ring.alg] })
      return true
    } catch {
      return false
    }
  },
})
