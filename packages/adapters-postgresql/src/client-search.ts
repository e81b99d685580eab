// Finding clients: by the tokens of their texts, or by an index of the columns of the filters, a limited part at a time.
import type { ClientFilter, ClientRange, ClientSearch, FilterFacts, Unavailable } from '@clientele/domain'
import { type LookedAt, asksForTexts, foundPage, fromListedRow, listedColumns } from '@clientele/stored-rows'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { clientConditions, withConditions } from './client-conditions.js'
import type { Database } from './database.js'
import { type Found, type Range, endOf, findByText } from './find-by-text.js'
import { createIndexTexts } from './index-texts.js'

/** The number of ordinals of which the index of the filters is read in one step: some milliseconds. */
const filteredTogether = 100_000
/** The same where the rows are read, because the text is too short for an index. */
const readTogether = 5_000
/** At least so many clients of one step that may have a text: their metadata are judged here. */
const minCandidates = 100

const selectLast = { name: 'select_last_client', text: 'SELECT coalesce(max(ordinal), 0) AS last FROM clients' }
const selectListed = {
  name: 'select_listed_client',
  text: `SELECT ${listedColumns} FROM clients WHERE client_id = $1`,
}
// Only the rows of the page are read from the table.
const selectByColumns = (conditions: string): string => `
SELECT ${listedColumns} FROM clients WHERE ordinal = ANY (ARRAY(
  SELECT ordinal FROM clients WHERE ordinal > $1 AND ordinal <= $2 ${conditions} ORDER BY ordinal LIMIT $3
)) ORDER BY ordinal`

const Last = t.type({ last: t.number })

/** Whether the filter has a column of which few clients have a value: they have an index of their own. */
const isSmall = ({ token, statement_issuer, state }: ClientFilter): boolean =>
  token !== undefined || statement_issuer !== undefined || state === 'suspended'

const findByColumns = (
  db: Database,
  filter: ClientFilter,
  facts: FilterFacts,
  { after, last, most }: Range,
): TE.TaskEither<Unavailable, Found> => {
  const step = asksForTexts(filter) ? readTogether : filteredTogether
  const end = isSmall(filter) ? last : Math.min(last, after + step)
  const { statement, values } = withConditions([after, end, most], clientConditions(filter, facts), selectByColumns)
  return pipe(
    db.run(statement, values),
    TE.map((rows) => ({ rows, end: endOf(rows, most, end) })),
  )
}

export const createClientSearch = (db: Database): ClientSearch => {
  const lastPosition = pipe(
    db.first(selectLast, []),
    TE.map((row) => (Last.is(row) ? row.last : 0)),
  )
  const look = (
    filter: ClientFilter,
    facts: FilterFacts,
    { after, until, limit }: ClientRange,
  ): TE.TaskEither<Unavailable, LookedAt> =>
    pipe(
      lastPosition,
      TE.flatMap((stored) => {
        const last = Math.min(until ?? Infinity, stored)
        if (after >= last) return TE.right<never, LookedAt>({ rows: [] })
        const range = { after, last, most: asksForTexts(filter) ? Math.max(minCandidates, limit) : limit }
        return pipe(
          findByText(db, filter, facts, range) ?? findByColumns(db, filter, facts, range),
          TE.map(({ rows, end }): LookedAt => (end < last ? { rows, end } : { rows })),
        )
      }),
    )
  return {
    searchClients: (filter, facts, range) =>
      pipe(look(filter, facts, range), TE.map(foundPage(filter, facts, range.limit))),
    findListedClient: (id) =>
      pipe(
        db.first(selectListed, [id]),
        TE.map((row) => O.fromNullable(fromListedRow(row)[0]?.client)),
      ),
    lastPosition,
    indexTexts: createIndexTexts(db),
  }
}
