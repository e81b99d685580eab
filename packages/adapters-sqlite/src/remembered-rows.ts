import * as E from 'fp-ts/lib/Either.js'

type Row = Readonly<Record<string, unknown>>

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null

const isSame = (one: Row, other: Row): boolean => Object.keys(one).every((column) => one[column] === other[column])

/** Characters of one row, so that a few long ones do not end all. */
const longestRow = 65_536

const lengthOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

type Read<Value> = {
  readonly row: Row
  readonly value: E.Either<string, Value>
  readonly length: number
  /** What the file was when it was read; undefined where that is not known. */
  readonly revision: string | undefined
}

/** The last that was read is the last to be forgotten. */
const createMemory = <Value>(mostCharacters: number) => {
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
  /**
   * What is in the row of that name, where it was read from this revision of the file: it need not be selected again. What is not
   * asked for is not touched, so that a wrong token keeps no client in memory.
   */
  readonly readAt: (
    name: unknown,
    revision: string,
    isAsked?: (value: Value) => boolean,
  ) => E.Either<string, Value> | undefined
  /** What is in a row, as reading it would tell. It was selected when the file was of the revision, or later. */
  readonly read: (row: unknown, revision?: string) => E.Either<string, Value>
  /** What was written is known, too: of the columns that the value follows from. */
  readonly know: (row: Row, value: Value) => void
}

/**
 * Reads rows as it is told, and remembers what came of the last ones. What is in a row follows from its columns alone, and
 * all of them are compared, so that nothing old is ever told, whoever writes to the database. Where nobody has written, that
 * is known without looking. So many characters of rows are remembered at most.
 */
export const rememberingRows = <Value>(
  named: string,
  read: (row: unknown) => E.Either<string, Value>,
  mostCharacters: number,
): RememberedRows<Value> => {
  const memory = createMemory<Value>(mostCharacters)
  const keep = (row: Row, value: E.Either<string, Value>, revision?: string): void =>
    memory.set(row[named], { row, value, length: lengthOf(row), revision })
  return {
    readAt: (name, revision, isAsked = () => true) => {
      const last = memory.get(name)
      if (last?.revision !== revision || E.isLeft(last.value) || !isAsked(last.value.right)) return undefined
      memory.set(name, last)
      return last.value
    },
    read: (row, revision) => {
      if (!isRow(row)) return read(row)
      const last = memory.get(row[named])
      if (last !== undefined && isSame(last.row, row)) {
        memory.set(row[named], { ...last, revision: revision ?? last.revision })
        return last.value
      }
      const value = read(row)
      if (E.isRight(value)) keep(row, value, revision)
      return value
    },
    know: (row, value) => keep(row, E.right(value)),
  }
}
