import type { StreamedClient, Unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readableClient } from './readable-client.js'
import type { ReadRow } from './read-row.js'

/** The clients that were registered after the one of an ordinal, in this order. */
export type SelectPage = {
  readonly size: number
  readonly after: (ordinal: number) => TE.TaskEither<Unavailable, ReadonlyArray<unknown>>
}

const ordinalOf = (row: unknown): number =>
  typeof row === 'object' && row !== null && 'ordinal' in row ? Number(row.ordinal) : Number.MAX_SAFE_INTEGER

/** Reads page by page, so that a slow reader keeps nothing open. A page is read when the previous one is consumed. */
export async function* streamClients<Client>(
  select: SelectPage,
  read: ReadRow<Client>,
): AsyncGenerator<StreamedClient<Client>> {
  let after = 0
  for (;;) {
    const page = await select.after(after)()
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
    if (page.right.length < select.size) return
    after = ordinalOf(page.right.at(-1))
  }
}
