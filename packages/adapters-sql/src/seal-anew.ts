// Seals all values with the present key, in steps, so that no operation takes long and none is kept in memory. After a change of
// the encryption key, the earlier keys can be removed then.
import { type Unavailable, invalidRequest } from '@clientele/domain/kernel'
import type { Encryption, SealedAnew, Store } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { artefacts } from './artefacts.js'
import { revokedConnections } from './connections.js'
import { consents } from './consents.js'
import { authorizations } from './grants.js'
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
import { type Engine, type Reads, readOn, verb } from './verb.js'

/** All tables with a sealed text. */
const sealedTables: ReadonlyArray<SealedTable> = [
  secrets,
  keyRings,
  initialAccessTokens,
  operatorTokens,
  endUserSessions,
  authorizations,
  artefacts,
  consents,
  // After the consents, of which some become revoked ones meanwhile.
  revokedConnections,
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

/** What is done with values that another key than the present one sealed; `verifies` also opens those of the present key. */
type How = 'seals' | 'counts' | 'verifies'

type Page = { readonly sealing: Sealing; readonly rows: ReadonlyArray<Row> }

/** Seals the rows of a page, or counts them. */
const sealPage = async (
  { done }: Reads,
  engine: Engine,
  { isCurrent, open, seal }: Encryption,
  { sealing: { table, rewrite }, rows }: Page,
  how: How,
): Promise<Pick<SealedAnew, 'sealed' | 'unreadable'>> => {
  let unreadable = 0
  const sealAnew = async (row: Row): Promise<ReadonlyArray<Row>> => {
    const before = String(row[table.sealed])
    const isKnown = await done(isCurrent(before))
    if (isKnown && how !== 'verifies') return []
    const context = O.toUndefined(table.contextOf(row))
    const opened = context === undefined ? O.none : await done(open(before, context))
    if (context === undefined || O.isNone(opened)) unreadable += 1
    // A dry run seals as well, so that it fails where the change would.
    else if (!isKnown)
      return [{ ...row, before, anew: how === 'verifies' ? before : await done(seal(opened.value, context)) }]
    return []
  }
  const anew = (await Promise.all(rows.map(sealAnew))).flat()
  if (how !== 'seals' || anew.length === 0) return { sealed: anew.length, unreadable }
  const writing = verb({}, async (tx) => E.right(await Promise.all(anew.map(async (row) => tx.run(rewrite, row)))))
  const written = await done(engine.write(writing))
  return { sealed: written.reduce((sum, each) => sum + each, 0), unreadable }
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

/** So many pages of one table after the other, from a position on. */
const work = (
  engine: Engine,
  encryption: Encryption,
  from: Position | undefined,
  pages: number,
  how: How,
): TE.TaskEither<Unavailable, SealedAnew> =>
  readOn(engine, async (reads) => {
    const found = { values: 0, sealed: 0, unreadable: 0 }
    let position = from
    for (let read = 0; read < pages && position !== undefined; read += 1) {
      const { place, key } = position
      const sealing = sealings[place]
      if (sealing === undefined) break
      const names = sealing.table.key
      const rows = await reads.all(sealing.page, Object.fromEntries(names.map((name, at) => [name, key[at] ?? null])))
      const last = rows.at(-1)
      position = last === undefined ? start(place + 1) : { place, key: names.map((name) => last[name] ?? '') }
      const counts = await sealPage(reads, engine, encryption, { sealing, rows }, how)
      found.values += rows.length
      found.sealed += counts.sealed
      found.unreadable += counts.unreadable
    }
    return position === undefined ? found : { ...found, next: textOf(position) }
  })

/** Opens every value by the keys, and writes nothing. */
export const verifyAll = (engine: Engine, encryption: Encryption): TE.TaskEither<Unavailable, SealedAnew> =>
  work(engine, encryption, start(0), Infinity, 'verifies')

const countAll = statement(
  `SELECT ${sealedTables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')} AS number`,
  {},
  t.type({ number: t.number }),
)

export const createSealAnew = (engine: Engine, encryption: Encryption): Pick<Store, 'sealAnew' | 'countSealed'> => ({
  sealAnew:
    () =>
    ({ after, dryRun }) => {
      const from = after === undefined ? start(0) : positionIn(after)
      return from === undefined
        ? TE.left(invalidRequest('after must be next of the step before'))
        : work(engine, encryption, from, pagesOfStep, dryRun ? 'counts' : 'seals')
    },
  countSealed: readOn(engine, async ({ get }) => (await get(countAll, {}))?.number ?? 0),
})
