// The statements of verbs on one connection: SQLite answers at once.
import {
  type ParameterTypes,
  type Place,
  type Statement,
  type Tx,
  type Values,
  createPlaces,
  createShares,
  insertAuditRow,
  rowOf,
} from '@clientele/adapters-sql'
import type Database from 'better-sqlite3'

type SelectRows = {
  /** The first row; undefined where there is none. */
  readonly get: (...parameters: ReadonlyArray<unknown>) => unknown
  readonly all: (...parameters: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
  /** Whether it is a change, which returns the rows that it changed. */
  readonly writes: boolean
}

/**
 * A statement whose rows have the names of its columns, as objects of one hidden class: better-sqlite3 makes each a dictionary,
 * which takes V8 twice as long to fill and to read (docs/decisions/speed.md). A column
 * that a later release adds comes after all others.
 */
export const selectRows = (db: Database.Database, sql: string): SelectRows => {
  const select = db.prepare<Array<unknown>, ReadonlyArray<unknown>>(sql).raw()
  const names = select.columns().map(({ name }) => name)
  const named = (values: ReadonlyArray<unknown>): unknown => {
    const row: Record<string, unknown> = {}
    names.forEach((name, index) => (row[name] = values[index]))
    return row
  }
  return {
    get: (...parameters) => {
      const values = select.get(...parameters)
      return values === undefined ? undefined : named(values)
    },
    all: (...parameters) => select.all(...parameters).map(named),
    writes: !select.readonly,
  }
}

type Run = (values: object) => Database.RunResult

/** Statements by what they are made from: each is prepared once for a connection. */
export type Prepared = {
  readonly reading: (statement: Statement) => SelectRows
  readonly running: (statement: Statement) => Run
}

const once = <Made>(make: (sql: string) => Made): ((statement: Statement) => Made) => {
  const known = new WeakMap<Statement['texts'], Made>()
  return ({ texts }) => {
    const found = known.get(texts)
    if (found !== undefined) return found
    const made = make(texts.sqlite)
    known.set(texts, made)
    return made
  }
}

export const prepareOnce = (db: Database.Database): Prepared => ({
  reading: once((sql) => selectRows(db, sql)),
  running: once((sql) => {
    const prepared = db.prepare(sql)
    return (values) => prepared.run(values)
  }),
})

/** A transaction, and whether a verb has written in it. */
export type CountingTx = Tx & { readonly written: () => number }

/** For one transaction: the places that are left are counted once. */
export const createTx = ({ reading, running }: Prepared): CountingTx => {
  const counted = { written: 0 }
  const get = <Types extends ParameterTypes, Row>(
    statement: Statement<Types, Row>,
    values: Values<Types>,
  ): Row | undefined => {
    const { get: select, writes } = reading(statement)
    const row = select(values)
    if (row === undefined) return undefined
    if (writes) counted.written += 1
    return rowOf(statement, row)
  }
  const places = createPlaces<{ left: number }>()
  const placesOf = (place: Place): { left: number } =>
    places(place, () => {
      const { taken, max } = place
      return { left: max === Infinity ? max : max - (get(taken, { max })?.taken ?? max) }
    })
  const run = (statement: Statement, values: object): number => {
    const { changes } = running(statement)(values)
    counted.written += changes
    return changes
  }
  return {
    get,
    all: (statement, values) => {
      const { all, writes } = reading(statement)
      const rows = all(values)
      if (writes) counted.written += rows.length
      return rows.map((row) => rowOf(statement, row))
    },
    run,
    room: (place) => placesOf(place).left,
    take: (place) => {
      const counted = placesOf(place)
      counted.left -= 1
      // A client that was used since has left its place.
      if (counted.left < 0) counted.left = place.max - (get(place.taken, place)?.taken ?? place.max) - 1
      return counted.left >= 0
    },
    share: createShares(),
    note: (row) => (row === undefined ? 0 : run(insertAuditRow, row)),
    written: () => counted.written,
  }
}
