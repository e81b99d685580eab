import { type BudgetDraw, type Budgets, draw, latestStored, maxForgotten } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Database, Query } from './database.js'

// Draws of one kind run one after the other: each locks the row of all sources first, which is never removed.
const lockAll = {
  name: 'lock_budget',
  text: `
INSERT INTO budgets AS budget (kind, source, whole_at) VALUES ($1, '', 0)
ON CONFLICT (kind, source) DO UPDATE SET whole_at = budget.whole_at RETURNING whole_at`,
}
const selectSources = {
  name: 'select_budgets',
  text: 'SELECT source, whole_at FROM budgets WHERE kind = $1 AND source IN ($2, $3)',
}
const store = {
  name: 'store_budgets',
  text: `
INSERT INTO budgets (kind, source, whole_at) VALUES ($1, '', $2), ($1, $3, $4), ($1, $5, $6)
ON CONFLICT (kind, source) DO UPDATE SET whole_at = excluded.whole_at`,
}
const forget = {
  name: 'forget_budgets',
  text: `
DELETE FROM budgets WHERE kind = $1 AND source IN
  (SELECT source FROM budgets WHERE kind = $1 AND source <> '' AND (whole_at <= $2 OR whole_at > $3)
   LIMIT ${maxForgotten.budgets})`,
}

const BudgetRow = t.type({ whole_at: t.number })
const SourceRow = t.type({ source: t.string, whole_at: t.number })

const drawBy =
  ({ kind, source, network, limits, most }: BudgetDraw, now: number) =>
  async (query: Query) => {
    const [ofAll] = (await query(lockAll, [kind])).filter(BudgetRow.is)
    const stored = (await query(selectSources, [kind, source, network])).filter(SourceRow.is)
    const wholeAt = (name: string) => stored.find((row) => row.source === name)?.whole_at
    const states = { source: wholeAt(source), network: wholeAt(network), all: ofAll?.whole_at }
    const drawn = draw(limits, states, most, now)
    if (E.isLeft(drawn)) return drawn
    await query(forget, [kind, now, latestStored(limits, now)])
    const next = drawn.right.wholeAt
    await query(store, [kind, next.all, network, next.network, source, next.source])
    return E.right(drawn.right.units)
  }

export const createBudgets = (db: Database): Budgets => ({
  // A draw whose commit was lost is drawn again: too much is spent then, never too little.
  drawFromBudget: (wanted, now) => db.transaction({ run: drawBy(wanted, now) }),
})
