import { type RegisteredClient, type Unavailable, type UnreadableClient, unreadableClient } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ReadRow } from './read-row.js'

/** A client, or the id of a stored client that cannot be read. */
export type ReadableClient<Client = RegisteredClient> = E.Either<UnreadableClient, Client>

const idIn = (row: unknown): string =>
  typeof row === 'object' && row !== null && 'client_id' in row ? String(row.client_id) : ''

/** The client of a row; an unreadable one does not affect the others. */
export const readableClient =
  <Client>(read: ReadRow<Client>) =>
  (row: unknown): TaskEither<Unavailable, ReadableClient<Client>> =>
  async () => {
    const client = await read(row)()
    if (E.isRight(client)) return E.right(client)
    const { left: failure } = client
    return failure.error === 'unreadable_row'
      ? E.right(E.left(unreadableClient(idIn(row), failure.detail)))
      : E.left(failure)
  }
