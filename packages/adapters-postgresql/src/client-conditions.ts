// Statements whose conditions depend on the filter: each has a name by its text, so that it is prepared once.
import { type ClientFilter, type FilterFacts } from '@clientele/domain'
import { type Condition, filterConditions, textsOfFilter } from '@clientele/stored-rows'
import { createHash } from 'node:crypto'
import type { Statement, Values } from './database.js'

// A client whose texts are not of its version is a candidate as well.
const textCondition = (text: string): Condition => ({
  sql: '(indexed_version IS DISTINCT FROM version OR strpos(search_text, ?) > 0)',
  values: [text],
})

/** Of the columns and the texts of a client. */
export const clientConditions = (filter: ClientFilter, facts: FilterFacts): ReadonlyArray<Condition> => [
  ...filterConditions(filter, facts),
  ...textsOfFilter(filter).map(textCondition),
]

// PostgreSQL cuts longer names.
const nameOf = (text: string): string =>
  `search_clients_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

/** The statement of these values that has the conditions, each after AND, where the text takes them; and all values. */
export const withConditions = (
  own: Values,
  conditions: ReadonlyArray<Condition>,
  textOf: (conditions: string) => string,
): { readonly statement: Statement; readonly values: Values } => {
  let place = own.length
  const text = textOf(conditions.map(({ sql }) => `AND ${sql.replaceAll('?', () => `$${(place += 1)}`)}`).join(' '))
  return { statement: { name: nameOf(text), text }, values: [...own, ...conditions.flatMap(({ values }) => values)] }
}
