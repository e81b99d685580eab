// Clients by their identifiers or tokens: look-ups of one turn are one statement.
import type { ClientId, TokenHash, Unavailable } from '@clientele/domain'
import type { SelectClients, SelectPage } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { clientColumns } from './client-columns.js'
import type { Database, Rows } from './database.js'
import { createLane } from './lane.js'

const selectByIds = {
  name: 'select_clients',
  text: `SELECT ${clientColumns} FROM clients WHERE client_id = ANY ($1::text[])`,
}
// By the indexes of tokens: another token takes the same look-up whether the client exists or not.
const selectByTokens = {
  name: 'select_clients_by_token',
  text: `
SELECT ${clientColumns}, registration_access_token_hash AS token FROM clients
WHERE registration_access_token_hash = ANY ($1::text[])
UNION ALL
SELECT ${clientColumns}, preceding_token_hash FROM clients WHERE preceding_token_hash = ANY ($1::text[])`,
}

const selectToken = {
  name: 'select_registration_access_token',
  text: `
SELECT 1 FROM clients WHERE registration_access_token_hash = $1
UNION ALL
SELECT 1 FROM clients WHERE preceding_token_hash = $1 LIMIT 1`,
}
const pageSize = 100
const selectClientPage = {
  name: 'select_client_page',
  text: `SELECT ${clientColumns}, used_at, unused_open FROM clients WHERE ordinal > $1 ORDER BY ordinal LIMIT ${pageSize}`,
}

const Named = t.intersection([t.type({ client_id: t.string }), t.partial({ token: t.string })])

type Look<Item> = (item: Item) => TE.TaskEither<Unavailable, unknown>

/** The row of each item, or undefined. */
const createLook = <Item>(
  select: (items: ReadonlyArray<Item>) => TE.TaskEither<Unavailable, Rows>,
  keyOfItem: (item: Item) => string,
  keyOfRow: (row: t.TypeOf<typeof Named>) => string,
  maxTogether: number,
): Look<Item> =>
  createLane<Item, never, unknown>(
    async (items) => {
      const rows = await select(items)()
      if (E.isLeft(rows)) return items.map(() => rows)
      const found = new Map(rows.right.filter(Named.is).map((row): [string, unknown] => [keyOfRow(row), row]))
      return items.map((item) => E.right(found.get(keyOfItem(item))))
    },
    () => [],
    maxTogether,
  )

type OwnToken = { readonly id: ClientId; readonly token: TokenHash }

export const createSelectClients = (db: Database): SelectClients => {
  const byIds = (ids: ReadonlyArray<ClientId>): TE.TaskEither<Unavailable, Rows> =>
    db.run(selectByIds, [[...new Set(ids)]])
  const byToken = createLook<OwnToken>(
    (owned) => db.run(selectByTokens, [[...new Set(owned.map(({ token }) => token))]]),
    ({ id, token }) => `${id} ${token}`,
    ({ client_id, token }) => `${client_id} ${token}`,
    db.maxTogether,
  )
  return {
    byIds,
    byId: createLook<ClientId>(
      byIds,
      (id) => id,
      ({ client_id }) => client_id,
      db.maxTogether,
    ),
    byToken: (id, token) => byToken({ id, token }),
    isToken: (token) =>
      pipe(
        db.first(selectToken, [token]),
        TE.map((row) => row !== undefined),
      ),
  }
}

/** Pages, so that a slow reader keeps no connection. */
export const selectPage = (db: Database): SelectPage => ({
  size: pageSize,
  after: (ordinal) => db.run(selectClientPage, [ordinal]),
})
