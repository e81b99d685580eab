import { type FreshKey, type KeyMaker, type Unavailable, PublicJwk, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

// RFC 7518 §3.3: 2048 bits at the least
const modulusLength = 2048

type KeyPair = { readonly kid: string; readonly publicJwk: JWK; readonly privateJwk: JWK }

const generated = async (alg: string): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength })
  const publicJwk = await exportJWK(publicKey)
  return { publicJwk, privateJwk: await exportJWK(privateKey), kid: await calculateJwkThumbprint(publicJwk) }
}

/** The pair as rings keep it; the public half has no member that could hold anything else. */
export const toFreshKey = ({ kid, publicJwk, privateJwk }: KeyPair): E.Either<unknown, FreshKey> =>
  pipe(
    PublicJwk.decode(publicJwk),
    E.map((jwk) => ({ kid, jwk, privateKey: JSON.stringify(privateJwk) })),
  )

/** Key pairs of the system's secure random source, each named by its thumbprint: RFC 7638. */
export const createKeyMaker = (): KeyMaker => ({
  makeKey: (alg): TE.TaskEither<Unavailable, FreshKey> =>
    pipe(
      TE.tryCatch(() => generated(alg), unavailable),
      TE.flatMapEither((pair) =>
        pipe(
          toFreshKey(pair),
          E.mapLeft(() => unavailable(`no key of ${alg} can be published`)),
        ),
      ),
    ),
})
