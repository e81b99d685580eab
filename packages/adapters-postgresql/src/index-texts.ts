// The texts of clients for search, written after the registration. Of several instances, one at a time writes them:
// the lock of its transaction ends with it, and the others leave the clients to it.
import { type Unavailable, searchTexts } from '@clientele/domain'
import { fromListedRow, listedColumns } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Query, Write } from './database.js'
import { blockOf, blockSize, tokensOfBlock } from './search-tokens.js'

/** Blocks that one transaction writes: some tens of milliseconds. */
const blocksTogether = 16

const lock = { name: 'lock_index', text: 'SELECT pg_try_advisory_xact_lock(1131175272) AS is_locked' }
const selectDue = {
  name: 'select_clients_to_index',
  text: `
SELECT ${listedColumns}, version FROM clients WHERE indexed_version IS DISTINCT FROM version
ORDER BY ordinal + 0 LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}
const selectTexts = {
  name: 'select_texts_of_blocks',
  text: `
SELECT texts.ordinal, texts.search_text FROM unnest($1::bigint[]) AS given (block) CROSS JOIN LATERAL (
  SELECT ordinal, search_text FROM clients
  WHERE ordinal >= block * ${blockSize} AND ordinal < (block + 1) * ${blockSize} AND search_text IS NOT NULL LIMIT ${blockSize}
) AS texts`,
}
const upsertBlocks = {
  name: 'upsert_search_blocks',
  text: `
INSERT INTO search_blocks SELECT block, tokens::integer[] FROM unnest($1::bigint[], $2::text[]) AS given (block, tokens)
ON CONFLICT (block) DO UPDATE SET tokens = excluded.tokens`,
}
const updateTexts = {
  name: 'index_client_texts',
  text: `
UPDATE clients SET search_text = given.text, indexed_version = given.version
FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS given (ordinal, text, version)
WHERE clients.ordinal = given.ordinal`,
}
// A part of them, by chance, so that all are looked at in time.
const deleteEmpty = {
  name: 'delete_empty_search_blocks',
  text: `
DELETE FROM search_blocks WHERE block IN (
  SELECT block FROM search_blocks AS sampled TABLESAMPLE SYSTEM (5) WHERE NOT EXISTS (
    SELECT 1 FROM clients
    WHERE ordinal >= sampled.block * ${blockSize} AND ordinal < (sampled.block + 1) * ${blockSize} LIMIT 1))`,
}

const Locked = t.type({ is_locked: t.boolean })
const Due = t.type({ version: t.number })
const Texts = t.type({ ordinal: t.number, search_text: t.string })

type IndexedClient = { readonly ordinal: number; readonly version: number; readonly text: string }

/** PostgreSQL stores no U+0000; folded texts have no line feed. */
const separator = '\n'

const selectClients = async (query: Query, max: number): Promise<ReadonlyArray<IndexedClient>> => {
  const due = (await query(selectDue, [max])).flatMap((row) =>
    fromListedRow(row).map(({ position, client }) => ({
      ordinal: position,
      version: Due.is(row) ? row.version : 0,
      text: searchTexts(client).join(separator),
    })),
  )
  const blocks = new Set([...new Set(due.map(({ ordinal }) => blockOf(ordinal)))].slice(0, blocksTogether))
  return due.filter(({ ordinal }) => blocks.has(blockOf(ordinal)))
}

// Also of clients whose texts are of another version by now: until those are indexed, the earlier ones find them.
const writeBlocks = async (query: Query, clients: ReadonlyArray<IndexedClient>): Promise<void> => {
  const blocks = [...new Set(clients.map(({ ordinal }) => blockOf(ordinal)))]
  const texts = new Map(
    (await query(selectTexts, [blocks])).filter(Texts.is).map((row) => [row.ordinal, row.search_text]),
  )
  clients.forEach(({ ordinal, text }) => texts.set(ordinal, text))
  const tokens = blocks.map((block) =>
    tokensOfBlock([...texts].flatMap(([ordinal, text]) => (blockOf(ordinal) === block ? text.split(separator) : []))),
  )
  await query(upsertBlocks, [blocks, tokens.map((each) => `{${each.join(',')}}`)])
}

/** Running it again has the same result. */
const indexing = (max: number): Write<never, number> => ({
  run: async (query) => {
    const [locked] = await query(lock)
    if (!Locked.is(locked) || !locked.is_locked) return E.right(0)
    const clients = await selectClients(query, max)
    if (clients.length === 0) {
      await query(deleteEmpty)
      return E.right(0)
    }
    await writeBlocks(query, clients)
    await query(updateTexts, [
      clients.map(({ ordinal }) => ordinal),
      clients.map(({ text }) => text),
      clients.map(({ version }) => version),
    ])
    return E.right(clients.length)
  },
})

export const createIndexTexts = (db: Database): ((max: number) => TE.TaskEither<Unavailable, number>) => {
  const index = (max: number): TE.TaskEither<Unavailable, number> =>
    pipe(
      db.transaction(indexing(max)),
      TE.flatMap((indexed) =>
        indexed === 0 || indexed === max
          ? TE.right(indexed)
          : pipe(
              index(max - indexed),
              TE.map((more) => indexed + more),
            ),
      ),
    )
  return index
}
