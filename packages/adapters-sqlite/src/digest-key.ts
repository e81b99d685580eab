import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Sealing } from './sealing.js'
import type { StoreRefusal } from './store-refusal.js'
import { storeRefusal } from './store-refusal.js'

const context = 'digest-key'

const wrongKey = (file: string): StoreRefusal =>
  storeRefusal(
    'wrong-encryption-key',
    `the encryption key does not open ${file}: it was written with another one; give that key, alone or after the new one`,
  )

/** The key of all token digests: made once, and kept sealed. That it opens shows that the encryption key is the right one. */
export const digestKeyOf = (
  db: Database.Database,
  sealing: Sealing,
  freshKey: () => string,
): E.Either<StoreRefusal, string> => {
  const sealed: unknown = db.prepare('SELECT sealed FROM secrets WHERE name = ?').pluck().get(context)
  if (typeof sealed === 'string')
    return pipe(
      sealing.open(sealed, context),
      E.fromOption(() => wrongKey(db.name)),
    )
  const key = freshKey()
  db.prepare('INSERT INTO secrets (name, sealed) VALUES (?, ?)').run(context, sealing.seal(key, context))
  return E.right(key)
}
