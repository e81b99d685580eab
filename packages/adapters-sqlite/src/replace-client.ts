import { type ClientChanged, type RegisteredClient, clientChanged } from '@clientele/domain'
import type { NewClientRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'

const updateClient = (indexed = ''): string => `
UPDATE clients SET version = @version, client_secret_expires_at = @client_secret_expires_at, privileges = @privileges,
  metadata = @metadata, credentials = @credentials${indexed}
WHERE client_id = @client_id AND registration_id = @registration_id AND version = @replacing`
const indexedColumns =
  ', registration_access_token_hash = @registration_access_token_hash, registered_by = @registered_by'

/** One step in a transaction: replaces the version of the client that was read. */
export type ReplaceClient = (row: NewClientRow, replacing: RegisteredClient) => E.Either<ClientChanged, void>

export const createReplaceClient = (db: Database.Database): ReplaceClient => {
  // SQLite writes the index of every column that the statement sets, even if its value is unchanged.
  const update = db.prepare(updateClient())
  const updateIndexed = db.prepare(updateClient(indexedColumns))
  return (row, { version, registration_access_token, registered_by }) => {
    const isIndexedAlike =
      row.registration_access_token_hash === registration_access_token.hash && row.registered_by === registered_by
    const { changes } = (isIndexedAlike ? update : updateIndexed).run({ replacing: version, ...row })
    return changes === 1 ? E.right(undefined) : E.left(clientChanged)
  }
}
