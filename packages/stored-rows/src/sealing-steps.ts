// Goes through all sealed values in steps, so that no operation takes long and none is kept in memory.
import {
  type InvalidRequest,
  type SealedAnew,
  type SealingStep,
  type Unavailable,
  invalidRequest,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

export type SealedKey = ReadonlyArray<string | number>

export type SealedCounts = Pick<SealedAnew, 'sealed' | 'unreadable'>

/** Some rows of a table in the order of their keys. */
export type SealedPage<Row> = { readonly rows: ReadonlyArray<Row>; readonly last: SealedKey }

/** A table with a sealed column, as its store reads and writes it. */
export type SealedPages<Row> = {
  readonly name: string
  /** A key before all others. */
  readonly first: SealedKey
  /** Undefined after the last row. */
  readonly pageAfter: (key: SealedKey) => TE.TaskEither<Unavailable, SealedPage<Row> | undefined>
  /** Seals the rows that the present key did not seal; in a dry run, counts them. */
  readonly resealPage: (rows: ReadonlyArray<Row>, dryRun: boolean) => TE.TaskEither<Unavailable, SealedCounts>
}

type Tables<Row> = ReadonlyArray<SealedPages<Row>>
type Position = { readonly place: number; readonly key: SealedKey }

const pagesOfStep = 5

const start = <Row>(tables: Tables<Row>, place: number): Position | undefined => {
  const table = tables[place]
  return table === undefined ? undefined : { place, key: table.first }
}

const isKeyLike = (parts: ReadonlyArray<unknown>, first: SealedKey): parts is SealedKey =>
  parts.length === first.length && parts.every((part, index) => typeof part === typeof first[index])

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isArray = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const positionIn = <Row>(tables: Tables<Row>, text: string): Position | undefined => {
  const json = parsed(text)
  const [name, ...key] = isArray(json) ? json : []
  const place = tables.findIndex((table) => table.name === name)
  const table = tables[place]
  return table !== undefined && isKeyLike(key, table.first) ? { place, key } : undefined
}

const textOf = <Row>(tables: Tables<Row>, { place, key }: Position): string =>
  JSON.stringify([tables[place]?.name, ...key])

const foreignPosition = invalidRequest('after must be next of the step before')

type Worked = { readonly done: SealedAnew; readonly next: Position | undefined }

const nothing: SealedAnew = { values: 0, sealed: 0, unreadable: 0 }

const workOn = async <Row>(
  tables: Tables<Row>,
  { place, key }: Position,
  before: SealedAnew,
  dryRun: boolean,
): Promise<E.Either<Unavailable, Worked>> => {
  const table = tables[place]
  const page = await (table === undefined ? TE.right(undefined) : table.pageAfter(key))()
  if (E.isLeft(page)) return page
  if (table === undefined || page.right === undefined) return E.right({ done: before, next: start(tables, place + 1) })
  const { rows, last } = page.right
  const counts = await table.resealPage(rows, dryRun)()
  if (E.isLeft(counts)) return counts
  const { sealed, unreadable } = counts.right
  const done = {
    values: before.values + rows.length,
    sealed: before.sealed + sealed,
    unreadable: before.unreadable + unreadable,
  }
  return E.right({ done, next: { place, key: last } })
}

/** One step: some pages of one table after the other. */
export const createSealingSteps =
  <Row>(tables: Tables<Row>) =>
  ({ after, dryRun }: SealingStep): TE.TaskEither<InvalidRequest | Unavailable, SealedAnew> =>
  async () => {
    const begin = after === undefined ? start(tables, 0) : positionIn(tables, after)
    if (begin === undefined && after !== undefined) return E.left(foreignPosition)
    let state: Worked = { done: nothing, next: begin }
    for (let pages = 0; pages < pagesOfStep && state.next !== undefined; pages += 1) {
      const worked: E.Either<Unavailable, Worked> = await workOn(tables, state.next, state.done, dryRun)
      if (E.isLeft(worked)) return worked
      state = worked.right
    }
    const { done, next } = state
    return E.right(next === undefined ? done : Object.assign({ next: textOf(tables, next) }, done))
  }

/** All steps, one after the other. */
export const allSealingSteps =
  <Row>(tables: Tables<Row>): TE.TaskEither<InvalidRequest | Unavailable, void> =>
  async () => {
    const step = createSealingSteps(tables)
    let after: string | undefined
    do {
      const done: E.Either<InvalidRequest | Unavailable, SealedAnew> = await step({ after, dryRun: false })()
      if (E.isLeft(done)) return done
      after = done.right.next
    } while (after !== undefined)
    return E.right(undefined)
  }
