import {
  type AuditRow,
  type ClientChanged,
  type ClientRegistry,
  type Encryption,
  type RegisteredClient,
  clientChanged,
  isOpenClient,
} from '@clientele/domain'
import {
  type NewClientRow,
  createFindClient,
  fromClientRow,
  readWithUse,
  streamClients,
  toClientRow,
} from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createAddThroughGate } from './add-through-gate.js'
import { createAddLane } from './add-client.js'
import type { Database, Write } from './database.js'
import { createImportClients } from './import-clients.js'
import type { Addition } from './insert-clients.js'
import { createFindKeyed } from './keyed-registrations.js'
import { removal } from './remove-client.js'
import { createSelectClients, selectPage } from './select-clients.js'
import { auditValuesOf, insertAuditFrom, isWritten } from './write-audit.js'

const updateClient = {
  name: 'update_client',
  text: `
WITH changed AS (
  UPDATE clients SET version = $4, client_secret_expires_at = $5, registration_access_token_hash = $6, registered_by = $7,
    privileges = $8, metadata = $9, suspended_at = $10, credentials = $11, preceding_token_hash = $12,
    waits_since = $14
  WHERE client_id = $1 AND registration_id = $2 AND version = $3 AND ($13::text IS NULL OR preceding_token_hash = $13)
  RETURNING 1
), noted AS (${insertAuditFrom('changed', 15)})
SELECT 1 FROM changed`,
}
// The sealed credentials have a random nonce, so that only this write made them.
const selectWritten = {
  name: 'select_written_client',
  text: 'SELECT 1 FROM clients WHERE client_id = $1 AND credentials = $2',
}
const replacement = (
  row: NewClientRow,
  replacing: RegisteredClient,
  audit: AuditRow | undefined,
): Write<ClientChanged, void> => ({
  run: async (query) => {
    const { client_id, registration_id, version, client_secret_expires_at, registration_access_token_hash } = row
    const { registered_by, privileges, metadata, suspended_at, credentials, preceding_token_hash } = row
    const key = [client_id, registration_id, replacing.version]
    const columns = [version, client_secret_expires_at, registration_access_token_hash, registered_by, privileges]
    const preceding = [preceding_token_hash, replacing.preceding_token?.hash ?? null, row.waits_since]
    const values = [...key, ...columns, metadata, suspended_at, credentials, ...preceding, ...auditValuesOf(audit)]
    const rows = await query(updateClient, values)
    return rows.length === 1 ? E.right(undefined) : E.left(clientChanged)
  },
  isDone: isWritten(audit, selectWritten, [row.client_id, row.credentials]),
})

export const createClientRegistry = (db: Database, encryption: Encryption): ClientRegistry => {
  const toRow = toClientRow(encryption)
  const fromRow = fromClientRow(encryption)
  const addAtOnce = createAddLane(db)
  const addThroughGate = createAddThroughGate(db)
  return {
    confirmReads: db.confirmReads,
    addClient: (client, consumedToken, limits, fingerprint, audit, keyed) =>
      pipe(
        toRow(client),
        TE.map((row): Addition => {
          const isRepeatable = isOpenClient(row) && O.isNone(consumedToken)
          const token = O.toUndefined(consumedToken)
          return { row, token, fingerprint: isRepeatable ? fingerprint : undefined, audit, keyed }
        }),
        TE.flatMap((addition) =>
          keyed === undefined && limits.clients === Infinity && limits.unusedOpenClients === Infinity
            ? addAtOnce(addition)
            : addThroughGate({ addition, limits }),
        ),
      ),
    ...createFindKeyed(db),
    ...createFindClient(createSelectClients(db), fromRow),
    streamClients: () => streamClients(selectPage(db), fromRow),
    streamClientsWithUse: () => streamClients(selectPage(db), readWithUse(fromRow)),
    replaceClient: (next, replacing, audit) =>
      pipe(
        toRow(next),
        TE.flatMap((row) => db.writeOnce(replacement(row, replacing, audit))),
      ),
    importClients: createImportClients(db, encryption),
    removeClient: (id, token, tombstone, audit, read) =>
      db.transaction(removal(id, O.toNullable(token), { tombstone, audit }, read)),
  }
}
