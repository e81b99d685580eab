import {
  type ClientAuthorization,
  type ClientAuthorizations,
  type Encryption,
  ClientId,
  EpochSeconds,
  RegistrationId,
  TokenHash,
  isParsedObject,
  maxForgotten,
  unknownClient,
  unknownSession,
} from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ReadRow, type UnreadableRow, attemptRow, unreadableRow } from './attempt.js'
import { prove, requireProof, rowContext } from './row-context.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'
import { createUseClient } from './use-client.js'
import type { WriteQueue } from './write-queue.js'

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

/** A row of the table authorizations, with the ids of its client. */
export const AuthorizationRow = t.type({
  kind: t.keyof({ refresh_token: null, access_token: null, sticky_grant: null }),
  hash: TokenHash,
  client_id: ClientId,
  registration_id: RegistrationId,
  expires_at: EpochSeconds,
  details: t.string,
  session: t.union([t.string, t.null]),
  offline: t.number,
  proof: t.string,
})

type Proven = Omit<t.TypeOf<typeof AuthorizationRow>, 'registration_id' | 'proof'>

/** The context of the proof of an authorization: it binds the client and the details. */
export const authorizationContext = (row: Proven): string =>
  rowContext('authorizations', [
    row.kind,
    row.hash,
    row.client_id,
    row.expires_at,
    row.details,
    row.session,
    row.offline,
  ])

const unreadable = unreadableRow('a recorded authorization cannot be read')

const toAuthorization = (row: t.TypeOf<typeof AuthorizationRow>): E.Either<UnreadableRow, ClientAuthorization> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(row.details)),
    O.filter(isParsedObject),
    O.map((details) => ({
      kind: row.kind,
      hash: row.hash,
      client_id: row.client_id,
      registration_id: row.registration_id,
      expires_at: row.expires_at,
      details,
      ...(row.session === null ? {} : { session: row.session }),
      ...(row.offline === 0 ? {} : { offline: true }),
    })),
    E.fromOption(() => unreadable),
  )

const fromRow =
  (encryption: Encryption): ReadRow<ClientAuthorization> =>
  (input) =>
    pipe(
      TE.fromEither(AuthorizationRow.decode(input)),
      TE.mapLeft(() => unreadable),
      TE.tap((row) => requireProof(encryption, row.proof, authorizationContext(row), unreadable)),
      TE.flatMapEither(toAuthorization),
    )

const toRow = ({ kind, hash, client_id, expires_at, details, session, offline }: ClientAuthorization): Proven => ({
  kind,
  hash,
  client_id,
  expires_at,
  details: JSON.stringify(details),
  session: session ?? null,
  offline: offline === true ? 1 : 0,
})

const prepare = (db: Database.Database) => ({
  ordinalOf: createRegisteredOrdinal(db),
  findSession: db.prepare(selectSession).pluck(),
  forget: db.prepare(forgetExpired),
  record: db.prepare(upsert),
  use: createUseClient(db),
  select: db.prepare(selectAuthorization),
  remove: db.prepare(deleteAuthorization),
})

export const createClientAuthorizations = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): ClientAuthorizations => {
  const { ordinalOf, findSession, forget, record, use, select, remove } = prepare(db)
  const read = fromRow(encryption)
  return {
    recordAuthorization: (authorization, at) => {
      const row = toRow(authorization)
      return queue.writePrepared(prove(encryption, authorizationContext(row)), (proof) => {
        const client = ordinalOf(authorization)
        if (client === undefined) return E.left(unknownClient)
        const { session, offline } = authorization
        if (session !== undefined && offline !== true && findSession.get(session) === undefined)
          return E.left(unknownSession)
        forget.run(at)
        record.run({ ...row, client, proof })
        use(client)
        return E.right(undefined)
      })
    },
    findAuthorization: (kind, hash) => attemptRow(() => select.get(kind, hash), read),
    revokeAuthorization: (kind, hash) =>
      queue.write(() => {
        remove.run(kind, hash)
        return E.right(undefined)
      }),
  }
}
