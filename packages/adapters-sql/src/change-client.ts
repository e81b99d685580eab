// RFC 7592 §2.2: the next version of a client; and the clients of an import, new ones and next versions.
import type { AuditRow } from '@clientele/domain/audit'
import { clientIdTaken } from '@clientele/domain/kernel'
import { isOpenClient } from '@clientele/domain/life-cycle'
import { type ClientChanged, type ClientImport, type RefusedImport, clientChanged } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { insertClient } from './add-client.js'
import type { ClientRow } from './client-row.js'
import { change, together } from './statement.js'
import { useElsewhere } from './use-client.js'
import { type Made, type Tx, clientOf, selectOrdinal, verb } from './verb.js'

const unindexed = {
  version: 'number',
  client_secret_expires_at: 'number',
  privileges: 'text',
  metadata: 'text',
  suspended_at: 'number',
  credentials: 'text',
} as const
const indexed = {
  registration_access_token_hash: 'text',
  preceding_token_hash: 'text',
  registered_by: 'text',
  waits_since: 'number',
} as const
const read = { client_id: 'text', registration_id: 'text', replacing: 'number', preceding: 'text' } as const

const assigned = (columns: object): string =>
  Object.keys(columns)
    .map((name) => `${name} = :${name}`)
    .join(', ')
const isAsRead = `client_id = :client_id AND registration_id = :registration_id AND version = :replacing
  AND (:preceding IS NULL OR preceding_token_hash = :preceding)`

// The index of texts follows the metadata.
const isToReindex = 'reindex = CASE WHEN metadata = :metadata THEN reindex ELSE 1 END'

// SQLite writes the index of every column that the statement sets, even if its value is unchanged.
const update = together(
  change(`UPDATE clients SET ${assigned(unindexed)}, ${isToReindex} WHERE ${isAsRead}`, { ...unindexed, ...read }),
)
const updateIndexed = together(
  change(
    `
UPDATE clients SET ${assigned(unindexed)}, ${assigned(indexed)}, ${isToReindex},
  imported = CASE WHEN imported > :imported THEN imported ELSE :imported END
WHERE ${isAsRead}`,
    { ...unindexed, ...indexed, imported: 'number', ...read },
  ),
)

const isIndexedAlike = (row: ClientRow, replacing: RegisteredClient): boolean =>
  row.registration_access_token_hash === replacing.registration_access_token.hash &&
  row.preceding_token_hash === (replacing.preceding_token?.hash ?? null) &&
  row.registered_by === replacing.registered_by &&
  row.waits_since === (replacing.waits_since ?? null) &&
  row.imported <= (replacing.provenance?.imported === true ? 1 : 0)

const replace = async (tx: Tx, row: ClientRow, replacing: RegisteredClient): Promise<boolean> => {
  const values = { ...row, replacing: replacing.version, preceding: replacing.preceding_token?.hash ?? null }
  return (await tx.run(isIndexedAlike(row, replacing) ? update : updateIndexed, values)) > 0
}

export const replaceClient = (
  row: ClientRow,
  replacing: RegisteredClient,
  audit: AuditRow | undefined,
): Made<ClientChanged, void> =>
  verb({ changes: [clientOf(row)] }, async (tx) => {
    if (!(await replace(tx, row, replacing))) return E.left(clientChanged)
    await tx.note(audit)
    return E.right(undefined)
  })

/** A client of an import, as a row. */
export type ImportedRow = Omit<ClientImport, 'client'> & { readonly row: ClientRow }

const importOne = async (tx: Tx, imported: ImportedRow): Promise<E.Either<RefusedImport, void>> => {
  const { row, replacing, last_use, audit } = imported
  const isNew = replacing === undefined
  const isStored = isNew
    ? (await tx.run(insertClient, { ...row, unused_open: isOpenClient(row) ? 1 : 0, fingerprint: null })) > 0
    : await replace(tx, row, replacing)
  if (!isStored) return E.left(isNew ? clientIdTaken : clientChanged)
  if (last_use !== undefined) {
    const stored = await tx.get(selectOrdinal, row)
    if (stored !== undefined) await useElsewhere(tx, stored.ordinal, last_use)
  }
  await tx.note(audit)
  return E.right(undefined)
}

/** All that are not refused are stored in one step. */
export const importClients = (
  clients: ReadonlyArray<ImportedRow>,
): Made<never, ReadonlyArray<E.Either<RefusedImport, void>>> =>
  verb({ changes: clients.map(({ row }) => clientOf(row)) }, async (tx) =>
    E.right(await Promise.all(clients.map((each) => importOne(tx, each)))),
  )
