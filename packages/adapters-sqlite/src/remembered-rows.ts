import * as E from 'fp-ts/lib/Either.js'

type Row = Readonly<Record<string, unknown>>

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null

const isSame = (one: Row, other: Row): boolean => Object.keys(one).every((column) => one[column] === other[column])

const mostRows = 1_000
/** Characters of a row; so that a thousand of them stay small, longer ones are not remembered. */
const longestRow = 4_096

const lengthOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/**
 * Reads a row as it is told, and remembers what came of the last ones. What is in a row follows from its columns alone, and
 * all of them are compared, so that nothing old is ever told, whoever writes to the database.
 */
export const rememberingRows = <Value>(
  named: string,
  read: (row: unknown) => E.Either<string, Value>,
): ((row: unknown) => E.Either<string, Value>) => {
  const known = new Map<unknown, { readonly row: Row; readonly value: E.Either<string, Value> }>()
  const remember = (row: Row, value: E.Either<string, Value>): void => {
    // The last that is read is the last to be forgotten.
    known.delete(row[named])
    known.set(row[named], { row, value })
    if (known.size > mostRows) known.delete(known.keys().next().value)
  }
  return (row) => {
    if (!isRow(row)) return read(row)
    const last = known.get(row[named])
    const value = last !== undefined && isSame(last.row, row) ? last.value : read(row)
    if (E.isRight(value) && lengthOf(row) <= longestRow) remember(row, value)
    return value
  }
}
