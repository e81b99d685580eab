import {
  type RefusedAddition,
  type Unavailable,
  clientIdTaken,
  initialAccessTokenConsumed,
  registeredBefore,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database, Query, Write } from './database.js'
import {
  type Added,
  type AddedOrNot,
  type Addition,
  type BatchRefusal,
  findAll,
  insertAll,
  isTaken,
  namesOf,
  refusalOfBatch,
} from './insert-clients.js'
import { createLane } from './lane.js'

const selectToken = { name: 'select_token_left', text: 'SELECT 1 FROM initial_access_tokens WHERE hash = $1' }
const selectTaken = { name: 'select_taken_id', text: 'SELECT 1 FROM clients WHERE client_id = $1' }

const addTogether = (additions: ReadonlyArray<Addition>): Write<BatchRefusal, ReadonlySet<string>> => ({
  run: async (query) => E.right(await insertAll(query, additions)),
  // All clients of the batch whose tokens were there, or none of them.
  isDone: async (query) => {
    const found = await findAll(query, additions)
    return found.size === 0 ? O.none : O.some(found)
  },
  refusalOf: refusalOfBatch,
})

const isThere = async (query: Query, addition: Addition): Promise<O.Option<void>> =>
  (await findAll(query, [addition])).size === 0 ? O.none : O.some(undefined)

// Without a row and without an error: its token is consumed, or an unused client has its fingerprint, or also its id.
const refusalWithoutRow = async (query: Query, { row, fingerprint }: Addition): Promise<Added> => {
  if (fingerprint === undefined) return E.left(initialAccessTokenConsumed)
  return E.left((await query(selectTaken, [row.client_id])).length === 0 ? registeredBefore : clientIdTaken)
}

const insertOne = async (query: Query, addition: Addition): Promise<Added> =>
  (await insertAll(query, [addition])).size === 1 ? E.right(undefined) : refusalWithoutRow(query, addition)

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
      if (isTaken(error)) return refusalOfTaken(query, addition)
      throw error
    }),
  isDone: (query) => isThere(query, addition),
})

const addEach = (db: Database, additions: ReadonlyArray<Addition>): Promise<ReadonlyArray<AddedOrNot>> =>
  Promise.all(additions.map((each) => db.writeOnce(addAlone(each))()))

/** Registrations that arrive together share a statement and its commit. */
export const createAddLane = (
  db: Database,
): ((addition: Addition) => TE.TaskEither<RefusedAddition | Unavailable, void>) =>
  createLane(
    async (additions: ReadonlyArray<Addition>): Promise<ReadonlyArray<AddedOrNot>> => {
      if (additions.length === 1) return addEach(db, additions)
      const added = await db.writeOnce(addTogether(additions))()
      if (E.isRight(added))
        return Promise.all(
          additions.map(async (each): Promise<AddedOrNot> =>
            // One that was not added is decided by itself.
            added.right.has(each.row.registration_id) ? E.right(undefined) : db.writeOnce(addAlone(each))(),
          ),
        )
      const { left } = added
      return left.error === 'taken_in_batch' ? addEach(db, additions) : additions.map(() => E.left(left))
    },
    namesOf,
    db.maxTogether,
  )
