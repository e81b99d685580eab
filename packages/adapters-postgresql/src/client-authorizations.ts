import {
  type ClientAuthorization,
  type ClientAuthorizations,
  type Encryption,
  type EpochSeconds,
  type UnknownClient,
  type UnknownSession,
  maxForgotten,
  unknownClient,
  unknownSession,
} from '@clientele/domain'
import { authorizationContext, fromAuthorizationRow, prove, readRow, toAuthorizationRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { clientAuthorizationRows } from './client-authorization-rows.js'
import { type Database, type Write, removing } from './database.js'
import { forgetRows } from './forget-rows.js'
import { isViolationOf } from './failures.js'
import { ordinalOf, useClients } from './registered-clients.js'

// Locks the session before its authorizations, as the end of the session does.
const lockSession = {
  name: 'lock_session_of_authorization',
  text: 'SELECT 1 FROM end_user_sessions WHERE sid = $1 FOR KEY SHARE',
}
const forgetExpired = {
  name: 'forget_authorizations',
  text: forgetRows(
    'authorizations',
    'expires_at > 0 AND expires_at <= $1 AND (kind, hash) <> ($2, $3) ORDER BY expires_at',
    maxForgotten.authorizations,
  ),
}
const upsert = {
  name: 'record_authorization',
  text: `
INSERT INTO authorizations (kind, hash, client, expires_at, details, session, offline, proof)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (kind, hash) DO UPDATE SET client = excluded.client, expires_at = excluded.expires_at,
  details = excluded.details, session = excluded.session, offline = excluded.offline, proof = excluded.proof`,
}
const selectAuthorization = {
  name: 'select_authorization',
  text: `
SELECT kind, hash, client_id, registration_id, expires_at, details, session, offline, proof
FROM ${clientAuthorizationRows} WHERE kind = $1 AND hash = $2`,
}
const deleteAuthorization = removing('delete_authorization', 'DELETE FROM authorizations WHERE kind = $1 AND hash = $2')

// The authorization refers to its session, so that the database refuses one of a session that ends at the same time.
const record = (
  authorization: ClientAuthorization,
  at: EpochSeconds,
  proof: string,
): Write<UnknownClient | UnknownSession, void> => ({
  run: async (query) => {
    const client = await ordinalOf(query, authorization)
    if (client === undefined) return E.left(unknownClient)
    const { kind, hash, expires_at, details, session, offline } = toAuthorizationRow(authorization)
    if (session !== null && offline === 0) await query(lockSession, [session])
    await query(upsert, [kind, hash, client, expires_at, details, session, offline, proof])
    await useClients(query, [client], at)
    await query(forgetExpired, [at, kind, hash])
    return E.right(undefined)
  },
  refusalOf: (error) => (isViolationOf('authorizations_held_by', error) ? unknownSession : undefined),
})

export const createClientAuthorizations = (db: Database, encryption: Encryption): ClientAuthorizations => ({
  recordAuthorization: (authorization, at) =>
    pipe(
      prove(encryption, authorizationContext(toAuthorizationRow(authorization))),
      TE.flatMap((proof) => db.transaction(record(authorization, at, proof))),
    ),
  findAuthorization: (kind, hash) =>
    readRow(fromAuthorizationRow(encryption))(db.first(selectAuthorization, [kind, hash])),
  revokeAuthorization: (kind, hash) =>
    db.writeOnce({
      run: async (query) => {
        await query(deleteAuthorization, [kind, hash])
        return E.right(undefined)
      },
    }),
})
