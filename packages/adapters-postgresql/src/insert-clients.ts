// The rows of new clients, which consume their initial access tokens in one statement.
import {
  type AuditRow,
  type KeyedRegistration,
  type RefusedAddition,
  type TokenHash,
  type Unavailable,
  isOpenClient,
} from '@clientele/domain'
import type { NewClientRow } from '@clientele/stored-rows'
import type * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Query, Rows } from './database.js'
import { sqlState, uniqueViolation } from './failures.js'
import { insertAuditColumns, isWrittenBefore } from './write-audit.js'

/** A client to be added, and the initial access token that it consumes. */
export type Addition = {
  readonly row: NewClientRow
  readonly token: TokenHash | undefined
  /** Of an open client without a token, which may repeat an unused one. */
  readonly fingerprint: TokenHash | undefined
  readonly audit: AuditRow | undefined
  readonly keyed: KeyedRegistration | undefined
}

export type Added = E.Either<RefusedAddition, void>
export type AddedOrNot = E.Either<RefusedAddition | Unavailable, void>

// The tokens are locked in one order, so that two instances do not wait for each other.
const insertClients = {
  name: 'insert_clients',
  text: `
WITH asked AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::smallint[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::smallint[], $17::bigint[], $18::text[], $19::text[], $20::text[], $21::text[])
  WITH ORDINALITY AS asked (client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
    registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, token, fingerprint,
    token_fingerprint, statement_issuer, imported, audit_at, audit_actor, audit_actor_name, audit_entry, audit_mac, place)
), locked AS (
  SELECT hash FROM initial_access_tokens WHERE hash = ANY ($12::text[]) ORDER BY hash FOR UPDATE
), consumed AS (
  DELETE FROM initial_access_tokens WHERE hash IN (SELECT hash FROM locked) RETURNING hash
), added AS (
INSERT INTO clients (client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, fingerprint,
  token_fingerprint, statement_issuer, imported)
SELECT client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, fingerprint,
  token_fingerprint, statement_issuer, imported
FROM asked WHERE token IS NULL OR token IN (SELECT hash FROM consumed) ORDER BY place
ON CONFLICT (fingerprint) WHERE fingerprint IS NOT NULL AND unused_open = 1 DO NOTHING
RETURNING registration_id
), noted AS (
  ${insertAuditColumns} SELECT audit_at, client_id, audit_actor, audit_actor_name, audit_entry, audit_mac
  FROM asked JOIN added USING (registration_id) WHERE audit_mac IS NOT NULL ORDER BY place
)
SELECT registration_id FROM added`,
}
// Also those that others have removed since: their audit rows stay.
const selectRegistrations = {
  name: 'select_registrations',
  text: `
SELECT registration_id FROM clients WHERE client_id = ANY ($1::text[]) AND registration_id = ANY ($2::text[])
UNION
SELECT registration_id FROM unnest($2::text[], $3::bigint[], $4::text[]) AS asked (registration_id, at, mac)
JOIN audit_rows USING (at, mac)`,
}
const Registered = t.type({ registration_id: t.string })

const columnsOf = (additions: ReadonlyArray<Addition>): ReadonlyArray<unknown> => {
  const column = (of: (addition: Addition) => unknown): ReadonlyArray<unknown> => additions.map(of)
  return [
    column(({ row }) => row.client_id),
    column(({ row }) => row.registration_id),
    column(({ row }) => row.version),
    column(({ row }) => row.client_id_issued_at),
    column(({ row }) => row.client_secret_expires_at),
    column(({ row }) => row.registration_access_token_hash),
    column(({ row }) => row.registered_by),
    column(({ row }) => row.privileges),
    column(({ row }) => row.metadata),
    column(({ row }) => row.credentials),
    column(({ row }) => (isOpenClient(row) ? 1 : 0)),
    column(({ token }) => token ?? null),
    column(({ fingerprint }) => fingerprint ?? null),
    column(({ row }) => row.token_fingerprint),
    column(({ row }) => row.statement_issuer),
    column(({ row }) => row.imported),
    column(({ audit }) => audit?.at ?? null),
    column(({ audit }) => audit?.actor ?? null),
    column(({ audit }) => audit?.actor_name ?? null),
    column(({ audit }) => audit?.entry ?? null),
    column(({ audit }) => audit?.mac ?? null),
  ]
}

const registrationsIn = (rows: Rows): ReadonlySet<string> =>
  new Set(rows.filter(Registered.is).map(({ registration_id }) => registration_id))

/** Adds the clients in one statement; the registrations that it added. A taken id fails the statement. */
export const insertAll = async (query: Query, additions: ReadonlyArray<Addition>): Promise<ReadonlySet<string>> =>
  registrationsIn(await query(insertClients, columnsOf(additions)))

/** The registrations of these additions that were committed. */
export const findAll = async (query: Query, additions: ReadonlyArray<Addition>): Promise<ReadonlySet<string>> =>
  registrationsIn(
    await query(selectRegistrations, [
      additions.map(({ row }) => row.client_id),
      additions.map(({ row }) => row.registration_id),
      additions.map(({ audit }) => audit?.at ?? null),
      additions.map(({ audit }) => audit?.mac ?? null),
    ]),
  )

/** Whether the error says that another client has the id. */
export const isTaken = (error: unknown): boolean => sqlState(error) === uniqueViolation && !isWrittenBefore(error)

/** The registrations of a batch; a taken id refuses all of them. */
export type BatchRefusal = { readonly error: 'taken_in_batch' }
const takenInBatch: BatchRefusal = { error: 'taken_in_batch' }

/** The refusal of the statement or the transaction that added the batch; undefined for any other error. */
export const refusalOfBatch = (error: unknown): BatchRefusal | undefined => (isTaken(error) ? takenInBatch : undefined)

/** Additions with a name in common are made one after the other. */
export const namesOf = ({ row, token, fingerprint, keyed }: Addition): ReadonlyArray<string> => [
  row.client_id,
  ...(token === undefined ? [] : [`token ${token}`]),
  ...(fingerprint === undefined ? [] : [`fingerprint ${fingerprint}`]),
  ...(keyed === undefined ? [] : [`key ${keyed.key}`]),
]
