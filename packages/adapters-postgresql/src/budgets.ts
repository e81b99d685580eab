import { type BudgetDraw, type Budgets, draw, latestWholeAt, maxForgotten } from '@clientele/domain'
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
const selectSource = { name: 'select_budget', text: 'SELECT whole_at FROM budgets WHERE kind = $1 AND source = $2' }
const store = {
  name: 'store_budgets',
  text: `
INSERT INTO budgets (kind, source, whole_at) VALUES ($1, '', $2), ($1, $3, $4)
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

const wholeAtIn = ([row]: ReadonlyArray<unknown>): number | undefined => (BudgetRow.is(row) ? row.whole_at : undefined)

const drawBy =
  ({ kind, source, limits, most }: BudgetDraw, now: number) =>
  async (query: Query) => {
    const ofAll = wholeAtIn(await query(lockAll, [kind]))
    const ofSource = wholeAtIn(await query(selectSource, [kind, source]))
    const drawn = draw(limits, { ofSource, ofAll }, most, now)
    if (E.isLeft(drawn)) return drawn
    await query(forget, [kind, now, latestWholeAt(limits.ofSource, now)])
    await query(store, [kind, drawn.right.ofAll, source, drawn.right.ofSource])
    return E.right(drawn.right.units)
  }

export const createBudgets = (db: Database): Budgets => ({
  // A draw whose commit was lost is drawn again: too much is spent then, never too little.
  drawFromBudget: (wanted, now) => db.transaction({ run: drawBy(wanted, now) }),
})
