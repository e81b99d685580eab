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

/** The blocks of one step are read in parts of these sizes: of a text that most clients have, the first alone. */
const parts = [8, 32, 216]
const maxBlocks = 256

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
// The OFFSET keeps the inner look-up: by the primary key, for each block.
const selectInBlocks = (conditions: string): string => `
SELECT found.* FROM unnest($1::bigint[]) AS given (block) CROSS JOIN LATERAL (
  SELECT ${listedColumns} FROM clients
  WHERE ordinal >= block * ${blockSize} AND ordinal < (block + 1) * ${blockSize} AND ordinal > $2 AND ordinal <= $3
    ${conditions} OFFSET 0
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
  return (blocks: ReadonlyArray<number>) => read(blocks, parts, [])
}

const Block = t.type({ block: t.number })

/** The clients whose texts are in the index. */
const findIndexed = (
  db: Database,
  trigrams: ReadonlyArray<string>,
  conditions: ReadonlyArray<Condition>,
  range: Range,
): TE.TaskEither<Unavailable, Found> =>
  pipe(
    db.run(selectBlocks, [tokensOf(trigrams), blockOf(range.after + 1), blockOf(range.last), maxBlocks]),
    TE.map((rows) => rows.filter(Block.is).map(({ block }) => block)),
    TE.flatMap((blocks) =>
      pipe(
        readBlocks(db, conditions, range)(blocks),
        TE.map((rows) => {
          const lastBlock = blocks.length === maxBlocks ? blocks.at(-1) : undefined
          const end = lastBlock === undefined ? range.last : Math.min(range.last, endOfBlock(lastBlock))
          return { rows, end: endOf(rows, range.most, end) }
        }),
      ),
    ),
  )

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
