import * as E from 'fp-ts/lib/Either.js'

type Row = Readonly<Record<string, unknown>>

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null

const isSame = (one: Row, other: Row): boolean => Object.keys(one).every((column) => one[column] === other[column])

/** Characters of all rows that are remembered, some nine thousand clients; and of one, so that a few long ones do not end all. */
const mostCharacters = 8_388_608
const longestRow = 65_536

const lengthOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

type Read<Value> = { readonly row: Row; readonly value: E.Either<string, Value>; readonly length: number }

/** The last that was read is the last to be forgotten. */
const createMemory = <Value>() => {
  const known = new Map<unknown, Read<Value>>()
  let characters = 0
  const forget = (name: unknown): void => {
    characters -= known.get(name)?.length ?? 0
    known.delete(name)
  }
  return {
    get: (name: unknown) => known.get(name),
    set: (name: unknown, read: Read<Value>): void => {
      forget(name)
      if (read.length > longestRow) return
      known.set(name, read)
      characters += read.length
      while (characters > mostCharacters) forget(known.keys().next().value)
    },
  }
}

export type RememberedRows<Value> = {
  /** What is in a row, as reading it would tell. */
  readonly read: (row: unknown) => E.Either<string, Value>
  /** What was written is known, too: of the columns that the value follows from. */
  readonly know: (row: Row, value: Value) => void
}

/**
 * Reads rows as it is told, and remembers what came of the last ones. What is in a row follows from its columns alone, and
 * all of them are compared, so that nothing old is ever told, whoever writes to the database.
 */
export const rememberingRows = <Value>(
  named: string,
  read: (row: unknown) => E.Either<string, Value>,
): RememberedRows<Value> => {
  const memory = createMemory<Value>()
  const keep = (row: Row, value: E.Either<string, Value>): void =>
    memory.set(row[named], { row, value, length: lengthOf(row) })
  return {
    read: (row) => {
      if (!isRow(row)) return read(row)
      const last = memory.get(row[named])
      if (last !== undefined && isSame(last.row, row)) {
        memory.set(row[named], last)
        return last.value
      }
      const value = read(row)
      if (E.isRight(value)) keep(row, value)
      return value
    },
    know: (row, value) => keep(row, E.right(value)),
  }
}
