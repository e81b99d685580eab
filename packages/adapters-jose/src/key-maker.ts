import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import { type GeneratedKey, PublicJwk } from '@clientele/domain/keys'
import type { KeyMaker } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

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
  makeKey: (alg): TE.TaskEither<Unavailable, GeneratedKey> =>
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
