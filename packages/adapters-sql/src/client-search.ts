// Finding clients: by an index of the columns of the filters, or by the index of texts; a limited part at a time.
import type { Unavailable } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { type ClientFilter, type FilterFacts, foldedText, matches, trigramsOf } from '@clientele/domain/managing'
import type { ClientRange, ClientSearch, FoundClients } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { fromListedRow, listedColumns } from './client-row.js'
import { anyText, blockOf, blockSize, createIndexTexts, endOfBlock, tokensOf } from './search-index.js'
import { anyRow, statement } from './statement.js'
import type { Engine } from './verb.js'
import { parkedMark } from './use-client.js'

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

// clientOriginOf and stateOf of the domain, of which `matches` judges again. The client_id of a registration has no colon
// (isRegisteredId).
const registered = `CASE WHEN imported = 1 THEN 'import' WHEN statement_issuer IS NOT NULL THEN 'statement'
  WHEN registered_by = 'token' THEN 'token' WHEN registered_by = 'nobody' THEN 'open' ELSE 'operator' END`
const origin = `CASE WHEN substr(client_id, 1, 6) = 'https:' THEN 'document' ELSE ${registered} END`
const state = `CASE WHEN suspended_at IS NOT NULL THEN 'suspended' WHEN used_at > :idle_from THEN 'active'
  WHEN used_at IS NOT NULL THEN 'idle' WHEN unused_open = ${parkedMark} THEN 'parked' ELSE 'unused' END`

// Of origins, first what the index of the filters has, so that no other row is read.
const isWanted = `(:token IS NULL OR token_fingerprint = :token)
  AND (:statement_issuer IS NULL OR statement_issuer = :statement_issuer)
  AND (:registered_by IS NULL OR registered_by = :registered_by)
  AND (:origin IS NULL OR :origin = 'document' OR ${registered} = :origin)
  AND (:origin IS NULL OR ${origin} = :origin)
  AND (:state IS NULL OR ${state} = :state)
  AND (:since IS NULL OR client_id_issued_at >= :since)
  AND (:never_used IS NULL OR CASE WHEN used_at IS NULL THEN 1 ELSE 0 END = :never_used)
  AND (:idle_since IS NULL OR client_id_issued_at < :idle_since AND (used_at IS NULL OR used_at < :idle_since_day))`

const wantedTypes = {
  token: 'text',
  statement_issuer: 'text',
  registered_by: 'text',
  origin: 'text',
  state: 'text',
  idle_from: 'number',
  since: 'number',
  never_used: 'number',
  idle_since: 'number',
  idle_since_day: 'number',
} as const

const wantedBy = (filter: ClientFilter, { now, lifeCycle }: FilterFacts) => {
  const { token = null, statement_issuer = null, registered_by = null, state = null, since = null } = filter
  const { origin = null, never_used, idle_since } = filter
  return {
    token,
    statement_issuer,
    registered_by,
    origin,
    state,
    idle_from: now - lifeCycle.idleAfter,
    since,
    never_used: never_used === undefined ? null : Number(never_used),
    idle_since: idle_since ?? null,
    idle_since_day: idle_since === undefined ? null : useTime(idle_since),
  }
}

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
const suspended = byIndex('clients_suspended', 'suspended_at IS NOT NULL')
const byFilter = byIndex('clients_filtered', 'TRUE')

/** The narrowest index that has the columns of the filter, and whether it has few clients. */
const indexFor = ({ token, statement_issuer, state }: ClientFilter) => {
  if (token !== undefined) return { page: byToken, isSmall: true }
  if (statement_issuer !== undefined) return { page: byIssuer, isSmall: true }
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
const ofBlock = (block: string): string =>
  `client_texts.ordinal >= ${block} * ${blockSize} AND client_texts.ordinal < (${block} + 1) * ${blockSize}`
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

const Placed = t.type({ ordinal: t.number })
const ordinalOf = (row: unknown): number => (Placed.is(row) ? row.ordinal : 0)

/** Where a look ended: before the end if it found as many as it may. */
const endOf = (rows: Rows, max: number, end: number): number => (rows.length < max ? end : ordinalOf(rows[max - 1]))

/** Rows of several looks, each row once. */
const inOrder = (rows: Rows): Rows => {
  const byOrdinal = new Map(rows.map((row) => [ordinalOf(row), row]))
  return [...byOrdinal.keys()].sort((one, other) => one - other).map((ordinal) => byOrdinal.get(ordinal))
}

const findByColumns = (
  { all }: Engine,
  filter: ClientFilter,
  facts: FilterFacts,
  { after, last, max }: Range,
): TE.TaskEither<Unavailable, Found> => {
  const { page, isSmall } = indexFor(filter)
  const end = isSmall ? last : Math.min(last, after + filteredTogether)
  return pipe(
    all(page, { ...wantedBy(filter, facts), after, last: end, max }),
    TE.map((rows) => ({ rows, end: endOf(rows, max, end) })),
  )
}

/** What is looked for in texts, folded. */
const textsOf = ({ q, software_id }: ClientFilter) => ({
  q: q === undefined ? null : foldedText(q),
  software_id: software_id === undefined ? null : foldedText(software_id),
})

/** The blocks that have all trigrams of the texts, from the lowest on. */
const blocksFor = (
  { all }: Engine,
  trigrams: ReadonlyArray<string>,
  lowest: number,
  highest: number,
): TE.TaskEither<Unavailable, ReadonlyArray<number>> =>
  pipe(
    all(blocksWith, { tokens: tokensOf(trigrams).join(' '), lowest, highest }),
    TE.map((rows) => rows.map(({ block }) => block)),
  )

const consecutive = (lowest: number, number: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(number, 0) }, (_, place) => lowest + place)

/** The indexed clients: those of the next blocks first, then those of the blocks that the index names. */
const findIndexed =
  (
    engine: Engine,
    filter: ClientFilter,
    facts: FilterFacts,
    { after, last, max }: Range,
  ): TE.TaskEither<Unavailable, Found> =>
  async () => {
    const texts = textsOf(filter)
    const trigrams = Object.values(texts).flatMap((text) => trigramsOf(text ?? '').slice(0, maxTrigrams))
    const rowsIn = (blocks: ReadonlyArray<number>, limit: number) =>
      engine.all(inBlocks, {
        ...wantedBy(filter, facts),
        ...texts,
        after,
        last,
        max: limit,
        blocks: JSON.stringify(blocks),
      })
    const lowest = blockOf(after + 1)
    const highest = blockOf(last)
    const next = consecutive(lowest, Math.min(trigrams.length === 0 ? maxBlocks : blocksNear, highest - lowest + 1))
    const near = await rowsIn(next, max)()
    if (E.isLeft(near)) return near
    const endOfNear = Math.min(last, endOfBlock(lowest + next.length - 1))
    if (near.right.length >= max || trigrams.length === 0 || endOfNear === last)
      return E.right({ rows: near.right, end: endOf(near.right, max, endOfNear) })
    const blocks = await blocksFor(engine, trigrams, lowest + next.length, highest)()
    if (E.isLeft(blocks)) return blocks
    const far = await rowsIn(blocks.right, max - near.right.length)()
    if (E.isLeft(far)) return far
    const lastBlock = blocks.right.length === maxBlocks ? blocks.right.at(-1) : undefined
    const rows = [...near.right, ...far.right]
    return E.right({
      rows,
      end: endOf(rows, max, lastBlock === undefined ? last : Math.min(last, endOfBlock(lastBlock))),
    })
  }

/** The clients that wait for the index are read first: one that is indexed meanwhile is read twice. */
const findByText = (
  engine: Engine,
  filter: ClientFilter,
  facts: FilterFacts,
  { after, last, max }: Range,
): TE.TaskEither<Unavailable, Found> =>
  pipe(
    engine.all(waiting, { after, last, max }),
    TE.map((rows) => inOrder(rows).slice(0, max)),
    TE.bindTo('waitingRows'),
    TE.bind('indexed', ({ waitingRows }) =>
      findIndexed(engine, filter, facts, { after, last: endOf(waitingRows, max, last), max }),
    ),
    TE.map(({ waitingRows, indexed: { rows, end } }) => ({
      rows: inOrder([...waitingRows, ...rows]).filter((row) => ordinalOf(row) <= end),
      end,
    })),
  )

const selectLast = statement('SELECT coalesce(max(ordinal), 0) AS last FROM clients', {}, t.type({ last: t.number }))
const selectOne = statement(
  `SELECT ${listedColumns} FROM clients WHERE client_id = :client_id`,
  { client_id: 'text' },
  anyRow,
)

export const createClientSearch = (engine: Engine): ClientSearch => {
  const lastPosition = pipe(
    engine.get(selectLast, {}),
    TE.map((row) => row?.last ?? 0),
  )
  const search = (
    filter: ClientFilter,
    facts: FilterFacts,
    { after, until = Infinity, limit }: ClientRange,
    stored: number,
  ): TE.TaskEither<Unavailable, FoundClients> => {
    const last = Math.min(until, stored)
    if (after >= last) return TE.right({ clients: [] })
    const asksForTexts = filter.q !== undefined || filter.software_id !== undefined
    const find = asksForTexts ? findByText : findByColumns
    const max = asksForTexts ? Math.max(minCandidates, limit) : limit
    return pipe(
      find(engine, filter, facts, { after, last, max }),
      TE.map(({ rows, end }) => {
        const isMatch = matches(filter, facts)
        const found = rows.flatMap(fromListedRow).filter(({ client }) => isMatch(client))
        const page = found.slice(0, limit)
        const next = found.length > limit ? page.at(-1)?.position : end
        const clients = page.map(({ client }) => client)
        return next === undefined || next >= last ? { clients } : { clients, next }
      }),
    )
  }
  return {
    searchClients: (filter, facts, range) =>
      pipe(
        lastPosition,
        TE.flatMap((stored) => search(filter, facts, range, stored)),
      ),
    findListedClient: (client_id) =>
      pipe(
        engine.get(selectOne, { client_id }),
        TE.map((row) => O.fromNullable(fromListedRow(row)[0]?.client)),
      ),
    lastPosition,
    indexTexts: createIndexTexts(engine),
  }
}
