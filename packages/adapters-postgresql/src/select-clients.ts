// Clients by their identifiers or tokens: look-ups of one turn are one statement.
import type { ClientId, TokenHash, Unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { clientColumns } from './client-columns.js'
import type { Database, Rows } from './database.js'
import { createLane } from './lane.js'

const selectByIds = {
  name: 'select_clients',
  text: `SELECT ${clientColumns} FROM clients WHERE client_id = ANY ($1::text[])`,
}
// By the index of tokens: another token takes the same look-up whether the client exists or not.
const selectByTokens = {
  name: 'select_clients_by_token',
  text: `SELECT ${clientColumns} FROM clients WHERE registration_access_token_hash = ANY ($1::text[])`,
}

const Named = t.type({ client_id: t.string, registration_access_token_hash: t.string })

type Look<Item> = (item: Item) => TaskEither<Unavailable, unknown>

/** The row of each item, or undefined. */
const createLook = <Item>(
  select: (items: ReadonlyArray<Item>) => TaskEither<Unavailable, Rows>,
  keyOfItem: (item: Item) => string,
  keyOfRow: (row: t.TypeOf<typeof Named>) => string,
): Look<Item> =>
  createLane<Item, never, unknown>(
    async (items) => {
      const rows = await select(items)()
      if (E.isLeft(rows)) return items.map(() => rows)
      const found = new Map(rows.right.filter(Named.is).map((row): [string, unknown] => [keyOfRow(row), row]))
      return items.map((item) => E.right(found.get(keyOfItem(item))))
    },
    () => [],
  )

export type OwnToken = { readonly id: ClientId; readonly token: TokenHash }

export type SelectClients = {
  readonly byIds: (ids: ReadonlyArray<ClientId>) => TaskEither<Unavailable, Rows>
  readonly byId: Look<ClientId>
  /** The row of the client with this identifier and this token. */
  readonly byToken: Look<OwnToken>
}

export const createSelectClients = (db: Database): SelectClients => {
  const byIds = (ids: ReadonlyArray<ClientId>): TaskEither<Unavailable, Rows> =>
    db.run(selectByIds, [[...new Set(ids)]])
  return {
    byIds,
    byId: createLook<ClientId>(
      byIds,
      (id) => id,
      ({ client_id }) => client_id,
    ),
    byToken: createLook<OwnToken>(
      (owned) => db.run(selectByTokens, [[...new Set(owned.map(({ token }) => token))]]),
      ({ id, token }) => `${id} ${token}`,
      ({ client_id, registration_access_token_hash }) => `${client_id} ${registration_access_token_hash}`,
    ),
  }
}
