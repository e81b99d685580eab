// Finding clients: by an index of the columns of the filters, or by the index of texts; a limited part at a time.
import {
  type ClientFilter,
  type FilterFacts,
  foldedText,
  matches,
  searchTexts,
  trigramsOf,
} from '@clientele/domain/managing'
import type { ClientSearch } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { isWanted, wantedBy, wantedTypes } from './client-filter.js'
import { fromListedRow, listedColumns, metadataIn, ordinalOf } from './client-row.js'
import { anyRow, change, replacement, select, statement, together } from './statement.js'
import { orNull } from './table.js'
import { type Engine, type Reads, type Tx, readOn, verb, verbOf } from './verb.js'

// The index of texts: clients are found by a part of a text through blocks of them. Each block has the tokens of the
// trigrams of its clients, and a search reads the texts of the blocks that have all tokens of what it looks for.
// It is written after the registration, so that no registration waits for it: a search reads the clients that wait for it as well.

/** Ordinals of one block. The index is smaller with larger blocks, and a search reads more texts in vain. */
export const blockSize = 32

export const blockOf = (ordinal: number): number => Math.floor(ordinal / blockSize)

/** The last ordinal of a block. */
export const endOfBlock = (block: number): number => (block + 1) * blockSize - 1

/** The token of a block with more than maxTokens: every search reads its texts. */
const anyText = 0
/** So many are written within some tens of milliseconds; a block of common clients has 1,500. */
const maxTokens = 10_000

// FNV-1a of the characters, as a positive integer of PostgreSQL. Trigrams may have one token: what it finds is judged by the
// texts.
const tokenOf = (trigram: string): number => {
  let hash: number = 0x81_1c_9d_c5 | 0
  for (const character of trigram) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return hash >>> 1
}

export const tokensOf = (trigrams: ReadonlyArray<string>): ReadonlyArray<number> => [...new Set(trigrams.map(tokenOf))]

/** The tokens of a block, of the folded texts of its clients, which are often the same. */
export const tokensOfBlock = (texts: ReadonlyArray<string>): ReadonlyArray<number> => {
  const tokens = tokensOf([...new Set([...new Set(texts)].flatMap(trigramsOf))])
  return tokens.length <= maxTokens ? tokens : [anyText]
}

/** Folded texts have no control character. */
const separator = '\n'

const selectProgress = statement(
  `
SELECT (SELECT coalesce(max(ordinal), 0) FROM clients) AS last, indexed_to,
  (SELECT count(*) FROM (SELECT 1 FROM clients WHERE reindex = 1 LIMIT 1) AS any_changed) AS changed
FROM search_progress`,
  {},
  t.type({ last: t.number, indexed_to: t.number, changed: t.number }),
)
/** What has the texts of a client, and is read of every row: also of one that cannot be listed. */
const indexedColumns = { ordinal: t.number, version: t.number, client_id: t.string, metadata: t.string }
const selectNew = select(
  indexedColumns,
  'clients WHERE ordinal > :after AND ordinal <= :last ORDER BY ordinal LIMIT :max',
  { after: 'number', last: 'number', max: 'number' },
)
const selectChanged = select(indexedColumns, 'clients WHERE reindex = 1 ORDER BY ordinal LIMIT :max', { max: 'number' })
const storeTexts = replacement('client_texts', { ordinal: 'number', texts: 'text' } as const, ['ordinal'])
const range = { lowest: 'number', highest: 'number' } as const
const selectTexts = select({ texts: t.string }, 'client_texts WHERE ordinal >= :lowest AND ordinal <= :highest', range)
// The tokens are a text with spaces: SQLite splits it, as it splits what it looks for.
const storeBlock = change(
  {
    sqlite: 'INSERT OR REPLACE INTO search_blocks (rowid, tokens) VALUES (:block, :tokens)',
    postgresql: `
INSERT INTO search_blocks VALUES (:block, CAST(string_to_array(:tokens, ' ') AS integer[]))
ON CONFLICT (block) DO UPDATE SET tokens = excluded.tokens`,
  },
  { block: 'number', tokens: 'text' },
)
const storeProgress = change('UPDATE search_progress SET indexed_to = :last', { last: 'number' })
// Another change of the client may be there by now, which is indexed next.
const forgetChange = together(
  change('UPDATE clients SET reindex = 0 WHERE ordinal = :ordinal AND version = :version', {
    ordinal: 'number',
    version: 'number',
  }),
)
const ofBlock = (block: string): string =>
  `client_texts.ordinal >= ${block} * ${blockSize} AND client_texts.ordinal < (${block} + 1) * ${blockSize}`
/** The text for both databases: SQLite has the number of a block as the row's. */
const inBoth = (text: (block: string) => string) => ({
  sqlite: text('search_blocks.rowid'),
  postgresql: text('search_blocks.block'),
})
const lastBlock = statement(
  inBoth((block) => `SELECT max(${block}) AS block FROM search_blocks`),
  {},
  t.type({ block: orNull(t.number) }),
)
const isWithoutClients = (block: string): string => `
${block} >= :lowest AND ${block} <= :highest AND NOT EXISTS (SELECT 1 FROM client_texts WHERE ${ofBlock(block)})`
const deleteEmpty = change(
  inBoth((block) => `DELETE FROM search_blocks WHERE ${isWithoutClients(block)}`),
  range,
)
const selectEmpty = statement(
  inBoth((block) => `SELECT ${block} AS block FROM search_blocks WHERE ${isWithoutClients(block)} LIMIT 1`),
  range,
  anyRow,
)

// Also of clients whose texts are of another version by now: until those are indexed, the earlier ones find them.
const writeBlock = async (tx: Tx, block: number): Promise<void> => {
  const texts = await tx.all(selectTexts, { lowest: block * blockSize, highest: endOfBlock(block) })
  const tokens = tokensOfBlock(texts.flatMap((row) => row.texts.split(separator)))
  await tx.run(storeBlock, { block, tokens: tokens.join(' ') })
}

/** Instances take turns. */
const theIndex = { changes: ['index of texts'] }

/** `last` is the highest ordinal below which no client comes later. */
const indexClients = (last: number, max: number) =>
  verb(theIndex, async (tx) => {
    const after = (await tx.get(selectProgress, {}))?.indexed_to ?? 0
    const changed = await tx.all(selectChanged, { max })
    const added = await tx.all(selectNew, { after, last, max: max - changed.length })
    const due = [...changed, ...added]
    const texts = due.map(({ ordinal, client_id, metadata }) => ({
      ordinal,
      texts: searchTexts({ client_id, metadata: metadataIn(metadata) }).join(separator),
    }))
    await Promise.all(texts.map(async (each) => tx.run(storeTexts, each)))
    for (const block of new Set(due.map(({ ordinal }) => blockOf(ordinal)))) await writeBlock(tx, block)
    await Promise.all(changed.map(async (each) => tx.run(forgetChange, each)))
    const reached = added.at(-1)?.ordinal
    if (reached !== undefined) await tx.run(storeProgress, { last: reached })
    return E.right(due.length)
  })

/** So many blocks are looked at when nothing is due. */
const blocksTogether = 1_000

/** Indexes up to so many clients, and returns their number; where none is due, cleans a part of the index. */
const createIndexTexts = (engine: Engine): ClientSearch['indexTexts'] => {
  const cleaning = { from: 0 }
  return (max) =>
    readOn(engine, async ({ get, done }) => {
      const { last = 0, indexed_to = 0, changed = 0 } = (await get(selectProgress, {})) ?? {}
      if (last > indexed_to || changed > 0) {
        // A registration that began before has its ordinal, and may be committed after a later one.
        await done(engine.settle)
        return done(engine.write(indexClients(last, max)))
      }
      // Removes blocks of which all clients are removed, a part of the index at a time; it writes only where there is one.
      const range = { lowest: cleaning.from, highest: cleaning.from + blocksTogether - 1 }
      const highest = (await get(lastBlock, {}))?.block ?? -1
      const empty = await get(selectEmpty, range)
      cleaning.from = range.highest >= highest ? 0 : range.highest + 1
      if (empty !== undefined) await done(engine.write(verbOf(theIndex, deleteEmpty, range)))
      return 0
    })
}

/** The number of ordinals of which the index of the filters is read in one step: some milliseconds. */
const filteredTogether = 50_000
/** At least so many clients of one step that may have a text: their metadata are judged here. */
const minCandidates = 100
/** Blocks whose texts are read in one step. */
const maxBlocks = 128
/** The next blocks are read without the index: they suffice for a text that a quarter of the clients has. */
const blocksNear = 16
/** Each further trigram of a text makes a search more exact by little. */
const maxTrigrams = 16

const rangeTypes = { after: 'number', last: 'number', max: 'number' } as const
const isInRange = 'clients.ordinal > :after AND clients.ordinal <= :last'

/** Only the rows of the page are read from the table: all else is in the index. */
const byIndex = (index: string, condition: string) => {
  const ordinals = (table: string): string => `
  SELECT ordinal FROM ${table} WHERE ${isInRange} AND ${condition} AND ${isWanted} ORDER BY ordinal LIMIT :max`
  const page = (choice: string): string =>
    `SELECT ${listedColumns} FROM clients WHERE ordinal ${choice} ORDER BY ordinal`
  return statement(
    {
      sqlite: page(`IN (${ordinals(`clients INDEXED BY ${index}`)})`),
      postgresql: page(`= ANY (ARRAY(${ordinals('clients')}))`),
    },
    { ...wantedTypes, ...rangeTypes },
    anyRow,
  )
}

const byToken = byIndex('clients_by_token_fingerprint', 'token_fingerprint = :token')
const byIssuer = byIndex('clients_by_statement_issuer', 'statement_issuer = :statement_issuer')
const bySet = byIndex('clients_by_declared_set', 'declared_in = :declared')
const suspended = byIndex('clients_suspended', 'suspended_at IS NOT NULL')
const unapproved = byIndex('clients_unapproved', 'approval IS NOT NULL')
const byFilter = byIndex('clients_filtered', 'TRUE')

/** The narrowest index that has the columns of the filter, and whether it has few clients. */
const indexFor = ({ token, statement_issuer, declared, state }: ClientFilter) => {
  if (token !== undefined) return { page: byToken, isSmall: true }
  if (statement_issuer !== undefined) return { page: byIssuer, isSmall: true }
  if (declared !== undefined) return { page: bySet, isSmall: true }
  if (state === 'pending' || state === 'refused') return { page: unapproved, isSmall: true }
  return state === 'suspended' ? { page: suspended, isSmall: true } : { page: byFilter, isSmall: false }
}

// Clients that wait for the index of texts. Those that were added are looked for from one place on: of two lower bounds, a
// database may take the lower one, and read all clients.
const waiting = statement(
  `
SELECT * FROM (
  SELECT ${listedColumns} FROM clients
  WHERE ordinal > (SELECT CASE WHEN indexed_to > :after THEN indexed_to ELSE :after END FROM search_progress)
    AND ordinal <= :last ORDER BY ordinal LIMIT :max) AS added
UNION ALL
SELECT * FROM (
  SELECT ${listedColumns} FROM clients WHERE ${isInRange} AND reindex = 1 ORDER BY ordinal LIMIT :max) AS changed`,
  rangeTypes,
  anyRow,
)
const blocksWith = statement(
  {
    sqlite: `
SELECT rowid AS block FROM search_blocks
WHERE search_blocks MATCH '(' || :tokens || ') OR ${anyText}' AND rowid >= :lowest AND rowid <= :highest
ORDER BY rowid LIMIT ${maxBlocks}`,
    // A function of the schema: PostgreSQL would read all blocks, because it does not know how few have the tokens.
    postgresql: `
SELECT block FROM blocks_with_tokens(CAST(string_to_array(:tokens, ' ') AS integer[]), :lowest, :highest, ${maxBlocks}) AS block
ORDER BY block`,
  },
  { tokens: 'text', lowest: 'number', highest: 'number' },
  t.type({ block: t.number }),
)
const columnsOfClients = listedColumns.replaceAll(/(\w+)/g, 'clients.$1')
const hasTexts = (position: 'instr' | 'strpos'): string =>
  `(:q IS NULL OR ${position}(texts, :q) > 0) AND (:software_id IS NULL OR ${position}(texts, :software_id) > 0)`
/** An expression, because databases would read all texts in the range in place of those of the blocks. */
const isNear = 'clients.ordinal + 0 > :after AND clients.ordinal + 0 <= :last'
// The blocks are an array of JSON. With the inner LIMIT, PostgreSQL knows how few rows a block has; by its own estimate, it would
// compile the statement first (jit), which takes longer than all else.
const inBlocks = statement(
  {
    sqlite: `
SELECT ${columnsOfClients} FROM json_each(:blocks) AS given CROSS JOIN client_texts CROSS JOIN clients
WHERE ${ofBlock('given.value')} AND clients.ordinal = client_texts.ordinal
  AND ${isNear} AND ${hasTexts('instr')} AND ${isWanted}
ORDER BY clients.ordinal LIMIT :max`,
    postgresql: `
SELECT found.* FROM unnest(CAST(translate(:blocks, '[]', '{}') AS bigint[])) AS given (block) CROSS JOIN LATERAL (
  SELECT ${columnsOfClients} FROM client_texts JOIN clients ON clients.ordinal = client_texts.ordinal
  WHERE ${ofBlock('block')} AND ${isNear} AND ${hasTexts('strpos')} AND ${isWanted} LIMIT ${blockSize}
) AS found ORDER BY ordinal LIMIT :max`,
  },
  { ...wantedTypes, ...rangeTypes, q: 'text', software_id: 'text', blocks: 'text' },
  anyRow,
)

type Rows = ReadonlyArray<unknown>

/** Rows that the filter may choose, in their order, and the ordinal at which the look ended. */
type Found = { readonly rows: Rows; readonly end: number }

/** The ordinals to look at, after one and up to another; and at most so many candidates. */
type Range = { readonly after: number; readonly last: number; readonly max: number }

type Find = (reads: Reads, filter: ClientFilter, facts: FilterFacts, range: Range) => Promise<Found>

/** Where a look ended: before the end if it found as many as it may. */
const endOf = (rows: Rows, max: number, end: number): number => (rows.length < max ? end : ordinalOf(rows[max - 1]))

/** Rows of several looks, each row once. */
const inOrder = (rows: Rows): Rows => {
  const byOrdinal = new Map(rows.map((row) => [ordinalOf(row), row]))
  return [...byOrdinal.keys()].sort((one, other) => one - other).map((ordinal) => byOrdinal.get(ordinal))
}

const findByColumns: Find = async ({ all }, filter, facts, { after, last, max }) => {
  const { page, isSmall } = indexFor(filter)
  const end = isSmall ? last : Math.min(last, after + filteredTogether)
  const rows = await all(page, { ...wantedBy(filter, facts), after, last: end, max })
  return { rows, end: endOf(rows, max, end) }
}

/** The indexed clients: those of the next blocks first, then those of the blocks that the index names. */
const findIndexed: Find = async ({ all }, filter, facts, { after, last, max }) => {
  const q = filter.q === undefined ? null : foldedText(filter.q)
  const software_id = filter.software_id === undefined ? null : foldedText(filter.software_id)
  const trigrams = [q, software_id].flatMap((text) => trigramsOf(text ?? '').slice(0, maxTrigrams))
  const rowsIn = (blocks: ReadonlyArray<number>, limit: number) => {
    const wanted = { ...wantedBy(filter, facts), q, software_id }
    return all(inBlocks, { ...wanted, after, last, max: limit, blocks: JSON.stringify(blocks) })
  }
  const lowest = blockOf(after + 1)
  const highest = blockOf(last)
  const length = Math.min(trigrams.length === 0 ? maxBlocks : blocksNear, highest - lowest + 1)
  const nearest = Array.from({ length }, (_, place) => lowest + place)
  const near = await rowsIn(nearest, max)
  const endOfNear = Math.min(last, endOfBlock(lowest + length - 1))
  if (near.length >= max || trigrams.length === 0 || endOfNear === last)
    return { rows: near, end: endOf(near, max, endOfNear) }
  // The blocks that have all trigrams of the texts, from the lowest on.
  const found = await all(blocksWith, { tokens: tokensOf(trigrams).join(' '), lowest: lowest + length, highest })
  const blocks = found.map(({ block }) => block)
  const rows = [...near, ...(await rowsIn(blocks, max - near.length))]
  const lastBlock = blocks.length === maxBlocks ? blocks.at(-1) : undefined
  const end = lastBlock === undefined ? last : Math.min(last, endOfBlock(lastBlock))
  return { rows, end: endOf(rows, max, end) }
}

/** The clients that wait for the index are read first: one that is indexed meanwhile is read twice. */
const findByText: Find = async (reads, filter, facts, { after, last, max }) => {
  const due = inOrder(await reads.all(waiting, { after, last, max })).slice(0, max)
  const { rows, end } = await findIndexed(reads, filter, facts, { after, last: endOf(due, max, last), max })
  return { rows: inOrder([...due, ...rows]).filter((row) => ordinalOf(row) <= end), end }
}

const selectLast = statement('SELECT coalesce(max(ordinal), 0) AS last FROM clients', {}, t.type({ last: t.number }))
const lastOf = async ({ get }: Reads): Promise<number> => (await get(selectLast, {}))?.last ?? 0
const byId = statement(
  `SELECT ${listedColumns} FROM clients WHERE client_id = :client_id`,
  { client_id: 'text' },
  anyRow,
)

export const createClientSearch = (engine: Engine): ClientSearch => ({
  searchClients: (filter, facts, { after, until = Infinity, limit }) =>
    readOn(engine, async (reads) => {
      const last = Math.min(until, await lastOf(reads))
      if (after >= last) return { clients: [] }
      const asksForTexts = filter.q !== undefined || filter.software_id !== undefined
      const find = asksForTexts ? findByText : findByColumns
      const max = asksForTexts ? Math.max(minCandidates, limit) : limit
      const { rows, end } = await find(reads, filter, facts, { after, last, max })
      const isMatch = matches(filter, facts)
      const found = rows.flatMap(fromListedRow).filter(({ client }) => isMatch(client))
      const page = found.slice(0, limit)
      const next = found.length > limit ? page.at(-1)?.position : end
      const clients = page.map(({ client }) => client)
      return next === undefined || next >= last ? { clients } : { clients, next }
    }),
  findListedClient: (client_id) =>
    readOn(engine, async ({ get }) => O.fromNullable(fromListedRow(await get(byId, { client_id }))[0]?.client)),
  lastPosition: readOn(engine, lastOf),
  indexTexts: createIndexTexts(engine),
})
