// The budgets of anonymous work: when that of a source, of its network and of all sources of a kind is whole again.
import { draw, latestStored } from '@clientele/domain/kernel'
import { type Budgets, maxForgotten } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { change, insertion, statement, together } from './statement.js'
import { type Engine, type Shared, verb } from './verb.js'

/** The source of the row of all sources. */
const everyone = ''

const select = together(
  statement(
    `SELECT source, whole_at FROM budgets WHERE kind = :kind AND source IN ('${everyone}', :network, :source)`,
    { kind: 'text', network: 'text', source: 'text' },
    t.type({ source: t.string, whole_at: t.number }),
  ),
)
// Each of the two is a range of the index.
const sources = `SELECT source FROM budgets WHERE kind = :kind AND source <> '${everyone}' AND`
const forget = change(
  `
DELETE FROM budgets WHERE kind = :kind AND source IN (
  SELECT source FROM (${sources} whole_at <= :now UNION ALL ${sources} whole_at > :latest) AS others
  LIMIT ${maxForgotten.budgets})`,
  { kind: 'text', now: 'number', latest: 'number' },
)
const store = insertion(
  'budgets',
  { kind: 'text', source: 'text', whole_at: 'number' },
  { key: ['kind', 'source'], onConflict: 'ON CONFLICT (kind, source) DO UPDATE SET whole_at = excluded.whole_at' },
)

/** What the draws of a transaction have left, by kind and source, and the kinds of which rows were forgotten. */
const left: Shared<{ readonly wholeAt: Map<string, number>; readonly forgotten: Set<string> }> = {
  make: () => ({ wholeAt: new Map(), forgotten: new Set() }),
}

export const createBudgets = (engine: Engine): Budgets => ({
  drawFromBudget: ({ kind, source, network, limits, most }, now) =>
    engine.write(
      verb({ counts: [`budget ${kind}`] }, async (tx) => {
        const rows = await tx.all(select, { kind, source, network })
        const { wholeAt, forgotten } = tx.share(left)
        const of = (name: string): number | undefined =>
          wholeAt.get(`${kind} ${name}`) ?? rows.find((row) => row.source === name)?.whole_at
        const drawn = draw(limits, { source: of(source), network: of(network), all: of(everyone) }, most, now)
        if (E.isLeft(drawn)) return drawn
        const next = drawn.right.wholeAt
        const written = [
          { kind, source: everyone, whole_at: next.all },
          { kind, source: network, whole_at: next.network },
          { kind, source, whole_at: next.source },
        ]
        for (const row of written) wholeAt.set(`${kind} ${row.source}`, row.whole_at)
        const forgets = !forgotten.has(kind)
        forgotten.add(kind)
        await Promise.all([
          forgets ? tx.run(forget, { kind, now, latest: latestStored(limits, now) }) : 0,
          ...written.map(async (row) => tx.run(store, row)),
        ])
        return E.right(drawn.right.units)
      }),
    ),
})
