import { type ClientId, type ClientRegistry, type RegisteredClient, unavailable } from '@clientele/domain'
import { type ReadRow, type ReadableClient, readableClient } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readSelected } from './attempt.js'
import type { Database } from './database.js'
import { createSelectClients } from './select-clients.js'

type FindClient = Pick<ClientRegistry, 'findClient' | 'findClients' | 'findClientByToken' | 'isRegistrationAccessToken'>

const selectToken = {
  name: 'select_registration_access_token',
  text: 'SELECT 1 FROM clients WHERE registration_access_token_hash = $1 LIMIT 1',
}

const idOf = (client: ReadableClient): string => (E.isLeft(client) ? client.left.client_id : client.right.client_id)

const inOrderOf =
  (ids: ReadonlyArray<ClientId>) =>
  (found: ReadonlyArray<ReadableClient>): ReadonlyArray<ReadableClient> => {
    const byId = new Map(found.map((client) => [idOf(client), client]))
    return [...new Set<string>(ids)].flatMap((id) => byId.get(id) ?? [])
  }

export const createFindClient = (db: Database, read: ReadRow<RegisteredClient>): FindClient => {
  const readOne: ReadRow<RegisteredClient> = (row) => async () => {
    const client = await readableClient(read)(row)()
    return E.isLeft(client) ? client : E.mapLeft(unavailable)(client.right)
  }
  const { byId, byIds, byToken } = createSelectClients(db)
  return {
    findClient: (id) => readSelected(readOne)(byId(id)),
    findClients: (ids) => pipe(byIds(ids), TE.flatMap(TE.traverseArray(readableClient(read))), TE.map(inOrderOf(ids))),
    findClientByToken: (id, token) => readSelected(readOne)(byToken({ id, token })),
    isRegistrationAccessToken: (token) =>
      pipe(
        db.run(selectToken, [token]),
        TE.map((rows) => rows.length > 0),
      ),
  }
}
