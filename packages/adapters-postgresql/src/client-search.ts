// Finding clients: a limited range of them at a time, by their columns and their texts.
import { type ClientFilter, type ClientRange, type ClientSearch, type FilterFacts, foldedText } from '@clientele/domain'
import {
  type LookedAt,
  asksForTexts,
  filterConditions,
  foundPage,
  fromListedRow,
  listedColumns,
} from '@clientele/stored-rows'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { createHash } from 'node:crypto'
import type { Database, Statement } from './database.js'
import { indexingOf } from './index-texts.js'

/** The number of ordinals of which the clients are looked at in one step. */
const filteredTogether = 100_000
/** At least so many clients of one step that may have a text: their metadata are judged here. */
const minCandidates = 100

const selectLast = { name: 'select_last_client', text: 'SELECT coalesce(max(ordinal), 0) AS last FROM clients' }
const selectListed = {
  name: 'select_listed_client',
  text: `SELECT ${listedColumns} FROM clients WHERE client_id = $1`,
}

const Last = t.type({ last: t.number })

// A client whose texts are not of its version is a candidate as well.
const textConditions = ({ q, software_id }: ClientFilter) =>
  [q, software_id].flatMap((text) =>
    text === undefined
      ? []
      : [
          {
            sql: '(search_version IS DISTINCT FROM version OR strpos(search_text, ?) > 0)',
            values: [foldedText(text)],
          },
        ],
  )

// PostgreSQL cuts longer names.
const nameOf = (text: string): string =>
  `search_clients_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

const select = (filter: ClientFilter, facts: FilterFacts, after: number, end: number, limit: number) => {
  const conditions = [...filterConditions(filter, facts), ...textConditions(filter)]
  const values = [after, end, limit, ...conditions.flatMap((each) => each.values)]
  let place: number = 3
  const where = conditions.map(({ sql }) => `AND ${sql.replaceAll('?', () => `$${(place += 1)}`)}`).join(' ')
  const text = `SELECT ${listedColumns} FROM clients WHERE ordinal > $1 AND ordinal <= $2 ${where} ORDER BY ordinal LIMIT $3`
  return { statement: { name: nameOf(text), text } satisfies Statement, values }
}

const isSmall = ({ token, statement_issuer, state }: ClientFilter): boolean =>
  token !== undefined || statement_issuer !== undefined || state === 'suspended'

export const createClientSearch = (db: Database): ClientSearch => {
  const lastPosition = pipe(
    db.first(selectLast, []),
    TE.map((row) => (Last.is(row) ? row.last : 0)),
  )
  const look = (filter: ClientFilter, facts: FilterFacts, { after, until, limit }: ClientRange) =>
    pipe(
      lastPosition,
      TE.flatMap((stored) => {
        const last = Math.min(until ?? Infinity, stored)
        if (after >= last) return TE.right<never, LookedAt>({ rows: [] })
        const end = isSmall(filter) ? last : Math.min(last, after + filteredTogether)
        const candidates = asksForTexts(filter) ? Math.max(minCandidates, limit) : limit
        const { statement, values } = select(filter, facts, after, end, candidates)
        return pipe(
          db.run(statement, values),
          TE.map((rows): LookedAt => {
            const looked = rows.length === candidates ? (fromListedRow(rows.at(-1))[0]?.position ?? end) : end
            return looked < last ? { rows, end: looked } : { rows }
          }),
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
    indexTexts: (max) => db.transaction(indexingOf(max)),
  }
}
