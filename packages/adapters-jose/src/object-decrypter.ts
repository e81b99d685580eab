import type { ObjectDecrypter, UndecryptableObject } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readCompactToken, textOf } from './compact-token.js'
import { createDecrypter } from './decrypter.js'
import type { KeySource } from './key-source.js'

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
