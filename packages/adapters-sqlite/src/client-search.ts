// Finding clients: by the trigrams of their texts, or by an index of the columns of the filters, a limited part at a time.
import type { ClientFilter, ClientRange, ClientSearch, FilterFacts } from '@clientele/domain'
import {
  type LookedAt,
  asksForTexts,
  filterConditions,
  foundPage,
  fromListedRow,
  listedColumns,
} from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Connection } from './connection.js'
import { type Candidates, createFindByText } from './find-by-text.js'
import { createIndexTexts } from './index-texts.js'
import { selectRows } from './select-rows.js'

/** The number of ordinals of which the index of the filters is read in one step: some milliseconds. */
const filteredTogether = 100_000

const selectLast = 'SELECT coalesce(max(ordinal), 0) FROM clients'
const selectListed = `
SELECT ${listedColumns} FROM clients WHERE ordinal IN (SELECT value FROM json_each(?)) ORDER BY ordinal`
const selectOne = `SELECT ${listedColumns} FROM clients WHERE client_id = ?`

/** The narrowest index that has the columns of the filter, and whether it has few clients. */
const indexFor = ({
  token,
  statement_issuer,
  state,
}: ClientFilter): { readonly name: string; readonly isSmall: boolean } => {
  if (token !== undefined) return { name: 'clients_by_token_fingerprint', isSmall: true }
  if (state === 'suspended') return { name: 'clients_suspended', isSmall: true }
  if (statement_issuer !== undefined) return { name: 'clients_by_statement_issuer', isSmall: true }
  return { name: 'clients_filtered', isSmall: false }
}

const createFindByColumns = (db: Database.Database) => {
  const find = (filter: ClientFilter, facts: FilterFacts, after: number, last: number, limit: number): Candidates => {
    const { name, isSmall } = indexFor(filter)
    const conditions = filterConditions(filter, facts)
    const end = isSmall ? last : Math.min(last, after + filteredTogether)
    const ordinals = db
      .prepare(
        `SELECT ordinal FROM clients INDEXED BY ${name} WHERE ordinal > ? AND ordinal <= ?
         ${conditions.map(({ sql }) => `AND ${sql}`).join(' ')} ORDER BY ordinal LIMIT ?`,
      )
      .pluck()
      .all(after, end, ...conditions.flatMap(({ values }) => values), limit)
    return { ordinals, end: ordinals.length === limit ? Number(ordinals.at(-1)) : end }
  }
  return find
}

export const createClientSearch = ({ db, read, queue }: Connection): ClientSearch => {
  const byColumns = createFindByColumns(db)
  const byText = createFindByText(db)
  const lastOrdinal = db.prepare(selectLast).pluck()
  const rows = selectRows(db, selectListed)
  const one = selectRows(db, selectOne)
  const look = (filter: ClientFilter, facts: FilterFacts, { after, until, limit }: ClientRange): LookedAt => {
    const last = Math.min(until ?? Infinity, Number(lastOrdinal.get()))
    if (after >= last) return { rows: [] }
    const { ordinals, end } = asksForTexts(filter)
      ? byText(filter, after, last, limit)
      : byColumns(filter, facts, after, last, limit)
    const found = rows.all(JSON.stringify(ordinals))
    return end < last ? { rows: found, end } : { rows: found }
  }
  return {
    searchClients: (filter, facts, range) =>
      pipe(
        read(() => look(filter, facts, range)),
        TE.map(foundPage(filter, facts, range.limit)),
      ),
    findListedClient: (id) =>
      pipe(
        read(() => one.get(id)),
        TE.map((row) => O.fromNullable(fromListedRow(row)[0]?.client)),
      ),
    lastPosition: read(() => Number(lastOrdinal.get())),
    indexTexts: createIndexTexts(db, queue),
  }
}
