import { type RegisteredClient, type Unavailable, type UnreadableClient, unavailable } from '@clientele/domain'
import { type ReadRow, readableClient } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

// Other operations wait for one page at most: some milliseconds.
const pageSize = 20
const selectPage = `SELECT * FROM clients WHERE ordinal > ? ORDER BY ordinal LIMIT ${pageSize}`

const ordinalOf = (row: unknown): number =>
  typeof row === 'object' && row !== null && 'ordinal' in row ? Number(row.ordinal) : Number.MAX_SAFE_INTEGER

/**
 * Reads page by page, so that a slow reader keeps no read transaction open and the log can be checkpointed. A page is
 * read when the previous one is consumed.
 */
export async function* streamRows(
  db: Database.Database,
  read: ReadRow<RegisteredClient>,
): AsyncGenerator<E.Either<UnreadableClient | Unavailable, RegisteredClient>> {
  const select = E.tryCatch(() => db.prepare<[number]>(selectPage), unavailable)
  let after = 0
  for (;;) {
    const page = pipe(
      select,
      E.flatMap((statement) => E.tryCatch(() => statement.all(after), unavailable)),
    )
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
    if (page.right.length < pageSize) return
    after = ordinalOf(page.right.at(-1))
    // Each page waits for the next turn of the event loop, so that a long list does not block other operations.
    await new Promise(setImmediate)
  }
}
