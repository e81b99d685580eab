import type { ClientId, ClientRegistry, RegisteredClient, UnreadableClient } from '@clientele/domain'
import { unreadableClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { attempt, attemptRow } from './attempt.js'
import { createFindRow } from './find-row.js'
import type { RememberedRows } from './remembered-rows.js'
import { rememberingRows } from './remembered-rows.js'
import { createTokenIndex } from './token-index.js'

type ReadRow = (row: unknown) => E.Either<string, RegisteredClient>

export type FindClient = Pick<ClientRegistry, 'findClient' | 'findClientByToken' | 'isRegistrationAccessToken'> &
  Pick<RememberedRows<RegisteredClient>, 'know'>

const selectById = 'SELECT * FROM clients WHERE client_id = ?'

/** Characters of rows: some eighteen thousand clients. */
const mostCharacters = 16_777_216

const toldOf = (id: ClientId, found: ReturnType<ReadRow>): E.Either<UnreadableClient, RegisteredClient> =>
  E.isLeft(found) ? E.left(unreadableClient(id, found.left)) : found

export const createFindClient = (db: Database.Database, readRow: ReadRow): FindClient => {
  const byId = db.prepare(selectById)
  const { rowOf, isToken } = createTokenIndex(db)
  const remembered = rememberingRows('client_id', readRow, mostCharacters)
  const find = createFindRow(db, remembered)

  return {
    findClient: (id) =>
      attemptRow(
        () => find(id, () => byId.get(id)),
        (found) => toldOf(id, found),
      ),
    findClientByToken: (id, token) =>
      attemptRow(
        () =>
          find(
            id,
            () => rowOf(id, token),
            ({ registration_access_token: { hash } }) => hash === token,
          ),
        (found) => toldOf(id, found),
      ),
    isRegistrationAccessToken: (token) => attempt(() => isToken(token)),
    know: remembered.know,
  }
}
