// Replaces a session by its next version: the proof is verified before the transaction, which compares the proven row.
import {
  type EndUserSession,
  type EndUserSessions,
  type Encryption,
  type SessionChanged,
  type SessionClient,
  type Unavailable,
  sessionChanged,
} from '@clientele/domain'
import { prove, requireProof, sessionContext, toSessionRow, unreadableSession } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attempt } from './attempt.js'
import { createSessionClients } from './session-clients.js'
import type { WriteQueue } from './write-queue.js'

const updateSession = `
UPDATE end_user_sessions SET sub = @sub, auth_time = @auth_time, used_at = @used_at, idle_lifetime = @idle_lifetime,
  expires_at = @expires_at, over_at = @over_at, declined = @declined, version = @version, proof = @proof
WHERE sid = @sid AND version = @replacing AND proof = @proof_read RETURNING ordinal`

const selectProof = 'SELECT cookie_hash, proof FROM end_user_sessions WHERE sid = ?'

const Proof = t.type({ cookie_hash: t.string, proof: t.string })

/** The proof of the stored row, and the proof of its replacement. */
type Proofs = { readonly proof: string; readonly proof_read: string }

const isSame = (one: SessionClient, other: SessionClient | undefined): boolean =>
  one.registration_id === other?.registration_id && one.sub === other.sub && one.sid === other.sid

// Most replacements only record a use.
const hasSameClients = ({ clients: next }: EndUserSession, { clients: before }: EndUserSession): boolean =>
  next.length === before.length && next.every((client, index) => isSame(client, before[index]))

// An unproven row must not get a proof through its replacement, because its cookie could be forged.
const createProofs = (db: Database.Database, encryption: Encryption) => {
  const select = db.prepare(selectProof)
  return (next: EndUserSession, replacing: EndUserSession): TE.TaskEither<SessionChanged | Unavailable, Proofs> =>
    pipe(
      attempt(() => select.get(next.sid)),
      TE.filterOrElseW(Proof.is, () => sessionChanged),
      TE.tap((row) =>
        pipe(
          requireProof(encryption, row.proof, sessionContext(row.cookie_hash, replacing), unreadableSession),
          TE.mapLeft((failure) => (failure.error === 'unreadable_row' ? sessionChanged : failure)),
        ),
      ),
      TE.flatMap((row) =>
        pipe(
          prove(encryption, sessionContext(row.cookie_hash, next)),
          TE.map((proof) => ({ proof, proof_read: row.proof })),
        ),
      ),
    )
}

/** Runs in the transaction: replaces the row if it is the one that was read and proven. */
const createUpdate = (
  db: Database.Database,
): ((next: EndUserSession, replacing: EndUserSession, proofs: Proofs) => E.Either<SessionChanged, void>) => {
  const clients = createSessionClients(db)
  const update = db.prepare(updateSession).pluck()
  return (next, replacing, proofs) => {
    const session = update.get({ ...toSessionRow(next), ...proofs, replacing: replacing.version })
    if (session === undefined) return E.left(sessionChanged)
    if (hasSameClients(next, replacing)) return E.right(undefined)
    clients.remove(session)
    clients.insert(session, next.clients)
    return E.right(undefined)
  }
}

export const createReplaceSession = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): EndUserSessions['replaceSession'] => {
  const proofsFor = createProofs(db, encryption)
  const update = createUpdate(db)
  return (next, replacing) =>
    queue.writePrepared(proofsFor(next, replacing), (proofs) => update(next, replacing, proofs))
}
