import type { ClientAuthorization, ClientAuthorizations } from '@clientele/domain'
import {
  ClientId,
  EpochSeconds,
  TokenHash,
  isJsonObject,
  maximumDepth,
  unknownClient,
  unknownSession,
} from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attemptRow } from './attempt.js'
import type { WriteQueue } from './write-queue.js'

const selectClient = 'SELECT ordinal FROM clients WHERE client_id = ?'
const selectHeld = 'SELECT 1 FROM end_user_sessions WHERE sid = ?'
const upsert = `
INSERT INTO authorizations (kind, hash, client, expires_at, details, session, offline) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (kind, hash) DO UPDATE SET client = excluded.client, expires_at = excluded.expires_at,
  details = excluded.details, session = excluded.session, offline = excluded.offline`
const markUsed = 'UPDATE clients SET used = 1 WHERE ordinal = ? AND used = 0'
const selectAuthorization = `
SELECT kind, hash, client_id, expires_at, details, session, offline
FROM authorizations JOIN clients ON ordinal = client
WHERE kind = ? AND hash = ?`
const deleteAuthorization = 'DELETE FROM authorizations WHERE kind = ? AND hash = ?'

const AuthorizationRow = t.type({
  kind: t.keyof({ refresh_token: null, access_token: null, sticky_grant: null }),
  hash: TokenHash,
  client_id: ClientId,
  expires_at: EpochSeconds,
  details: t.string,
  session: t.union([t.string, t.null]),
  offline: t.number,
})

const fromRow = (input: unknown): E.Either<string, ClientAuthorization> =>
  pipe(
    AuthorizationRow.decode(input),
    O.fromEither,
    O.bindTo('row'),
    O.bind('details', ({ row }) =>
      pipe(
        O.tryCatch((): unknown => JSON.parse(row.details)),
        O.filter(isJsonObject(maximumDepth)),
      ),
    ),
    O.map(({ row: { session, offline, ...row }, details }) => ({
      ...row,
      details,
      ...(session === null ? {} : { session }),
      ...(offline === 0 ? {} : { offline: true }),
    })),
    E.fromOption(() => 'a recorded authorization cannot be read'),
  )

export const createClientAuthorizations = (db: Database.Database, queue: WriteQueue): ClientAuthorizations => {
  const [ordinalOf, held] = [db.prepare(selectClient).pluck(), db.prepare(selectHeld).pluck()]
  const [record, use, select, remove] = [
    db.prepare(upsert),
    db.prepare(markUsed),
    db.prepare(selectAuthorization),
    db.prepare(deleteAuthorization),
  ]
  return {
    recordAuthorization: ({ kind, hash, client_id, expires_at, details, session, offline }) =>
      queue.write(() => {
        const ordinal = ordinalOf.get(client_id)
        if (ordinal === undefined) return E.left(unknownClient)
        if (session !== undefined && offline !== true && held.get(session) === undefined) return E.left(unknownSession)
        record.run(kind, hash, ordinal, expires_at, JSON.stringify(details), session ?? null, offline === true ? 1 : 0)
        use.run(ordinal)
        return E.right(undefined)
      }),
    findAuthorization: (kind, hash) => attemptRow(() => select.get(kind, hash), fromRow),
    revokeAuthorization: (kind, hash) =>
      queue.write(() => {
        remove.run(kind, hash)
        return E.right(undefined)
      }),
  }
}
