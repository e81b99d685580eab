// Statements of both databases: one text with named parameters where both understand it, else one for each.
import * as t from 'io-ts'

/** The types of parameters: text, or a number below 2^53. */
export type ParameterTypes = Readonly<Record<string, 'text' | 'number'>>

type Value<Type extends 'text' | 'number'> = Type extends 'text' ? string : number

/** The values of the parameters; other members are left alone. */
export type Values<Types extends ParameterTypes> = { readonly [Name in keyof Types]: Value<Types[Name]> | null }

type Texts = { readonly sqlite: string; readonly postgresql: string }

/**
 * How calls of one turn become one statement on PostgreSQL, for the verbs of a batch. A statement of which one call sees
 * what another one wrote must not be called together: what a verb changes is named by its locks.
 */
export type Together =
  /** `SELECT …`, `DELETE FROM … WHERE …`, or `UPDATE … SET … WHERE …` without another WHERE before. */
  'by call' | Insertion

/** `INSERT INTO … (…) VALUES (…)`, whose new rows have the values of some parameters. */
export type Insertion = {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly onConflict: string
  readonly returning: ReadonlyArray<string>
  /** The columns by which a new row belongs to its call. */
  readonly key: ReadonlyArray<string>
}

/** What the rows are, for example a codec of io-ts. */
export type RowType<Row> = { readonly is: (row: unknown) => row is Row }

export const anyRow: RowType<unknown> = { is: (row): row is unknown => row !== undefined }

export type Statement<Types extends ParameterTypes = ParameterTypes, Row = unknown> = {
  readonly texts: Texts
  readonly types: Types
  readonly row: RowType<Row>
  readonly together: Together | undefined
}

export const statement = <Types extends ParameterTypes, Row = unknown>(
  text: string | Texts,
  types: Types,
  row: RowType<Row>,
): Statement<Types, Row> => ({
  texts: typeof text === 'string' ? { sqlite: text, postgresql: text } : text,
  types,
  row,
  together: undefined,
})

/** A statement without rows. */
export const change = <Types extends ParameterTypes>(text: string | Texts, types: Types): Statement<Types> =>
  statement(text, types, anyRow)

/** Selects columns by the codecs of their names; `from` is what follows FROM. */
export const select = <Types extends ParameterTypes, Own extends t.Props>(
  columns: Own,
  from: string,
  types: Types,
): Statement<Types, t.TypeOfProps<Own>> =>
  statement(`SELECT ${Object.keys(columns).join(', ')} FROM ${from}`, types, t.type(columns))

/** Finds whether there is a row; `from` is what follows FROM. */
export const exists = <Types extends ParameterTypes>(from: string, types: Types): Statement<Types> =>
  statement(`SELECT 1 AS found FROM ${from}`, types, anyRow)

/** What UPDATE sets: the columns, to the parameters of their names. */
export const assigned = (columns: ParameterTypes): string =>
  Object.keys(columns)
    .map((name) => `${name} = :${name}`)
    .join(', ')

/** The same statement, of which calls of one turn are one. */
export const together = <Types extends ParameterTypes, Row>(each: Statement<Types, Row>): Statement<Types, Row> => ({
  ...each,
  together: 'by call',
})

type Key<Types> = ReadonlyArray<keyof Types & string>

/** The insertion of a row, whose columns are the parameters; rows of one turn are inserted together. */
export const insertion = <Types extends ParameterTypes>(
  table: string,
  types: Types,
  key: Key<Types>,
  onConflict = '',
): Statement<Types> => returning(table, types, key, {}, onConflict)

/** The insertion of a row, in place of the one of the same key. */
export const replacement = <Types extends ParameterTypes>(
  table: string,
  types: Types,
  key: Key<Types>,
): Statement<Types> => {
  const others = Object.keys(types).filter((name) => !key.includes(name))
  const replaced = others.map((name) => `${name} = excluded.${name}`).join(', ')
  return insertion(table, types, key, `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced}`)
}

/** The insertion whose row has columns that the database makes. */
export const returning = <Types extends ParameterTypes, Own extends t.Props>(
  table: string,
  types: Types,
  key: Key<Types>,
  made: Own,
  onConflict = '',
): Statement<Types, t.TypeOfProps<Own>> => {
  const names = Object.keys(made)
  const columns = Object.keys(types)
  const values = columns.map((name) => `:${name}`).join(', ')
  const answer = names.length === 0 ? '' : ` RETURNING ${names.join(', ')}`
  return {
    ...statement(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values}) ${onConflict}${answer}`,
      types,
      t.type(made),
    ),
    together: { table, columns, onConflict, returning: names, key },
  }
}

/** The rows as objects with these members; another row is a fault of the database. */
export const rowOf = <Row>({ row }: { readonly row: RowType<Row> }, found: unknown): Row => {
  if (row.is(found)) return found
  throw new Error('a row of the database is not as it was written')
}

/**
 * Removes rows that are over, `most` at once. PostgreSQL leaves those that another transaction has locked, and selects them as
 * an array, once: a nested loop would run a subquery again for each row, skip the rows of before, and remove all.
 */
export const forgetRows = <Types extends ParameterTypes>(
  table: string,
  key: string,
  which: string,
  most: number,
  types: Types,
): Statement<Types> =>
  change(
    {
      sqlite: `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${which} LIMIT ${most})`,
      postgresql: `
DELETE FROM ${table} WHERE ctid = ANY (ARRAY
  (SELECT ctid FROM ${table} WHERE ${which} LIMIT ${most} FOR UPDATE SKIP LOCKED))`,
    },
    types,
  )
