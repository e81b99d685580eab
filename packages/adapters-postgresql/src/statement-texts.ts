// Statements as PostgreSQL runs them: for one call, and for the calls of one turn together.
import type { Insertion, ParameterTypes, Statement } from '@clientele/adapters-sql'
import type { Statement as Prepared } from './connections.js'

export type Texts = {
  /** Whether it writes: it returns a row for each that it changed. */
  readonly isChange: boolean
  /** Whether all of its parameters select rows. */
  readonly finds: boolean
  /** Whether it may be sent before its transaction has begun: it writes nothing outside of one. */
  readonly isEarly: boolean
  readonly parameters: ReadonlyArray<string>
  readonly single: Prepared
  readonly together: Prepared | undefined
}

const sqlTypes = { text: 'text', number: 'bigint' } as const

const replaced = (text: string, by: (name: string) => string): string =>
  text.replaceAll(/(?<!:):([A-Za-z_]+)/g, (_, name: string) => by(name))

/** The rows of the calls: a column for each parameter, and the place of the call. */
const callsOf = (types: ParameterTypes): string => {
  const names = Object.keys(types)
  const arrays = names.map((name, place) => `$${place + 1}::${sqlTypes[types[name] ?? 'text']}[]`)
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS calls (${names.map((name) => `p_${name}, `).join('')}p_call)`
}

const ofCall = (text: string): string => replaced(text, (name) => `calls.p_${name}`)

/** Of calls that replace one row, the last one. */
const lastCallsOf = (types: ParameterTypes, key: ReadonlyArray<string>): string => {
  const names = key.map((name) => `calls.p_${name}`).join(', ')
  return `(SELECT DISTINCT ON (${names}) * FROM ${callsOf(types)} ORDER BY ${names}, calls.p_call DESC) AS calls`
}

// The receipt of a transaction has given it an id.
const hasBegun = 'pg_current_xact_id_if_assigned() IS NOT NULL'

const insertOne = ({ table, columns, onConflict, returning }: Insertion, typed: (name: string) => string): string => `
INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(typed).join(', ')} WHERE ${hasBegun} ${onConflict}
RETURNING ${returning.length === 0 ? '1' : returning.join(', ')}`

const insertAll = ({ table, columns, onConflict, returning, key }: Insertion, types: ParameterTypes): string => `
INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => `calls.p_${name}`).join(', ')}
FROM ${onConflict.includes('DO UPDATE') ? lastCallsOf(types, key) : callsOf(types)} WHERE ${hasBegun}
ORDER BY calls.p_call ${onConflict}
RETURNING ${[...new Set([...key, ...returning])].join(', ')}`

const changeAll = (text: string, types: ParameterTypes, word: 'USING' | 'FROM'): string =>
  `${ofCall(text).replace(/\bWHERE\b/, `${word} ${callsOf(types)} WHERE`)} RETURNING calls.p_call`

const selectAll = (text: string, types: ParameterTypes): string =>
  `SELECT calls.p_call, found.* FROM ${callsOf(types)} CROSS JOIN LATERAL (${ofCall(text)}) AS found`

const textOfAll = ({ texts, types, together }: Statement): string | undefined => {
  if (together === undefined) return undefined
  if (together !== 'by call') return insertAll(together, types)
  const text = texts.postgresql.trim()
  if (text.startsWith('DELETE')) return changeAll(text, types, 'USING')
  return text.startsWith('UPDATE') ? changeAll(text, types, 'FROM') : selectAll(text, types)
}

const known = new Map<Statement['texts'], Texts>()

/** The texts of a statement; each has a name by which it is prepared once for a connection. */
export const textsOf = (statement: Statement): Texts => {
  const found = known.get(statement.texts)
  if (found !== undefined) return found
  const parameters = Object.keys(statement.types)
  const typed = (name: string): string =>
    `$${parameters.indexOf(name) + 1}::${sqlTypes[statement.types[name] ?? 'text']}`
  const name = `statement_${known.size}`
  const text = statement.texts.postgresql.trim()
  const isChange = /^(INSERT|UPDATE|DELETE)/.test(text)
  const answer = isChange && !/\bRETURNING\b/.test(text) ? ' RETURNING 1' : ''
  const insertion = typeof statement.together === 'object' ? statement.together : undefined
  const all = textOfAll(statement)
  const made = {
    isChange,
    finds: /^(SELECT|DELETE)/.test(text),
    isEarly: text.startsWith('SELECT') || insertion !== undefined,
    parameters,
    single: { name, text: insertion === undefined ? replaced(text, typed) + answer : insertOne(insertion, typed) },
    together: all === undefined ? undefined : { name: `${name}_together`, text: all },
  }
  known.set(statement.texts, made)
  return made
}
