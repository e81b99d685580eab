import { isSymmetricSignature } from '@clientele/domain/client'
import { type EpochSeconds, type Unavailable, unavailable } from '@clientele/domain/kernel'
import {
  type KeyPolicy,
  type KeyRing,
  type RingKey,
  type UnsignedToken,
  maxReadAge,
  permitSigning,
  signingKey,
} from '@clientele/domain/keys'
import type { TokenSigner } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { SignJWT } from 'jose'
import { type ImportedKey, createKeyCache, importPrivateKey } from './key-cache.js'
import { type KeySource, refreshUnless } from './key-source.js'

export type SigningSettings = { readonly issuer: string; readonly policy: KeyPolicy }

export type SigningPorts = Pick<KeySource, 'keyRings' | 'lastRead' | 'refreshKeys'> & {
  readonly now: () => EpochSeconds
}

const signed = async (
  issuer: string,
  { alg, typ, claims, expiresAt }: UnsignedToken,
  { kid, key, at }: { readonly kid?: string; readonly key: ImportedKey; readonly at: EpochSeconds },
): Promise<string> =>
  new SignJWT({ ...claims, iss: issuer, iat: at, exp: expiresAt })
    .setProtectedHeader({ alg, typ, ...(kid === undefined ? {} : { kid }) })
    .sign(key)

/** Signs tokens with the present signing key only. */
export const createTokenSigner = ({ issuer, policy }: SigningSettings, ports: SigningPorts): TokenSigner => {
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
  const signingRings = (): ReadonlyArray<KeyRing> => ports.keyRings().filter(({ use }) => use === 'sig')
  const signsNow = ({ alg, kid }: UnsignedToken): boolean =>
    ports.lastRead().age <= maxReadAge &&
    signingRings().some((ring) => ring.alg === alg && (kid === undefined || kid === signingKey(ring).kid))
  const signByRing: TokenSigner['signToken'] = (token) => {
    const rings = signingRings()
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
      if (token.secret !== undefined && isSymmetricSignature(token.alg)) return signBySecret(token, token.secret)()
      await refreshUnless(ports, signsNow(token))()
      return signByRing(token)()
    },
  }
}
