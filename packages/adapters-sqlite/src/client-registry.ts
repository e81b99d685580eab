import type { ClientChanged, ClientRegistry, RegisteredClient } from '@clientele/domain'
import { clientChanged } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createAddClient } from './add-client.js'
import type { NewClientRow } from './client-row.js'
import { fromClientRow, toClientRow } from './client-row.js'
import { createFindClient } from './find-client.js'
import type { Sealing } from './sealing.js'
import { streamRows } from './stream-rows.js'
import type { WriteQueue } from './write-queue.js'

const updateClient = `
UPDATE clients SET version = @version, client_secret = @client_secret,
  client_secret_expires_at = @client_secret_expires_at, registration_access_token = @registration_access_token,
  registration_access_token_hash = @registration_access_token_hash, registered_by = @registered_by,
  privileges = @privileges, metadata = @metadata
WHERE client_id = @client_id AND version = @replacing AND registration_access_token_hash = @replacing_hash`
const deleteClient = `
DELETE FROM clients WHERE client_id = ? AND version = ? AND registration_access_token_hash = ?`

const prepare = (db: Database.Database) => ({
  update: db.prepare(updateClient),
  remove: db.prepare(deleteClient),
})

// Because an id may be registered anew, the token's hash tells one life of it from the next.
const identity = (client: RegisteredClient): readonly [string, number, string] => [
  client.client_id,
  client.version,
  client.registration_access_token.hash,
]

const oneChanged = ({ changes }: Database.RunResult): E.Either<ClientChanged, void> =>
  changes === 1 ? E.right(undefined) : E.left(clientChanged)

export const createClientRegistry = (db: Database.Database, queue: WriteQueue, sealing: Sealing): ClientRegistry => {
  const { update, remove } = prepare(db)
  const add = createAddClient(db)
  const [toRow, fromRow] = [toClientRow(sealing), fromClientRow(sealing)]
  const { findClient, know } = createFindClient(db, fromRow)

  const replace = (row: NewClientRow, replacing: RegisteredClient): E.Either<ClientChanged, void> => {
    const [, version, hash] = identity(replacing)
    return oneChanged(update.run({ replacing: version, replacing_hash: hash, ...row }))
  }

  return {
    addClient: (client, spending, limits) =>
      sealed(
        () => toRow(client),
        (row) => queue.write(() => add(row, spending, limits)),
      ),
    findClient,
    streamClients: () => streamRows(db, fromRow),
    replaceClient: (next, replacing) =>
      sealed(
        () => toRow(next),
        (row) => {
          // Whoever updates a client updates it again; and if it is not written after all, no row will be the same.
          know(row, next)
          return queue.write(() => replace(row, replacing))
        },
      ),
    removeClient: (client) => queue.write(() => oneChanged(remove.run(...identity(client)))),
  }
}

// So that the transaction stays short, sealing is done before it, each time that the write is run.
const sealed =
  <Refusal>(
    seal: () => NewClientRow,
    write: (row: NewClientRow) => TE.TaskEither<Refusal, void>,
  ): TE.TaskEither<Refusal, void> =>
  () =>
    write(seal())()
