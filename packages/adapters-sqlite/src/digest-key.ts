import type { Encryption, StoreRefusal } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { encryptionUnavailable, onFile, wrongKey } from './store-refusal.js'

const name = 'digest-key'
const selectKey = 'SELECT sealed FROM secrets WHERE name = ?'
// Of two first openings at once one writes its key, and both read that one.
const insertKey = 'INSERT INTO secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO NOTHING'
const updateKey = 'UPDATE secrets SET sealed = ? WHERE name = ? AND sealed = ?'

type Sealed = TE.TaskEither<StoreRefusal, string>

const sealKey = (db: Database.Database, { seal }: Encryption, key: string): Sealed =>
  pipe(seal(key, name), TE.mapLeft(encryptionUnavailable(db.name)))

const findOrMake = (db: Database.Database, encryption: Encryption, freshKey: () => string): Sealed => {
  const work = onFile(db.name)
  const find = work((): unknown => db.prepare(selectKey).pluck().get(name))
  const make = pipe(
    TE.fromIO(freshKey),
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
 * The key of all token digests: made once, and kept sealed, with the key that seals now. That it opens shows that the encryption
 * key is the right one.
 */
export const digestKeyOf = (
  db: Database.Database,
  encryption: Encryption,
  freshKey: () => string,
): TE.TaskEither<StoreRefusal, string> =>
  pipe(
    findOrMake(db, encryption, freshKey),
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
