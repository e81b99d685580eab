import {
  type RefusedAddition,
  type RegistryLimits,
  type TokenHash,
  type Unavailable,
  clientIdTaken,
  initialAccessTokenConsumed,
  isOpenClient,
  registryFull,
} from '@clientele/domain'
import type { NewClientRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Database, Query, Rows, Write } from './database.js'
import { sqlState } from './failures.js'
import { createLane } from './lane.js'

/** A client to be added, and the initial access token that it consumes. */
export type Addition = { readonly row: NewClientRow; readonly token: TokenHash | undefined }

type Added = E.Either<RefusedAddition, void>
type AddedOrNot = E.Either<RefusedAddition | Unavailable, void>

const uniqueViolation = '23505'

// The tokens are locked in one order, so that two instances do not wait for each other.
const insertClients = {
  name: 'insert_clients',
  text: `
WITH asked AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::smallint[], $12::text[])
  WITH ORDINALITY AS asked (client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
    registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, token, place)
), locked AS (
  SELECT hash FROM initial_access_tokens WHERE hash = ANY ($12::text[]) ORDER BY hash FOR UPDATE
), consumed AS (
  DELETE FROM initial_access_tokens WHERE hash IN (SELECT hash FROM locked) RETURNING hash
)
INSERT INTO clients (client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open)
SELECT client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open
FROM asked WHERE token IS NULL OR token IN (SELECT hash FROM consumed) ORDER BY place
RETURNING registration_id`,
}
const selectRegistrations = {
  name: 'select_registrations',
  text: 'SELECT registration_id FROM clients WHERE client_id = ANY ($1::text[]) AND registration_id = ANY ($2::text[])',
}
const selectToken = { name: 'select_token_left', text: 'SELECT 1 FROM initial_access_tokens WHERE hash = $1' }
// Where a limit is set, one registration at a time passes; each counts what the ones before it have committed.
const passGate = { name: 'pass_client_gate', text: 'SELECT 1 FROM client_gate FOR UPDATE' }
// In one snapshot, because a service without limits does not wait at the gate. A limit of null is none.
const selectRoom = {
  name: 'select_room_for_client',
  text: `
SELECT $1::text IS NULL OR EXISTS (SELECT 1 FROM initial_access_tokens WHERE hash = $1) AS has_token,
  EXISTS (SELECT 1 FROM clients WHERE client_id = $2) AS is_taken,
  ($3::bigint IS NULL OR (SELECT count(*) FROM (SELECT 1 FROM clients LIMIT $3) AS counted) < $3)
  AND ($4::bigint IS NULL
    OR (SELECT count(*) FROM (SELECT 1 FROM clients WHERE unused_open = 1 LIMIT $4) AS counted) < $4) AS has_room`,
}

const Room = t.type({ has_token: t.boolean, is_taken: t.boolean, has_room: t.boolean })
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
  ]
}

const registrationsIn = (rows: Rows): ReadonlySet<string> =>
  new Set(rows.filter(Registered.is).map(({ registration_id }) => registration_id))

/** Adds the clients in one statement; the registrations that it added. A taken id fails the statement. */
const insertAll = async (query: Query, additions: ReadonlyArray<Addition>): Promise<ReadonlySet<string>> =>
  registrationsIn(await query(insertClients, columnsOf(additions)))

/** The registrations of these additions that are in the database. */
const findAll = async (query: Query, additions: ReadonlyArray<Addition>): Promise<ReadonlySet<string>> => {
  const ids = additions.map(({ row }) => row.client_id)
  return registrationsIn(await query(selectRegistrations, [ids, additions.map(({ row }) => row.registration_id)]))
}

/** The registrations of a batch; a taken id refuses all of them. */
type BatchRefusal = { readonly error: 'taken_in_batch' }
const takenInBatch: BatchRefusal = { error: 'taken_in_batch' }

const addTogether = (additions: ReadonlyArray<Addition>): Write<BatchRefusal, ReadonlySet<string>> => ({
  run: async (query) => E.right(await insertAll(query, additions)),
  // All clients of the batch whose tokens were there, or none of them.
  isDone: async (query) => {
    const found = await findAll(query, additions)
    return found.size === 0 ? O.none : O.some(found)
  },
  refusalOf: (error) => (sqlState(error) === uniqueViolation ? takenInBatch : undefined),
})

const isThere = async (query: Query, addition: Addition): Promise<O.Option<void>> =>
  (await findAll(query, [addition])).size === 0 ? O.none : O.some(undefined)

const insertOne = async (query: Query, addition: Addition): Promise<Added> =>
  (await insertAll(query, [addition])).size === 1 ? E.right(undefined) : E.left(initialAccessTokenConsumed)

// RFC 7591 has no order for these refusals: that of all stores is token, identifier, limits.
const refusalOfTaken = async (query: Query, { token }: Addition): Promise<Added> =>
  E.left(
    token !== undefined && (await query(selectToken, [token])).length === 0
      ? initialAccessTokenConsumed
      : clientIdTaken,
  )

/** Adds one client, by a statement that commits by itself. */
const addAlone = (addition: Addition): Write<RefusedAddition, void> => ({
  run: (query) =>
    insertOne(query, addition).catch((error: unknown) => {
      if (sqlState(error) === uniqueViolation) return refusalOfTaken(query, addition)
      throw error
    }),
  isDone: (query) => isThere(query, addition),
})

/** Registrations that arrive together share a statement and its commit. */
export const createAddLane = (
  db: Database,
): ((addition: Addition) => TE.TaskEither<RefusedAddition | Unavailable, void>) =>
  createLane(
    async (additions: ReadonlyArray<Addition>): Promise<ReadonlyArray<AddedOrNot>> => {
      const added = additions.length === 1 ? E.left(takenInBatch) : await db.writeOnce(addTogether(additions))()
      if (E.isRight(added))
        return additions.map(({ row }) =>
          added.right.has(row.registration_id) ? E.right(undefined) : E.left(initialAccessTokenConsumed),
        )
      const { left } = added
      return left.error === 'taken_in_batch'
        ? Promise.all(additions.map((each) => db.writeOnce(addAlone(each))()))
        : additions.map(() => E.left(left))
    },
    ({ row, token }) => (token === undefined ? [row.client_id] : [row.client_id, `token ${token}`]),
    db.maxTogether,
  )

const limitOf = (max: number): number | null => (max === Infinity ? null : Math.max(0, max))

/** The refusal of the addition by what is stored now. */
const refusalByLimits = async (
  query: Query,
  { clients, unusedOpenClients }: RegistryLimits,
  { row, token }: Addition,
): Promise<RefusedAddition | undefined> => {
  const unusedOpen = isOpenClient(row) ? limitOf(unusedOpenClients) : null
  const [room] = await query(selectRoom, [token ?? null, row.client_id, limitOf(clients), unusedOpen])
  if (!Room.is(room)) return registryFull
  if (!room.has_token) return initialAccessTokenConsumed
  if (room.is_taken) return clientIdTaken
  return room.has_room ? undefined : registryFull
}

/** Adds one client within the limits, in a transaction. */
const addBelowLimits = (limits: RegistryLimits, addition: Addition): Write<RefusedAddition, void> => ({
  run: async (query) => {
    await query(passGate)
    const refusal = await refusalByLimits(query, limits, addition)
    return refusal === undefined ? insertOne(query, addition) : E.left(refusal)
  },
  // By a service without limits, which does not wait at the gate.
  refusalOf: (error) => (sqlState(error) === uniqueViolation ? clientIdTaken : undefined),
  isDone: (query) => isThere(query, addition),
})

type LimitedAddition = { readonly limits: RegistryLimits; readonly addition: Addition }

/** One after the other, so that those that wait at the gate take no connection from others. */
export const createLimitedAddLane = (
  db: Database,
): ((limited: LimitedAddition) => TE.TaskEither<RefusedAddition | Unavailable, void>) =>
  createLane(
    async (
      additions: ReadonlyArray<LimitedAddition>,
    ): Promise<ReadonlyArray<E.Either<RefusedAddition | Unavailable, void>>> =>
      Promise.all(additions.map(({ limits, addition }) => db.transaction(addBelowLimits(limits, addition))())),
    () => [],
    1,
  )
