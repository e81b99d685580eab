// Spends budgets for requests.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { BudgetKind, ExhaustedBudget } from '../abuse/budget-kinds.js'
import type { Source } from '../abuse/source.js'

export type BudgetConsumption = {
  /**
   * Spends one unit of the source, of its network and of all sources. Where the store cannot count, the work is permitted: it
   * fails by itself if it needs the store.
   */
  readonly consumeBudget: (kind: BudgetKind, source: Source) => TE.TaskEither<ExhaustedBudget, void>
}
