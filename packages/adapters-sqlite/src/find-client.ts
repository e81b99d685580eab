import type { ClientId, ClientRegistry, RegisteredClient } from '@clientele/domain'
import { unreadableClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { attemptRow } from './attempt.js'
import type { RememberedRows } from './remembered-rows.js'
import { rememberingRows } from './remembered-rows.js'
import { createRevision } from './revision.js'

type ReadRow = (row: unknown) => E.Either<string, RegisteredClient>

export type FindClient = Pick<ClientRegistry, 'findClient'> & Pick<RememberedRows<RegisteredClient>, 'know'>

export const createFindClient = (db: Database.Database, readRow: ReadRow): FindClient => {
  const select = db.prepare('SELECT * FROM clients WHERE client_id = ?')
  const [remembered, revision] = [rememberingRows('client_id', readRow), createRevision(db)]
  const find = (id: ClientId): ReturnType<ReadRow> | undefined => {
    // Asked before the row is selected, so that the row is not older.
    const at = revision()
    const known = at === undefined ? undefined : remembered.readAt(id, at)
    if (known !== undefined) return known
    const row = select.get(id)
    return row === undefined ? undefined : remembered.read(row, at)
  }
  return { findClient: (id) => attemptRow(() => find(id), E.mapLeft(unreadableClient)), know: remembered.know }
}
