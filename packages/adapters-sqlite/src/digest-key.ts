import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Sealing } from '@clientele/domain'
import type { StoreRefusal } from './store-refusal.js'
import { wrongKey } from './store-refusal.js'

const context = 'digest-key'

/**
 * The key of all token digests: made once, and kept sealed, with the key that seals now. That it opens shows that the encryption
 * key is the right one.
 */
export const digestKeyOf = (
  db: Database.Database,
  sealing: Sealing,
  freshKey: () => string,
): E.Either<StoreRefusal, string> => {
  const sealed: unknown = db.prepare('SELECT sealed FROM secrets WHERE name = ?').pluck().get(context)
  if (typeof sealed === 'string') {
    const opened = sealing.open(sealed, context)
    if (O.isNone(opened)) return E.left(wrongKey(db.name))
    if (!sealing.isCurrent(sealed))
      db.prepare('UPDATE secrets SET sealed = ? WHERE name = ?').run(sealing.seal(opened.value, context), context)
    return E.right(opened.value)
  }
  const key = freshKey()
  db.prepare('INSERT INTO secrets (name, sealed) VALUES (?, ?)').run(context, sealing.seal(key, context))
  return E.right(key)
}
