import {
  type AuditRow,
  type Encryption,
  type EndUserSession,
  type EndUserSessions,
  type SessionChanged,
  sessionChanged,
} from '@clientele/domain'
import { type ReplacementProofs, hasSameClients, replacementProofs, toSessionRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Write } from './database.js'
import { replaceSessionClients } from './session-clients.js'
import { isWritten, writeAudit } from './write-audit.js'

const selectProof = {
  name: 'select_session_proof',
  text: 'SELECT cookie_hash, proof FROM end_user_sessions WHERE sid = $1',
}
const updateSession = {
  name: 'update_session',
  text: `
UPDATE end_user_sessions SET sub = $4, auth_time = $5, used_at = $6, idle_lifetime = $7, expires_at = $8, over_at = $9,
  declined = $10, version = $11, proof = $12
WHERE sid = $1 AND version = $2 AND proof = $3 RETURNING ordinal`,
}
const selectWritten = {
  name: 'select_replaced_session',
  text: 'SELECT 1 FROM end_user_sessions WHERE sid = $1 AND proof = $2',
}

const Updated = t.type({ ordinal: t.number })

const replacement = (
  next: EndUserSession,
  before: EndUserSession,
  proofs: ReplacementProofs,
  audit: AuditRow | undefined,
): Write<SessionChanged, void> => ({
  run: async (query) => {
    const row = toSessionRow(next)
    const times = [row.auth_time, row.used_at, row.idle_lifetime, row.expires_at, row.over_at]
    const values = [
      row.sid,
      before.version,
      proofs.proof_read,
      row.sub,
      ...times,
      row.declined,
      row.version,
      proofs.proof,
    ]
    const [updated] = await query(updateSession, values)
    if (!Updated.is(updated)) return E.left(sessionChanged)
    await writeAudit(query, [audit])
    if (hasSameClients(next, before)) return E.right(undefined)
    await replaceSessionClients(query, updated.ordinal, next)
    return E.right(undefined)
  },
  isDone: isWritten(audit, selectWritten, [next.sid, proofs.proof]),
})

export const createReplaceSession = (db: Database, encryption: Encryption): EndUserSessions['replaceSession'] => {
  const proofsFor = replacementProofs(encryption)
  return (next, replacing, audit) =>
    pipe(
      proofsFor(db.first(selectProof, [next.sid]), next, replacing),
      TE.flatMap((proofs) => db.transaction(replacement(next, replacing, proofs, audit))),
    )
}
