import { type Budgets, draw, latestWholeAt, maxForgotten } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { State } from './state.js'
import { step } from './step.js'

export const inMemoryBudgets = ({ budgets }: Pick<State, 'budgets'>): Budgets => ({
  drawFromBudget: ({ kind, source, limits, most }, now) =>
    step(() => {
      const stored = budgets.get(kind) ?? { all: undefined, sources: new Map<string, number>() }
      const drawn = draw(limits, { ofSource: stored.sources.get(source), ofAll: stored.all }, most, now)
      if (E.isLeft(drawn)) return drawn
      const latest = latestWholeAt(limits.ofSource, now)
      const whole = [...stored.sources].filter(([, wholeAt]) => wholeAt <= now || wholeAt > latest)
      for (const [each] of whole.slice(0, maxForgotten.budgets)) stored.sources.delete(each)
      stored.sources.set(source, drawn.right.ofSource)
      budgets.set(kind, { all: drawn.right.ofAll, sources: stored.sources })
      return E.right(drawn.right.units)
    }),
})
