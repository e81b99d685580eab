import {
  type ClientAuthorizations,
  type Encryption,
  maxForgotten,
  unknownClient,
  unknownSession,
} from '@clientele/domain'
import { authorizationContext, fromAuthorizationRow, prove, readRow, toAuthorizationRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'
import { selectRows } from './select-rows.js'
import { createUseClient } from './use-client.js'

const selectSession = 'SELECT 1 FROM end_user_sessions WHERE sid = ?'
const forgetExpired = `
DELETE FROM authorizations WHERE (kind, hash) IN
  (SELECT kind, hash FROM authorizations WHERE expires_at > 0 AND expires_at <= ? ORDER BY expires_at LIMIT ${maxForgotten.authorizations})`
const upsert = `
INSERT INTO authorizations (kind, hash, client, expires_at, details, session, offline, proof)
VALUES (@kind, @hash, @client, @expires_at, @details, @session, @offline, @proof)
ON CONFLICT (kind, hash) DO UPDATE SET client = excluded.client, expires_at = excluded.expires_at,
  details = excluded.details, session = excluded.session, offline = excluded.offline, proof = excluded.proof`
const selectAuthorization = `
SELECT kind, hash, client_id, registration_id, expires_at, details, session, offline, proof
FROM authorizations JOIN clients ON ordinal = client
WHERE kind = ? AND hash = ?`
const deleteAuthorization = 'DELETE FROM authorizations WHERE kind = ? AND hash = ?'

const prepare = (db: Database.Database) => ({
  ordinalOf: createRegisteredOrdinal(db),
  findSession: db.prepare(selectSession).pluck(),
  forget: db.prepare(forgetExpired),
  record: db.prepare(upsert),
  use: createUseClient(db),
  select: selectRows(db, selectAuthorization),
  remove: db.prepare(deleteAuthorization),
})

export const createClientAuthorizations = (
  { db, read, queue }: Connection,
  encryption: Encryption,
): ClientAuthorizations => {
  const { ordinalOf, findSession, forget, record, use, select, remove } = prepare(db)
  return {
    recordAuthorization: (authorization, at) => {
      const row = toAuthorizationRow(authorization)
      return queue.writePrepared(prove(encryption, authorizationContext(row)), (proof) => {
        const client = ordinalOf(authorization)
        if (client === undefined) return E.left(unknownClient)
        const { session, offline } = authorization
        if (session !== undefined && offline !== true && findSession.get(session) === undefined)
          return E.left(unknownSession)
        forget.run(at)
        record.run({ client, proof, ...row })
        use(client, at)
        return E.right(undefined)
      })
    },
    findAuthorization: (kind, hash) => readRow(fromAuthorizationRow(encryption))(read(() => select.get(kind, hash))),
    revokeAuthorization: (kind, hash) =>
      queue.write(() => {
        remove.run(kind, hash)
        return E.right(undefined)
      }),
  }
}
