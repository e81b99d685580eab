// The statements of the verbs of a batch, on one connection. The verbs run at once: when all of them wait for a statement,
// the calls of one statement become one, and each call gets its own rows.
import {
  type Insertion,
  type ParameterTypes,
  type Place,
  type Statement,
  type Tx,
  createPlaces,
  createShares,
  insertAuditRow,
  rowOf,
} from '@clientele/adapters-sql'
import { type Query, type Statement as Prepared, isStorable } from './connections.js'

// Statements as PostgreSQL runs them: for one call, and for the calls of one turn together.

type Texts = {
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

export type Row = Readonly<Record<string, unknown>>

type Call = {
  readonly statement: Statement
  readonly values: Row
  readonly resolve: (rows: ReadonlyArray<Row>) => void
  readonly reject: (error: unknown) => void
}

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null

/** The rows of each call, by the place of the call or by the values that a new row has of its call. */
const rowsByCall = (
  { together }: Statement,
  rows: ReadonlyArray<Row>,
): ((values: Row, place: number) => ReadonlyArray<Row>) => {
  const key = together === undefined || together === 'by call' ? undefined : together.key
  const nameOf = (values: Row): string => JSON.stringify(key?.map((column) => values[column]))
  const found = new Map<string, Array<Row>>()
  for (const row of rows) {
    const name = key === undefined ? String(row['p_call']) : nameOf(row)
    const known = found.get(name)
    if (known === undefined) found.set(name, [row])
    else known.push(row)
  }
  return (values, place) => found.get(key === undefined ? String(place + 1) : nameOf(values)) ?? []
}

const valuesOf = ({ parameters }: Texts, values: Row): ReadonlyArray<unknown> =>
  parameters.map((name) => values[name] ?? null)

/** The rows of each call of a statement: by one statement where it can be. */
export const rowsOfCalls = async (
  query: Query,
  statement: Statement,
  calls: ReadonlyArray<Row>,
): Promise<ReadonlyArray<ReadonlyArray<Row>>> => {
  const texts = textsOf(statement)
  if (texts.together === undefined || calls.length === 1)
    return Promise.all(calls.map(async (values) => (await query(texts.single, valuesOf(texts, values))).filter(isRow)))
  const arrays = texts.parameters.map((name) => calls.map((values) => values[name] ?? null))
  const rows = (await query(texts.together, arrays)).filter(isRow)
  return calls.map(rowsByCall(statement, rows))
}

/** In the order of their values, so that batches lock the rows that they change in one order. */
const inOrder = (texts: Texts, calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  calls
    .map((call) => ({ call, key: JSON.stringify(valuesOf(texts, call.values)) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ call }) => call)

const runCalls = async (query: Query, statement: Statement, arrived: ReadonlyArray<Call>): Promise<void> => {
  const texts = textsOf(statement)
  const calls = texts.isChange && statement.together === 'by call' ? inOrder(texts, arrived) : arrived
  const values = calls.map((call) => call.values)
  const rows = await rowsOfCalls(query, statement, values)
  calls.forEach((call, place) => call.resolve(rows[place] ?? []))
}

type Calls = {
  readonly call: (verb: number, statement: Statement, values: Row) => Promise<ReadonlyArray<Row>>
  /** The verb waits for what another one has called. */
  readonly waits: (verb: number) => void
  readonly ended: (verb: number) => void
  readonly failures: ReadonlyArray<unknown>
}

/** When all verbs wait for a statement, their calls are run. */
const createCalls = (query: Query, verbs: number, begun: Promise<unknown>): Calls => {
  const running = new Set(Array.from({ length: verbs }, (_, place) => place))
  const stopped = new Set<number>()
  const failures: Array<unknown> = []
  let waiting: Array<Call> = []
  let isFlushing = false
  let isFirst = true

  const flush = async (): Promise<void> => {
    isFlushing = true
    // A verb may call several statements at once.
    await Promise.resolve()
    const calls = waiting
    waiting = []
    stopped.clear()
    const groups = new Map<Statement, Array<Call>>()
    for (const call of calls) {
      const group = groups.get(call.statement)
      if (group === undefined) groups.set(call.statement, [call])
      else group.push(call)
    }
    try {
      if (!isFirst || ![...groups.keys()].every((statement) => textsOf(statement).isEarly)) await begun
      isFirst = false
      await Promise.all([...groups].map(async ([statement, group]) => runCalls(query, statement, group)))
    } catch (error) {
      // The transaction is over: those that are answered already find it out by their next statement.
      failures.push(error)
      for (const call of calls) call.reject(error)
    }
    isFlushing = false
    flushIfAllWait()
  }
  const flushIfAllWait = (): void => {
    if (!isFlushing && waiting.length > 0 && stopped.size === running.size) void flush()
  }
  const waits = (verb: number): void => {
    stopped.add(verb)
    flushIfAllWait()
  }
  return {
    waits,
    failures,
    call: (verb, statement, values) =>
      new Promise((resolve, reject) => {
        waiting.push({ statement, values, resolve, reject })
        waits(verb)
      }),
    ended: (verb) => {
      running.delete(verb)
      stopped.delete(verb)
      flushIfAllWait()
    },
  }
}

type Loader = {
  /** For the verb of this place. */
  readonly txOf: (verb: number) => Tx
  /** The verb of this place runs no further statement. */
  readonly ended: (verb: number) => void
  /** Throws the first error of the database. */
  readonly throwFailure: () => void
  /** Whether the verb of this place has written. */
  readonly hasWritten: (verb: number) => boolean
}

/** The places that were left, and how many verbs have taken one since. */
type Counted = { left: number; taken: number }

/** `begun` is the answer to the BEGIN of the transaction, with which the first statements are sent. */
export const createLoader = (query: Query, verbs: number, begun: Promise<unknown>): Loader => {
  const { call, waits, ended, failures } = createCalls(query, verbs, begun)
  const writing = new Set<number>()
  const share = createShares()
  const places = createPlaces<Promise<Counted>>()
  const txOf = (verb: number): Tx => {
    const rows = async (statement: Statement, values: Row): Promise<ReadonlyArray<Row>> => {
      const texts = textsOf(statement)
      // Nothing is found by text that cannot be stored.
      if (texts.finds && !valuesOf(texts, values).every(isStorable)) return []
      const found = await call(verb, statement, values)
      if (found.length > 0 && texts.isChange) writing.add(verb)
      return found
    }
    const get: Tx['get'] = async (statement, values) => {
      const [row] = await rows(statement, values)
      return row === undefined ? undefined : rowOf(statement, row)
    }
    const count = async ({ taken, max }: Place): Promise<Counted> => ({
      left: max === Infinity ? max : max - ((await get(taken, { max }))?.taken ?? max),
      taken: 0,
    })
    const placesOf = async (place: Place): Promise<Counted> => {
      const counted = places(place, () => count(place))
      // Another verb may have asked the database.
      if (place.max !== Infinity) waits(verb)
      return counted
    }
    const run: Tx['run'] = async (statement, values) => (await rows(statement, values)).length
    return {
      get,
      all: async (statement, values) => (await rows(statement, values)).map((row) => rowOf(statement, row)),
      run,
      room: async (place) => (await placesOf(place)).left,
      take: async (place) => {
        const counted = await placesOf(place)
        counted.left -= 1
        counted.taken += 1
        if (counted.left >= 0) return true
        // A client that was used since has left its place. Others may have taken it, and not be in the count.
        if (((await get(place.taken, place))?.taken ?? place.max) >= place.max) return false
        if (counted.taken > 1) throw new Error('a place was left meanwhile')
        return true
      },
      share,
      note: (row) => (row === undefined ? 0 : run(insertAuditRow, row)),
    }
  }
  return {
    txOf,
    ended,
    throwFailure: () => {
      if (failures.length > 0) throw failures[0]
    },
    hasWritten: (verb) => writing.has(verb),
  }
}
