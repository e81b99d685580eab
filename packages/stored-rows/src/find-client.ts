import {
  type ClientId,
  type ClientRegistry,
  type RegisteredClient,
  type TokenHash,
  type Unavailable,
  unavailable,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ReadableClient, readableClient } from './readable-client.js'
import { type ReadRow, readRow } from './read-row.js'

export type FindClient = Pick<
  ClientRegistry,
  'findClient' | 'findClients' | 'findClientByToken' | 'isRegistrationAccessToken'
>

/** The rows of clients, as the database has them; undefined where there is none. */
export type SelectClients = {
  readonly byId: (id: ClientId) => TE.TaskEither<Unavailable, unknown>
  readonly byIds: (ids: ReadonlyArray<ClientId>) => TE.TaskEither<Unavailable, ReadonlyArray<unknown>>
  /** The row of the client with this identifier and this token. */
  readonly byToken: (id: ClientId, token: TokenHash) => TE.TaskEither<Unavailable, unknown>
  /** Whether it is the registration access token of any client. */
  readonly isToken: (token: TokenHash) => TE.TaskEither<Unavailable, boolean>
}

const idOf = (client: ReadableClient): string => (E.isLeft(client) ? client.left.client_id : client.right.client_id)

const inOrderOf =
  (ids: ReadonlyArray<ClientId>) =>
  (found: ReadonlyArray<ReadableClient>): ReadonlyArray<ReadableClient> => {
    const byId = new Map(found.map((client) => [idOf(client), client]))
    return [...new Set<string>(ids)].flatMap((id) => byId.get(id) ?? [])
  }

/** Finds clients by what a database selects; an unreadable client makes the store unavailable, unless several are read. */
export const createFindClient = (select: SelectClients, read: ReadRow<RegisteredClient>): FindClient => {
  const readable = readableClient(read)
  const readOne: ReadRow<RegisteredClient> = (row) => async () => {
    const client = await readable(row)()
    return E.isLeft(client) ? client : E.mapLeft(unavailable)(client.right)
  }
  return {
    findClient: (id) => readRow(readOne)(select.byId(id)),
    findClients: (ids) => pipe(select.byIds(ids), TE.flatMap(TE.traverseArray(readable)), TE.map(inOrderOf(ids))),
    findClientByToken: (id, token) => readRow(readOne)(select.byToken(id, token)),
    isRegistrationAccessToken: select.isToken,
  }
}
