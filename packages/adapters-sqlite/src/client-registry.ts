import { type ClientRegistry, type Encryption, clientChanged } from '@clientele/domain'
import { createFindClient, fromClientRow, readWithUse, streamClients, toClientRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createAddClient } from './add-client.js'
import type { Connection } from './connection.js'
import { type ReplaceClient, createImportClients } from './import-clients.js'
import { createAddKeyed, createFindKeyed } from './keyed-registrations.js'
import { createReindex } from './index-texts.js'
import { createRemoveClient } from './remove-client.js'
import { createRecordImportedUse } from './use-client.js'
import { createWriteAudit } from './write-audit.js'
import { createSelectClients, createSelectPage } from './select-clients.js'

const updateClient = (indexed = ''): string => `
UPDATE clients SET version = @version, client_secret_expires_at = @client_secret_expires_at, privileges = @privileges,
  metadata = @metadata, suspended_at = @suspended_at, credentials = @credentials${indexed}
WHERE client_id = @client_id AND registration_id = @registration_id AND version = @replacing
  AND (@preceding IS NULL OR preceding_token_hash = @preceding)`
const indexedColumns = `, registration_access_token_hash = @registration_access_token_hash,
  preceding_token_hash = @preceding_token_hash, registered_by = @registered_by, waits_since = @waits_since,
  imported = max(imported, @imported)`

const createReplaceClient = (db: Database.Database): ReplaceClient => {
  // SQLite writes the index of every column that the statement sets, even if its value is unchanged.
  const update = db.prepare(updateClient())
  const updateIndexed = db.prepare(updateClient(indexedColumns))
  const reindex = createReindex(db)
  return (row, replacing) => {
    const { version, registration_access_token, registered_by } = replacing
    const preceding = replacing.preceding_token?.hash ?? null
    const isIndexedAlike =
      row.registration_access_token_hash === registration_access_token.hash &&
      row.preceding_token_hash === preceding &&
      row.registered_by === registered_by &&
      row.waits_since === (replacing.waits_since ?? null) &&
      row.imported <= (replacing.provenance?.imported === true ? 1 : 0)
    const { changes } = (isIndexedAlike ? update : updateIndexed).run({ replacing: version, preceding, ...row })
    if (changes === 0) return E.left(clientChanged)
    reindex(row, replacing)
    return E.right(undefined)
  }
}

export const createClientRegistry = ({ db, read, queue }: Connection, encryption: Encryption): ClientRegistry => {
  const replace = createReplaceClient(db)
  const add = createAddClient(db)
  const addKeyed = createAddKeyed(db)
  const audit = createWriteAudit(db)
  const toRow = toClientRow(encryption)
  const fromRow = fromClientRow(encryption)

  return {
    // A commit is on disk before anything reads it: by this connection, or by the checkpoint of its opening.
    confirmReads: TE.right(undefined),
    addClient: (client, consumedToken, limits, fingerprint, noted, keyed) =>
      queue.writePrepared(toRow(client), (row) =>
        audit.writeAfter(
          noted,
          addKeyed(keyed, row, () => add(row, consumedToken, limits, fingerprint)),
        ),
      ),
    ...createFindKeyed(db, read),
    ...createFindClient(createSelectClients(db, read), fromRow),
    streamClients: () => streamClients(createSelectPage(db, read), fromRow),
    streamClientsWithUse: () => streamClients(createSelectPage(db, read), readWithUse(fromRow)),
    replaceClient: (next, replacing, noted) =>
      queue.writePrepared(toRow(next), (row) => audit.writeAfter(noted, replace(row, replacing))),
    removeClient: createRemoveClient(db, queue),
    importClients: createImportClients(queue, encryption, {
      add,
      replace,
      recordUse: createRecordImportedUse(db),
      ...audit,
    }),
  }
}
