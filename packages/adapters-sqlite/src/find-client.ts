import { type ClientId, type ClientRegistry, type RegisteredClient, unavailable } from '@clientele/domain'
import { type ReadRow, type ReadableClient, readableClient } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt, attemptRow } from './attempt.js'
import { createTokenIndex } from './token-index.js'

export type FindClient = Pick<
  ClientRegistry,
  'findClient' | 'findClients' | 'findClientByToken' | 'isRegistrationAccessToken'
>

const selectById = 'SELECT * FROM clients WHERE client_id = ?'
const selectByIds = 'SELECT * FROM clients WHERE client_id IN (SELECT value FROM json_each(?))'

const idOf = (client: ReadableClient): string => (E.isLeft(client) ? client.left.client_id : client.right.client_id)

const inOrderOf =
  (ids: ReadonlyArray<ClientId>) =>
  (found: ReadonlyArray<ReadableClient>): ReadonlyArray<ReadableClient> => {
    const byId = new Map(found.map((client) => [idOf(client), client]))
    return [...new Set<string>(ids)].flatMap((id) => byId.get(id) ?? [])
  }

export const createFindClient = (db: Database.Database, read: ReadRow<RegisteredClient>): FindClient => {
  const byId = db.prepare(selectById)
  const byIds = db.prepare<[string]>(selectByIds)
  const { rowOf, isToken } = createTokenIndex(db)
  const readOne: ReadRow<RegisteredClient> = (row) => async () => {
    const client = await readableClient(read)(row)()
    return E.isLeft(client) ? client : E.mapLeft(unavailable)(client.right)
  }
  return {
    findClient: (id) => attemptRow(() => byId.get(id), readOne),
    findClients: (ids) =>
      pipe(
        attempt(() => byIds.all(JSON.stringify(ids))),
        TE.flatMap(TE.traverseArray(readableClient(read))),
        TE.map(inOrderOf(ids)),
      ),
    findClientByToken: (id, token) => attemptRow(() => rowOf(id, token), readOne),
    isRegistrationAccessToken: (token) => attempt(() => isToken(token)),
  }
}
