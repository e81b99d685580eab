// The index of texts: clients are found by a part of a text through blocks of them. Each block has the tokens of the
// trigrams of its clients, and a search reads the texts of the blocks that have all tokens of what it looks for.
// It is written after the registration, so that no registration waits for it: a search reads the clients that wait for it as well.
import type { Unavailable } from '@clientele/domain/kernel'
import { searchTexts, trigramsOf } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { fromListedRow, listedColumns } from './client-row.js'
import { anyRow, change, replacement, statement, together } from './statement.js'
import { orNull } from './table.js'
import { type Engine, type Tx, verb, verbOf } from './verb.js'

/** Ordinals of one block. The index is smaller with larger blocks, and a search reads more texts in vain. */
export const blockSize = 32

export const blockOf = (ordinal: number): number => Math.floor(ordinal / blockSize)

/** The last ordinal of a block. */
export const endOfBlock = (block: number): number => (block + 1) * blockSize - 1

/** The token of a block with more than maxTokens: every search reads its texts. */
export const anyText = 0
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
const selectNew = statement(
  `SELECT ${listedColumns} FROM clients WHERE ordinal > :after AND ordinal <= :last ORDER BY ordinal LIMIT :max`,
  { after: 'number', last: 'number', max: 'number' },
  anyRow,
)
const selectChanged = statement(
  `SELECT ${listedColumns} FROM clients WHERE reindex = 1 ORDER BY ordinal LIMIT :max`,
  { max: 'number' },
  anyRow,
)
const storeTexts = replacement('client_texts', { ordinal: 'number', texts: 'text' } as const, ['ordinal'])
const selectTexts = statement(
  'SELECT texts FROM client_texts WHERE ordinal >= :lowest AND ordinal <= :highest',
  { lowest: 'number', highest: 'number' },
  t.type({ texts: t.string }),
)
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
const lastBlock = statement(
  {
    sqlite: 'SELECT max(rowid) AS block FROM search_blocks',
    postgresql: 'SELECT max(block) AS block FROM search_blocks',
  },
  {},
  t.type({ block: orNull(t.number) }),
)
const isWithoutClients = (block: string): string => `
${block} >= :lowest AND ${block} <= :highest AND NOT EXISTS (
  SELECT 1 FROM client_texts
  WHERE ordinal >= ${block} * ${blockSize} AND ordinal < (${block} + 1) * ${blockSize})`
const range = { lowest: 'number', highest: 'number' } as const
const deleteEmpty = change(
  {
    sqlite: `DELETE FROM search_blocks WHERE ${isWithoutClients('search_blocks.rowid')}`,
    postgresql: `DELETE FROM search_blocks WHERE ${isWithoutClients('search_blocks.block')}`,
  },
  range,
)
const selectEmpty = statement(
  {
    sqlite: `SELECT rowid AS block FROM search_blocks WHERE ${isWithoutClients('search_blocks.rowid')} LIMIT 1`,
    postgresql: `SELECT block FROM search_blocks WHERE ${isWithoutClients('search_blocks.block')} LIMIT 1`,
  },
  range,
  t.type({ block: t.number }),
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
    const due = [...changed, ...added].flatMap(fromListedRow)
    await Promise.all(
      due.map(async ({ position, client }) =>
        tx.run(storeTexts, { ordinal: position, texts: searchTexts(client).join(separator) }),
      ),
    )
    for (const block of new Set(due.map(({ position }) => blockOf(position)))) await writeBlock(tx, block)
    await Promise.all(
      changed
        .flatMap(fromListedRow)
        .map(async ({ position, client: { version } }) => tx.run(forgetChange, { ordinal: position, version })),
    )
    const reached = added.flatMap(fromListedRow).at(-1)?.position
    if (reached !== undefined) await tx.run(storeProgress, { last: reached })
    return E.right(due.length)
  })

/** So many blocks are looked at when nothing is due. */
const blocksTogether = 1_000

/** Indexes up to so many clients, and returns their number; where none is due, cleans a part of the index. */
export const createIndexTexts = (engine: Engine): ((max: number) => TE.TaskEither<Unavailable, number>) => {
  const cleaning = { from: 0 }
  /** Removes blocks of which all clients are removed, a part of the index at a time; it writes only where there is one. */
  const clean = async (): Promise<E.Either<Unavailable, unknown>> => {
    const range = { lowest: cleaning.from, highest: cleaning.from + blocksTogether - 1 }
    const last = await engine.get(lastBlock, {})()
    if (E.isLeft(last)) return last
    const empty = await engine.get(selectEmpty, range)()
    if (E.isLeft(empty)) return empty
    cleaning.from = range.highest >= (last.right?.block ?? -1) ? 0 : range.highest + 1
    return empty.right === undefined ? empty : engine.write(verbOf(theIndex, deleteEmpty, range))()
  }
  return (max) => async () => {
    const progress = await engine.get(selectProgress, {})()
    if (E.isLeft(progress)) return progress
    const { last = 0, indexed_to = 0, changed = 0 } = progress.right ?? {}
    if (last <= indexed_to && changed === 0) return E.map(() => 0)(await clean())
    // A registration that began before has its ordinal, and may be committed after a later one.
    const settled = await engine.settle()
    if (E.isLeft(settled)) return settled
    return engine.write(indexClients(last, max))()
  }
}
