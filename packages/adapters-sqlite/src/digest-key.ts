import type { Encryption, StoreRefusal } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { encryptionUnavailable, onFile, wrongKey } from './store-refusal.js'

const name = 'digest-key'
const selectKey = 'SELECT sealed FROM secrets WHERE name = ?'
// When two processes open a new store at once, one inserts its key and both read it.
const insertKey = 'INSERT INTO secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
const updateKey = 'UPDATE secrets SET sealed = ? WHERE name = ? AND sealed = ?'

type Sealed = TE.TaskEither<StoreRefusal, string>

const sealKey = (db: Database.Database, { seal }: Encryption, key: string): Sealed =>
  pipe(seal(key, name), TE.mapLeft(encryptionUnavailable(db.name)))

const findOrMake = (db: Database.Database, encryption: Encryption, generateKey: () => string): Sealed => {
  const work = onFile(db.name)
  const find = work((): unknown => db.prepare(selectKey).pluck().get(name))
  const make = pipe(
    TE.fromIO(generateKey),
    TE.flatMap((key) => sealKey(db, encryption, key)),
    TE.flatMap((sealed) => work(() => db.prepare(insertKey).run(name, sealed))),
    TE.flatMap(() => find),
  )
  return pipe(
    find,
    TE.flatMap((found) => (found === undefined ? make : TE.right(found))),
    TE.map(String),
  )
}

const sealedByPresentKey = (db: Database.Database, encryption: Encryption, sealed: string, key: string): Sealed =>
  pipe(
    encryption.isCurrent(sealed),
    TE.mapLeft(encryptionUnavailable(db.name)),
    TE.flatMap((isCurrent) => (isCurrent ? TE.right(sealed) : sealKey(db, encryption, key))),
  )

/**
 * The key of all token digests: generated once, and stored sealed with the present encryption key. If it can be
 * decrypted, the encryption key is the right one.
 */
export const digestKeyOf = (
  db: Database.Database,
  encryption: Encryption,
  generateKey: () => string,
): TE.TaskEither<StoreRefusal, string> =>
  pipe(
    findOrMake(db, encryption, generateKey),
    TE.bindTo('sealed'),
    TE.bind('key', ({ sealed }) =>
      pipe(
        encryption.open(sealed, name),
        TE.mapLeft(encryptionUnavailable(db.name)),
        TE.flatMapOption(identity, () => wrongKey(db.name)),
      ),
    ),
    TE.bind('anew', ({ sealed, key }) => sealedByPresentKey(db, encryption, sealed, key)),
    TE.tap(({ sealed, anew }) =>
      onFile(db.name)(() => (anew === sealed ? undefined : db.prepare(updateKey).run(anew, name, sealed))),
    ),
    TE.map(({ key }) => key),
  )
