import type { Encryption, StoreRefusal } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { encryptionUnavailable, wrongKey } from './store-refusal.js'

/** The name of the row with the digest key, and the context of its sealed text. */
export const digestKeyName = 'digest-key'

/** The sealed digest key in a store. */
export type DigestKeyRow = {
  readonly find: TE.TaskEither<StoreRefusal, string | undefined>
  /** Stores the text, unless there is one: of several services that open a new store at once, one stores its key. */
  readonly insert: (sealed: string) => TE.TaskEither<StoreRefusal, unknown>
  /** Stores the text in place of the one that was read. */
  readonly replace: (sealed: string, replacing: string) => TE.TaskEither<StoreRefusal, unknown>
}

type Sealed = TE.TaskEither<StoreRefusal, string>

const sealKey = (store: string, { seal }: Encryption, key: string): Sealed =>
  pipe(seal(key, digestKeyName), TE.mapLeft(encryptionUnavailable(store)))

const findOrMake = (
  store: string,
  { find, insert }: DigestKeyRow,
  encryption: Encryption,
  generateKey: () => string,
): Sealed => {
  const make = pipe(
    TE.fromIO(generateKey),
    TE.flatMap((key) => sealKey(store, encryption, key)),
    TE.flatMap(insert),
    TE.flatMap(() => find),
  )
  return pipe(
    find,
    TE.flatMap((found) => (found === undefined ? make : TE.right(found))),
    TE.map(String),
  )
}

const sealedByPresentKey = (store: string, encryption: Encryption, sealed: string, key: string): Sealed =>
  pipe(
    encryption.isCurrent(sealed),
    TE.mapLeft(encryptionUnavailable(store)),
    TE.flatMap((isCurrent) => (isCurrent ? TE.right(sealed) : sealKey(store, encryption, key))),
  )

export type DigestKeyNeeds = {
  readonly encryption: Encryption
  readonly generateKey: () => string
  /** Called with the key before it is sealed anew; a refusal is returned, and nothing is written. */
  readonly beforeSealing?: ((digestKey: string) => TE.TaskEither<StoreRefusal, unknown>) | undefined
}

const permitAlways = (): TE.TaskEither<StoreRefusal, unknown> => TE.right(undefined)

/**
 * The key of all token digests: generated once, and stored sealed with the present encryption key. If it can be
 * decrypted, the encryption key is the right one. `store` names the store in a refusal.
 */
export const digestKeyOf = (
  store: string,
  row: DigestKeyRow,
  { encryption, generateKey, beforeSealing = permitAlways }: DigestKeyNeeds,
): TE.TaskEither<StoreRefusal, string> =>
  pipe(
    findOrMake(store, row, encryption, generateKey),
    TE.bindTo('sealed'),
    TE.bind('key', ({ sealed }) =>
      pipe(
        encryption.open(sealed, digestKeyName),
        TE.mapLeft(encryptionUnavailable(store)),
        TE.flatMapOption(identity, () => wrongKey(store)),
      ),
    ),
    TE.tap(({ key }) => beforeSealing(key)),
    TE.bind('anew', ({ sealed, key }) => sealedByPresentKey(store, encryption, sealed, key)),
    TE.tap(({ sealed, anew }) => (anew === sealed ? TE.right(undefined) : row.replace(anew, sealed))),
    TE.map(({ key }) => key),
  )
