import type { ClientId, ClientRegistry, RegisteredClient, TokenHash } from '@clientele/domain'
import { unreadableClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { attempt, attemptRow } from './attempt.js'
import type { RememberedRows } from './remembered-rows.js'
import { rememberingRows } from './remembered-rows.js'
import { createRevision } from './revision.js'
import { createTokenIndex } from './token-index.js'

type ReadRow = (row: unknown) => E.Either<string, RegisteredClient>

export type FindClient = Pick<ClientRegistry, 'findClient' | 'findClientByToken' | 'isRegistrationAccessToken'> &
  Pick<RememberedRows<RegisteredClient>, 'know'>

const selectById = 'SELECT * FROM clients WHERE client_id = ?'

export const createFindClient = (db: Database.Database, readRow: ReadRow): FindClient => {
  const byId = db.prepare(selectById)
  const { rowOf, isToken } = createTokenIndex(db)
  const remembered = rememberingRows('client_id', readRow)
  const revision = createRevision(db)

  const find = (id: ClientId): ReturnType<ReadRow> | undefined => {
    // Asked before the row is selected, so that the row is not older.
    const at = revision()
    const known = at === undefined ? undefined : remembered.readAt(id, at)
    if (known !== undefined) return known
    const row = byId.get(id)
    return row === undefined ? undefined : remembered.read(row, at)
  }
  const findByToken = (id: ClientId, token: TokenHash): ReturnType<ReadRow> | undefined => {
    const at = revision()
    const known = at === undefined ? undefined : remembered.readAt(id, at)
    if (known !== undefined && E.isRight(known) && known.right.registration_access_token.hash === token) return known
    const row = rowOf(id, token)
    return row === undefined ? undefined : remembered.read(row, at)
  }

  return {
    findClient: (id) =>
      attemptRow(
        () => find(id),
        E.mapLeft((detail) => unreadableClient(id, detail)),
      ),
    findClientByToken: (id, token) =>
      attemptRow(
        () => findByToken(id, token),
        E.mapLeft((detail) => unreadableClient(id, detail)),
      ),
    isRegistrationAccessToken: (token) => attempt(() => isToken(token)),
    know: remembered.know,
  }
}
