// Seals all values with the present key, in steps, so that no operation takes long and none is kept in memory. After a change of
// the encryption key, the earlier keys can be removed then.
import { type InvalidRequest, type Unavailable, invalidRequest } from '@clientele/domain/kernel'
import type { Encryption, SealedAnew, SealingStep, Store } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { artefacts } from './artefacts.js'
import { authorizations, consents } from './grants.js'
import { clients, removedClients } from './client-row.js'
import { secrets } from './opening.js'
import { foreignKeys, keyRings } from './keys.js'
import { initialAccessTokens, operatorTokens } from './tokens.js'
import { endUserSessions } from './sessions.js'
import {
  type ParameterTypes,
  type RowType,
  type Statement,
  type Values,
  change,
  statement,
  together,
} from './statement.js'
import { type SealedTable, json } from './table.js'
import { type Engine, verb } from './verb.js'

/** All tables with a sealed text. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  secrets,
  keyRings,
  initialAccessTokens,
  operatorTokens,
  endUserSessions,
  authorizations,
  artefacts,
  consents,
  foreignKeys,
  clients,
  // After the clients, of which some become removed ones meanwhile.
  removedClients,
]

type Row = Values<ParameterTypes>
type Key = ReadonlyArray<string | number>

const pageSize = 200
const pagesOfStep = 5

const AnyRow: RowType<Row> = t.record(t.string, t.union([t.string, t.number, t.null]))

const keyTypes = ({ key, columns }: SealedTable): ParameterTypes =>
  Object.fromEntries(key.map((name) => [name, columns[name] ?? 'text']))

/** A table with its statements. */
type Sealing = {
  readonly table: SealedTable
  readonly first: Key
  /** The rows after a key, in the order of their keys. */
  readonly page: Statement<ParameterTypes, Row>
  /** Writes a text in place of the one that was read. A row that was replaced meanwhile has the present key already. */
  readonly rewrite: Statement
}

const sealingOf = (table: SealedTable): Sealing => {
  const { name, key, rows, sealed } = table
  const names = key.join(', ')
  const types = keyTypes(table)
  const after = key.map((part) => `:${part}`).join(', ')
  const isRow = key.map((part) => `${part} = :${part}`).join(' AND ')
  return {
    table,
    first: key.map((part) => (types[part] === 'number' ? 0 : '')),
    page: statement(
      `SELECT * FROM (${rows}) AS sealed_rows WHERE (${names}) > (${after}) ORDER BY ${names} LIMIT ${pageSize}`,
      types,
      AnyRow,
    ),
    rewrite: together(
      change(`UPDATE ${name} SET ${sealed} = :anew WHERE ${isRow} AND ${sealed} = :before`, {
        ...types,
        anew: 'text',
        before: 'text',
      }),
    ),
  }
}

const sealings = sealedTables.map(sealingOf)

/** What the present key makes of a sealed text: sealed anew, sealed by it already, or decrypted by no key. */
type Resealed = { readonly kind: 'sealed'; readonly anew: string } | { readonly kind: 'current' | 'unreadable' }

type Reseal = (text: string, context: O.Option<string>) => TE.TaskEither<Unavailable, Resealed>

const unreadable: Resealed = { kind: 'unreadable' }
const current: Resealed = { kind: 'current' }

/** `verifies`: the text is opened also if the present key sealed it, and nothing is sealed. */
const resealBy =
  ({ isCurrent, open, seal }: Encryption, verifies: boolean): Reseal =>
  (text, context) =>
    pipe(
      isCurrent(text),
      TE.flatMap((known) => {
        if (known && !verifies) return TE.right(current)
        if (O.isNone(context)) return TE.right(unreadable)
        return pipe(
          open(text, context.value),
          TE.flatMap((opened): TE.TaskEither<Unavailable, Resealed> => {
            if (O.isNone(opened)) return TE.right(unreadable)
            if (known) return TE.right(current)
            const sealed = verifies ? TE.right(text) : seal(opened.value, context.value)
            return pipe(
              sealed,
              TE.map((anew) => ({ kind: 'sealed', anew })),
            )
          }),
        )
      }),
    )

type Counts = Pick<SealedAnew, 'sealed' | 'unreadable'>

/** Seals the rows of a page, or counts them. */
const sealPage = async (
  engine: Engine,
  reseal: Reseal,
  { table: { sealed, contextOf }, rewrite }: Sealing,
  page: ReadonlyArray<Row>,
  isCounting: boolean,
): Promise<E.Either<Unavailable, Counts>> => {
  const resealed = await TE.traverseArray((row: Row) => reseal(String(row[sealed]), contextOf(row)))(page)()
  if (E.isLeft(resealed)) return resealed
  const rows = resealed.right.flatMap((each, place) =>
    each.kind === 'sealed' ? [{ ...page[place], anew: each.anew, before: page[place]?.[sealed] ?? null }] : [],
  )
  const counts = {
    sealed: rows.length,
    unreadable: resealed.right.filter(({ kind }) => kind === 'unreadable').length,
  }
  if (isCounting || rows.length === 0) return E.right(counts)
  const writing = verb({}, async (tx) => E.right(await Promise.all(rows.map(async (row) => tx.run(rewrite, row)))))
  return E.map((written: ReadonlyArray<number>) => ({
    ...counts,
    sealed: written.reduce((sum, each) => sum + each, 0),
  }))(await engine.write(writing)())
}

/** After the key of a table; the first key is before all others. */
type Position = { readonly place: number; readonly key: Key }

const start = (place: number): Position | undefined => {
  const sealing = sealings[place]
  return sealing === undefined ? undefined : { place, key: sealing.first }
}

const textOf = ({ place, key }: Position): string => JSON.stringify([sealings[place]?.table.name, ...key])

const Text = t.array(t.union([t.string, t.number]))

const positionIn = (text: string): Position | undefined => {
  const parsed = O.toUndefined(json(text))
  const [name, ...key] = Text.is(parsed) ? parsed : []
  const place = sealings.findIndex(({ table }) => table.name === name)
  const first = sealings[place]?.first
  const isKey = first?.length === key.length && first.every((part, index) => typeof part === typeof key[index])
  return isKey ? { place, key } : undefined
}

const foreignPosition = invalidRequest('after must be next of the step before')

/** So many pages of one table after the other, from a position on. */
const work = async (
  engine: Engine,
  reseal: Reseal,
  from: Position | undefined,
  pages: number,
  isCounting: boolean,
): Promise<E.Either<Unavailable, SealedAnew>> => {
  const done = { values: 0, sealed: 0, unreadable: 0 }
  let position = from
  for (let read = 0; read < pages && position !== undefined; read += 1) {
    const sealing = sealings[position.place]
    if (sealing === undefined) break
    const { key } = sealing.table
    const values = Object.fromEntries(key.map((name, index) => [name, position?.key[index] ?? null]))
    const page: E.Either<Unavailable, ReadonlyArray<Row>> = await engine.all(sealing.page, values)()
    if (E.isLeft(page)) return page
    const last = page.right.at(-1)
    if (last === undefined) {
      position = start(position.place + 1)
      continue
    }
    const counts = await sealPage(engine, reseal, sealing, page.right, isCounting)
    if (E.isLeft(counts)) return counts
    done.values += page.right.length
    done.sealed += counts.right.sealed
    done.unreadable += counts.right.unreadable
    position = { place: position.place, key: key.map((name) => last[name] ?? '') }
  }
  return E.right(position === undefined ? done : { ...done, next: textOf(position) })
}

/** Opens every value by the keys, and writes nothing. */
export const verifyAll =
  (engine: Engine, encryption: Encryption): TE.TaskEither<Unavailable, SealedAnew> =>
  () =>
    work(engine, resealBy(encryption, true), start(0), Infinity, true)

const countAll = statement(
  `SELECT ${sealedTables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')} AS number`,
  {},
  t.type({ number: t.number }),
)

export const createSealAnew = (engine: Engine, encryption: Encryption): Pick<Store, 'sealAnew' | 'countSealed'> => {
  const reseal = resealBy(encryption, false)
  const step =
    ({ after, dryRun }: SealingStep): TE.TaskEither<InvalidRequest | Unavailable, SealedAnew> =>
    async () => {
      const from = after === undefined ? start(0) : positionIn(after)
      if (from === undefined) return E.left(foreignPosition)
      return work(engine, reseal, from, pagesOfStep, dryRun)
    }
  return {
    sealAnew: () => step,
    countSealed: pipe(
      engine.get(countAll, {}),
      TE.map((counted) => counted?.number ?? 0),
    ),
  }
}
