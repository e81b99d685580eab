import { type Budgets, draw, latestStored, maxForgotten } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { WriteQueue } from './write-queue.js'

const select = "SELECT source, whole_at FROM budgets WHERE kind = @kind AND source IN ('', @source, @network)"
const insert = `
INSERT INTO budgets (kind, source, whole_at) VALUES (@kind, @source, @wholeAt)
ON CONFLICT (kind, source) DO UPDATE SET whole_at = excluded.whole_at`
const forget = (bound: string): string => `
DELETE FROM budgets WHERE kind = @kind AND source IN
  (SELECT source FROM budgets WHERE kind = @kind AND source <> '' AND ${bound} LIMIT ${maxForgotten.budgets})`

const BudgetRows = t.array(t.type({ source: t.string, whole_at: t.number }))

export const createBudgets = (db: Database.Database, queue: WriteQueue): Budgets => {
  const selecting = db.prepare(select)
  const inserting = db.prepare(insert)
  const forgetWhole = db.prepare(forget('whole_at <= @now'))
  const forgetLater = db.prepare(forget('whole_at > @latest'))
  return {
    drawFromBudget: ({ kind, source, network, limits, most }, now) =>
      queue.write(() => {
        const rows: unknown = selecting.all({ kind, source, network })
        const stored = BudgetRows.is(rows) ? rows : []
        const wholeAt = (name: string) => stored.find((row) => row.source === name)?.whole_at
        const drawn = draw(limits, { source: wholeAt(source), network: wholeAt(network), all: wholeAt('') }, most, now)
        if (E.isLeft(drawn)) return drawn
        forgetWhole.run({ kind, now })
        forgetLater.run({ kind, latest: latestStored(limits, now) })
        const { all, network: ofNetwork, source: ofSource } = drawn.right.wholeAt
        inserting.run({ kind, source: '', wholeAt: all })
        inserting.run({ kind, source: network, wholeAt: ofNetwork })
        inserting.run({ kind, source, wholeAt: ofSource })
        return E.right(drawn.right.units)
      }),
  }
}
