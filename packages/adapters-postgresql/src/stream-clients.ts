import { type RegisteredClient, type Unavailable, type UnreadableClient } from '@clientele/domain'
import { type ReadRow, readableClient } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { clientColumns } from './client-columns.js'
import type { Database } from './database.js'

const pageSize = 100
const selectPage = {
  name: 'select_client_page',
  text: `SELECT ${clientColumns} FROM clients WHERE ordinal > $1 ORDER BY ordinal LIMIT ${pageSize}`,
}

const Ordinal = t.type({ ordinal: t.number })

/** Reads page by page, so that a slow reader keeps no connection. */
export async function* streamClients(
  db: Database,
  read: ReadRow<RegisteredClient>,
): AsyncGenerator<E.Either<UnreadableClient | Unavailable, RegisteredClient>> {
  let after = 0
  for (;;) {
    const page = await db.run(selectPage, [after])()
    if (E.isLeft(page)) {
      yield page
      return
    }
    const clients = await pipe(page.right, TE.traverseArray(readableClient(read)))()
    if (E.isLeft(clients)) {
      yield clients
      return
    }
    yield* clients.right
    const last = page.right.at(-1)
    if (page.right.length < pageSize || !Ordinal.is(last)) return
    after = last.ordinal
  }
}
