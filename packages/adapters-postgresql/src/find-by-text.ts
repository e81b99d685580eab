// Clients by the tokens of a text: the blocks that have them all, then the clients of these blocks that have the text.
// Those that are not indexed yet are candidates as well, and are read first: one that is indexed meanwhile is read twice.
import type { ClientFilter, FilterFacts, Unavailable } from '@clientele/domain'
import { type Condition, listedColumns, requiredTrigrams } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { clientConditions, withConditions } from './client-conditions.js'
import type { Database, Rows } from './database.js'
import { blockOf, blockSize, endOfBlock, tokensOf } from './search-tokens.js'

/** Rows that the filter may choose, in their order, and the ordinal at which the look ended. */
export type Found = { readonly rows: Rows; readonly end: number }

/** The ordinals to look at, after one and up to another; and at most so many candidates. */
export type Range = { readonly after: number; readonly last: number; readonly most: number }

/** Blocks that are read without the index: they suffice for a text that a quarter of the clients has. */
const blocksNear = 16
/** The blocks that the index names are read in parts of these sizes. */
const parts = [32, 96]
const maxBlocks = 128

const selectUnindexed = {
  name: 'search_unindexed_clients',
  text: `
SELECT ${listedColumns} FROM clients
WHERE indexed_version IS DISTINCT FROM version AND ordinal + 0 > $1 AND ordinal + 0 <= $2 ORDER BY ordinal + 0 LIMIT $3`,
}
const selectBlocks = {
  name: 'search_blocks',
  text: 'SELECT block FROM blocks_with_tokens($1::integer[], $2, $3, $4) AS block ORDER BY block',
}
// The inner LIMIT keeps the look-up by the primary key, for each block, and says to the planner how many rows it has: by
// its own estimate, PostgreSQL would compile the statement first (jit), which takes longer than all else.
const selectInBlocks = (conditions: string): string => `
SELECT found.* FROM unnest($1::bigint[]) AS given (block) CROSS JOIN LATERAL (
  SELECT ${listedColumns} FROM clients
  WHERE ordinal >= block * ${blockSize} AND ordinal < (block + 1) * ${blockSize} AND ordinal > $2 AND ordinal <= $3
    ${conditions} LIMIT ${blockSize}
) AS found ORDER BY ordinal LIMIT $4`

const Placed = t.type({ ordinal: t.number })
const ordinalOf = (row: unknown): number => (Placed.is(row) ? row.ordinal : 0)

/** Where a look ended: before the end if it found as many as it may. */
export const endOf = (rows: Rows, most: number, end: number): number =>
  rows.length === most ? ordinalOf(rows.at(-1)) : end

const together = (one: Found, other: Found): Found => {
  const end = Math.min(one.end, other.end)
  const byOrdinal = new Map([...one.rows, ...other.rows].map((row) => [ordinalOf(row), row]))
  const ordinals = [...byOrdinal.keys()].filter((ordinal) => ordinal <= end).sort((a, b) => a - b)
  return { rows: ordinals.map((ordinal) => byOrdinal.get(ordinal)), end }
}

const readBlocks = (db: Database, conditions: ReadonlyArray<Condition>, { after, last, most }: Range) => {
  const read = (
    blocks: ReadonlyArray<number>,
    [size = maxBlocks, ...sizes]: ReadonlyArray<number>,
    found: Rows,
  ): TE.TaskEither<Unavailable, Rows> => {
    const wanted = most - found.length
    if (blocks.length === 0 || wanted === 0) return TE.right(found)
    const { statement, values } = withConditions(
      [blocks.slice(0, size), after, last, wanted],
      conditions,
      selectInBlocks,
    )
    return pipe(
      db.run(statement, values),
      TE.flatMap((rows) => read(blocks.slice(size), sizes, [...found, ...rows])),
    )
  }
  return read
}

const Block = t.type({ block: t.number })

/** The clients whose texts are in the index. Its lists are long for a text that many have: the nearest are read first. */
const findIndexed = (
  db: Database,
  trigrams: ReadonlyArray<string>,
  conditions: ReadonlyArray<Condition>,
  range: Range,
): TE.TaskEither<Unavailable, Found> => {
  const { after, last, most } = range
  const read = readBlocks(db, conditions, range)
  const first = blockOf(after + 1)
  const highest = blockOf(last)
  const near = Array.from({ length: Math.min(blocksNear, highest - first + 1) }, (_, place) => first + place)
  const readOthers = (found: Rows): TE.TaskEither<Unavailable, Found> =>
    pipe(
      db.run(selectBlocks, [tokensOf(trigrams), first + near.length, highest, maxBlocks]),
      TE.map((rows) => rows.filter(Block.is).map(({ block }) => block)),
      TE.bindTo('blocks'),
      TE.bind('rows', ({ blocks }) => read(blocks, parts, found)),
      TE.map(({ blocks, rows }) => {
        const lastBlock = blocks.length === maxBlocks ? blocks.at(-1) : undefined
        return { rows, end: endOf(rows, most, lastBlock === undefined ? last : Math.min(last, endOfBlock(lastBlock))) }
      }),
    )
  return pipe(
    read(near, [], []),
    TE.flatMap((rows) =>
      rows.length === most || first + near.length > highest
        ? TE.right({ rows, end: endOf(rows, most, last) })
        : readOthers(rows),
    ),
  )
}

/** Undefined where the texts of the filter are too short for the index. */
export const findByText = (
  db: Database,
  filter: ClientFilter,
  facts: FilterFacts,
  range: Range,
): TE.TaskEither<Unavailable, Found> | undefined => {
  const trigrams = requiredTrigrams(filter)
  if (trigrams.length === 0) return undefined
  const { after, last, most } = range
  return pipe(
    db.run(selectUnindexed, [after, last, most]),
    TE.map((rows): Found => ({ rows, end: endOf(rows, most, last) })),
    TE.flatMap((unindexed) =>
      pipe(
        findIndexed(db, trigrams, clientConditions(filter, facts), { after, last: unindexed.end, most }),
        TE.map((indexed) => together(unindexed, indexed)),
      ),
    ),
  )
}
