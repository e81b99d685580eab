import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import {
  type KeyPolicy,
  type KeyRing,
  type RingKey,
  type SigningRefusal,
  maxReadAge,
  permitSigning,
  presentTime,
  signingKey,
} from '@clientele/domain/keys'
import type { JwsSigner, NoSuchRing } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { FlattenedSign, base64url } from 'jose'
import { createKeyCache, importPrivateKey } from './key-cache.js'
import { type KeySource, refreshUnless } from './key-source.js'
import { jsonObjectOf } from './compact-token.js'

type Ports = Pick<KeySource, 'keyRings' | 'lastRead' | 'refreshKeys'>
type Refused = SigningRefusal | NoSuchRing | Unavailable

/** A signing input as read again: jose signs a header and a payload, and encodes them the same way. */
type Input = {
  readonly header: { readonly alg: string; readonly kid: string }
  readonly payload: Uint8Array
  readonly exp: unknown
}

const unreadable = unavailable('what is to be signed has no header with alg and kid, or no JSON payload')

const readInput = (input: string): E.Either<Unavailable, Input> => {
  const [protectedHeader = '', content = '', ...more] = input.split('.')
  return pipe(
    E.Do,
    E.bind('header', () =>
      E.tryCatch(
        () => base64url.decode(protectedHeader),
        () => unreadable,
      ),
    ),
    E.bind('payload', () =>
      E.tryCatch(
        () => base64url.decode(content),
        () => unreadable,
      ),
    ),
    E.flatMap(({ header, payload }) => {
      const read = jsonObjectOf(header)
      const claims = jsonObjectOf(payload)
      if (more.length > 0 || E.isLeft(read) || E.isLeft(claims)) return E.left(unreadable)
      const { alg, kid } = read.right
      return typeof alg === 'string' && typeof kid === 'string'
        ? E.right({ header: { ...read.right, alg, kid }, payload, exp: claims.right['exp'] })
        : E.left(unreadable)
    }),
  )
}

/** Signs by the present signing key only, under the rules of every other token (docs/decisions/0091). */
export const createJwsSigner = (policy: KeyPolicy, ports: Ports): JwsSigner => {
  const importKey = createKeyCache(importPrivateKey)
  const rings = (): ReadonlyArray<KeyRing> => ports.keyRings().filter(({ use }) => use === 'sig')
  const ringOf = (alg: string): KeyRing | undefined => rings().find((ring) => ring.alg === alg)
  const permit = ({ header, exp }: Input): E.Either<Refused, RingKey> => {
    const ring = ringOf(header.alg)
    if (ring === undefined) return E.left({ error: 'no_such_ring', known: rings().map(({ alg }) => alg) })
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
