// A table, declared once: its columns, its key, and the sealed column that proves the others.
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { Encryption } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ParameterTypes, type Statement, anyRow, insertion, replacement, statement } from './statement.js'

type ColumnValue = string | number | null

/**
 * The context of a row: the columns that it proves. A row in which one of them was changed cannot be decrypted;
 * docs/decisions/sealed-values.md says which columns these are, and what a writer of the database can do with the others.
 * The lengths separate the columns, so that different rows have different contexts.
 */
export const rowContext = (table: string, columns: ReadonlyArray<ColumnValue>): string =>
  `${table}${columns.map((column) => (column === null ? ',-' : `,${String(column).length}:${column}`)).join('')}`

/** The row is not as the store wrote it. The detail names a column or part, without its contents. */
type UnreadableRow = { readonly error: 'unreadable_row'; readonly detail: string }

export const unreadableRow = (detail: string): UnreadableRow => ({ error: 'unreadable_row', detail })

/** Decodes a row, after its statement and outside of transactions, because it may decrypt. */
export type ReadRow<Value> = (row: unknown) => TE.TaskEither<UnreadableRow | Unavailable, Value>

/** An unreadable row makes the store unavailable. */
const asUnavailable = (failure: UnreadableRow | Unavailable): Unavailable =>
  failure.error === 'unreadable_row' ? unavailable(failure.detail) : failure

type Selected<Result> = TE.TaskEither<Unavailable, Result>

/** Decodes the selected row; none where it is undefined. */
export const readRow =
  <Value>(read: ReadRow<Value>) =>
  (selected: Selected<unknown>): Selected<O.Option<Value>> =>
  async () => {
    const row = await selected()
    if (E.isLeft(row)) return row
    if (row.right === undefined) return E.right(O.none)
    const value = await read(row.right)()
    return E.isLeft(value) ? E.left(asUnavailable(value.left)) : E.right(O.some(value.right))
  }

/** Decodes all selected rows; fails if one of them cannot be read. */
export const readRows =
  <Value>(read: ReadRow<Value>) =>
  (selected: Selected<ReadonlyArray<unknown>>): Selected<ReadonlyArray<Value>> =>
    pipe(selected, TE.flatMap(TE.traverseArray(read)), TE.mapLeft(asUnavailable))

/** Decodes the rows that can be read; the others must not hide them. */
export const readReadableRows =
  <Value>(read: ReadRow<Value>) =>
  (selected: Selected<ReadonlyArray<unknown>>): Selected<ReadonlyArray<Value>> => {
    const ifReadable = (row: unknown): Selected<O.Option<Value>> =>
      pipe(
        read(row),
        TE.map(O.some),
        TE.orElse((failure) => (failure.error === 'unreadable_row' ? TE.right(O.none) : TE.left(failure))),
      )
    return pipe(selected, TE.flatMap(TE.traverseArray(ifReadable)), TE.map(RA.compact))
  }

/** How the database has a column, and how its value is read; one that no value has is only written. */
type Column = { readonly type: 'text' | 'number'; readonly codec?: t.Mixed }

export const text = <Codec extends t.Mixed>(codec: Codec) => ({ type: 'text', codec }) as const
export const number = <Codec extends t.Mixed>(codec: Codec) => ({ type: 'number', codec }) as const
export const unreadNumber = { type: 'number' } as const
export const unreadText = { type: 'text' } as const

type Columns = Readonly<Record<string, Column>>
type TypesOf<Own extends Columns> = { readonly [Name in keyof Own]: Own[Name]['type'] }
type RowOf<Own extends Columns, Joined extends t.Props> = {
  readonly [Name in keyof Own as Own[Name] extends { readonly codec: t.Mixed } ? Name : never]: Own[Name] extends {
    readonly codec: infer Codec extends t.Mixed
  }
    ? t.TypeOf<Codec>
    : never
} & (t.Props extends Joined ? unknown : { readonly [Name in keyof Joined]: t.TypeOf<Joined[Name]> })
type Unsealed<Row, Sealed> = Omit<Row, Sealed & string>

type Declared<Own extends Columns, Joined extends t.Props, Sealed, Value> = {
  readonly name: string
  readonly columns: Own
  readonly key: ReadonlyArray<keyof Own & string>
  /** Columns of the client that the condition joins. */
  readonly joins?: { readonly on: string; readonly columns: Joined }
  /** The column with the sealed text. */
  readonly sealed: Sealed
  /** What the text is bound to: columns that nobody can change without the encryption key, or a text of them. */
  readonly proves:
    | ReadonlyArray<keyof Unsealed<RowOf<Own, Joined>, Sealed> & string>
    | ((row: Unsealed<RowOf<Own, Joined>, Sealed>) => string)
  /** The value of a row whose text was opened; none where a part of it cannot be read. */
  readonly value: (row: RowOf<Own, Joined>, opened: string) => O.Option<Value>
  /** Why a row is not read. */
  readonly unreadable: string
}

/** A table whose rows have a sealed text, seen without the types of its columns. */
export type SealedTable = {
  readonly name: string
  readonly columns: ParameterTypes
  readonly key: ReadonlyArray<string>
  readonly sealed: string
  /** All rows, with the key and the columns of the context. */
  readonly rows: string
  /** The context of a row; none for an unreadable row. */
  readonly contextOf: (row: unknown) => O.Option<string>
}

export type Table<Own extends Columns, Row, Sealed, Value> = SealedTable & {
  readonly insert: (onConflict?: string) => Statement<TypesOf<Own>>
  /** The insertion in place of the row of the same key. */
  readonly replace: () => Statement<TypesOf<Own>>
  /** The rows of which the condition holds, with other columns; it may go on with an order and a limit. */
  readonly select: <Types extends ParameterTypes>(
    where: string,
    types: Types,
    others?: ReadonlyArray<string>,
  ) => Statement<Types>
  /** What the sealed text of the row is bound to. */
  readonly context: (row: Unsealed<Row, Sealed>) => string
  /** The row with its sealed text: a proof where that is empty. */
  readonly seal: (encryption: Encryption, row: Unsealed<Row, Sealed>, plain?: string) => TE.TaskEither<Unavailable, Row>
  readonly reading: (encryption: Encryption) => ReadRow<Value>
}

export const table = <Own extends Columns, Sealed extends keyof Own & string, Value, Joined extends t.Props>({
  name,
  columns,
  key,
  joins,
  sealed,
  proves,
  value,
  unreadable,
}: Declared<Own, Joined, Sealed, Value>): Table<Own, RowOf<Own, Joined>, Sealed, Value> => {
  type Row = RowOf<Own, Joined>
  // The members of the result are those of the columns.
  const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type])) as TypesOf<Own>
  const codecs = new Map(
    Object.entries(columns).flatMap(([column, { codec }]) => (codec === undefined ? [] : [[column, codec] as const])),
  )
  const codec = t.type({ ...Object.fromEntries(codecs), ...joins?.columns })
  const isRow = (row: unknown): row is Row => codec.is(row)
  const faultyIn = (row: unknown): ReadonlyArray<string> =>
    Object.entries(codec.props).flatMap(([column, { is }]) => (is(Reflect.get(Object(row), column)) ? [] : [column]))
  const context = (row: Unsealed<Row, Sealed>): string =>
    typeof proves === 'function'
      ? proves(row)
      : rowContext(
          name,
          proves.map((column) => row[column]),
        )
  const own = [...new Set([...key, ...codecs.keys()])].map((column) => `${name}.${column}`)
  const ofClient = Object.keys(joins?.columns ?? {}).map((column) => `clients.${column}`)
  const rowsWith = (others: ReadonlyArray<string>): string =>
    `SELECT ${[...own, ...ofClient, ...others].join(', ')} FROM ${name} ${joins?.on ?? ''}`
  const refusal = unreadableRow(unreadable)
  return {
    name,
    columns: types,
    key,
    sealed,
    rows: rowsWith([]),
    context,
    contextOf: (row) => (isRow(row) ? O.some(context(row)) : O.none),
    insert: (onConflict = '') => insertion(name, types, key, onConflict),
    replace: () => replacement(name, types, key),
    select: (where, parameters, others = []) => statement(`${rowsWith(others)} WHERE ${where}`, parameters, anyRow),
    seal: (encryption, row, plain = '') =>
      pipe(
        encryption.seal(plain, context(row)),
        TE.map((text) => Object.assign({ [sealed]: text }, row) as unknown as Row),
      ),
    reading:
      ({ open }) =>
      (row) =>
      async () => {
        if (!isRow(row)) return E.left(unreadableRow(`${unreadable}: ${faultyIn(row).join(', ')}`))
        const opened = await open(String(row[sealed as unknown as keyof Row]), context(row))()
        if (E.isLeft(opened)) return opened
        return E.fromOption(() => refusal)(O.isNone(opened.right) ? O.none : value(row, opened.right.value))
      },
  }
}

/** The registration that a row belongs to, by the column that has the ordinal of its client. */
export const ofRegistration = (column: string) =>
  ({
    on: `JOIN clients ON clients.ordinal = ${column}`,
    columns: { client_id: ClientId, registration_id: RegistrationId },
  }) as const

/** The same, where a row may belong to none. */
export const ofRegistrationIfAny = (column: string) =>
  ({
    on: `LEFT JOIN clients ON clients.ordinal = ${column}`,
    columns: { client_id: orNull(ClientId), registration_id: orNull(RegistrationId) },
  }) as const

/** The value of a text in JSON. */
export const json = (text: string): O.Option<unknown> => O.tryCatch((): unknown => JSON.parse(text))

/** The value of a text in JSON that the codec reads. */
export const jsonBy =
  <Value>(codec: t.Type<Value, unknown>) =>
  (text: string): O.Option<Value> =>
    pipe(
      json(text),
      O.flatMap((value) => O.fromEither(codec.decode(value))),
    )

/** The column, or the part of a sealed text, of what the guard permits. */
export const guarded = <Value>(name: string, is: (value: unknown) => value is Value): t.Type<Value> =>
  new t.Type(name, is, (value, context) => (is(value) ? t.success(value) : t.failure(value, context)), identity)

export const oneOf = <Text extends string>(texts: ReadonlyArray<Text>): t.Type<Text> =>
  guarded(texts.join(' | '), (value): value is Text => texts.some((each) => each === value))

/** The column of a value that may be absent. */
export const orNull = <Codec extends t.Mixed>(codec: Codec): t.UnionC<[Codec, t.NullC]> => t.union([codec, t.null])

/** The members of which the column is not null. */
export const present = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: NonNullable<Members[Name]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    readonly [Name in keyof Members]?: NonNullable<Members[Name]>
  }

/** The rows of a table. */
export type RowIn<Of> = Of extends { readonly seal: (...given: never) => TE.TaskEither<Unavailable, infer Row> }
  ? Row
  : never
