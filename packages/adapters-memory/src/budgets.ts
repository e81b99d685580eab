import { type Budgets, draw, latestStored, maxForgotten } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { State } from './state.js'
import { step } from './step.js'

export const inMemoryBudgets = ({ budgets }: Pick<State, 'budgets'>): Budgets => ({
  drawFromBudget: ({ kind, source, network, limits, most }, now) =>
    step(() => {
      const stored = budgets.get(kind) ?? { all: undefined, sources: new Map<string, number>() }
      const states = { source: stored.sources.get(source), network: stored.sources.get(network), all: stored.all }
      const drawn = draw(limits, states, most, now)
      if (E.isLeft(drawn)) return drawn
      const latest = latestStored(limits, now)
      const { wholeAt } = drawn.right
      const whole = [...stored.sources].filter(([, at]) => at <= now || at > latest)
      for (const [each] of whole.slice(0, maxForgotten.budgets)) stored.sources.delete(each)
      stored.sources.set(source, wholeAt.source)
      stored.sources.set(network, wholeAt.network)
      budgets.set(kind, { all: wholeAt.all, sources: stored.sources })
      return E.right(drawn.right.units)
    }),
})
