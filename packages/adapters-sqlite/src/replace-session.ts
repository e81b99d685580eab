import {
  type EndUserSession,
  type EndUserSessions,
  type Encryption,
  type SessionChanged,
  sessionChanged,
} from '@clientele/domain'
import { type ReplacementProofs, hasSameClients, replacementProofs, toSessionRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createSessionClients } from './session-clients.js'
import { createWriteAudit } from './write-audit.js'

const updateSession = `
UPDATE end_user_sessions SET sub = @sub, auth_time = @auth_time, used_at = @used_at, idle_lifetime = @idle_lifetime,
  expires_at = @expires_at, over_at = @over_at, declined = @declined, version = @version, proof = @proof
WHERE sid = @sid AND version = @replacing AND proof = @proof_read RETURNING ordinal`

const selectProof = 'SELECT cookie_hash, proof FROM end_user_sessions WHERE sid = ?'

/** Runs in the transaction: replaces the row if it is the one that was read and proven. */
const createUpdate = (
  db: Database.Database,
): ((next: EndUserSession, replacing: EndUserSession, proofs: ReplacementProofs) => E.Either<SessionChanged, void>) => {
  const clients = createSessionClients(db)
  const update = db.prepare(updateSession).pluck()
  return (next, replacing, proofs) => {
    const session = update.get({ ...toSessionRow(next), ...proofs, replacing: replacing.version })
    if (session === undefined) return E.left(sessionChanged)
    if (hasSameClients(next, replacing)) return E.right(undefined)
    clients.remove(session)
    clients.insert(session, next)
    return E.right(undefined)
  }
}

export const createReplaceSession = (
  { db, read, queue }: Connection,
  encryption: Encryption,
): EndUserSessions['replaceSession'] => {
  const select = db.prepare(selectProof)
  const proofsFor = replacementProofs(encryption)
  const update = createUpdate(db)
  const { writeAfter } = createWriteAudit(db)
  return (next, replacing, audit) =>
    queue.writePrepared(
      proofsFor(
        read(() => select.get(next.sid)),
        next,
        replacing,
      ),
      (proofs) => writeAfter(audit, update(next, replacing, proofs)),
    )
}
