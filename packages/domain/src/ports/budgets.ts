// The budgets of anonymous work and failed credentials, which all instances share. Only what was drawn here is spent, so
// that several instances together spend no more than one.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import type { BudgetKind, BudgetLimits, ExhaustedBudget } from '../abuse/budget-kinds.js'
import type { Unavailable } from '../errors.js'

export type BudgetDraw = {
  readonly kind: BudgetKind
  /** The keyed digests of the source and of its network, so that the store has no address. */
  readonly source: TokenHash
  readonly network: TokenHash
  readonly limits: BudgetLimits
  /** The greatest number of units. */
  readonly most: number
}

export type Budgets = {
  /**
   * Spends units of the source, of its network and of all sources of the kind (`draw`), at the time in milliseconds since
   * 1970: of all three or of none. A refusal stores nothing. Sources and networks whose budget is whole at that time may
   * be removed, at most maxForgotten of them.
   */
  readonly drawFromBudget: (draw: BudgetDraw, now: number) => TE.TaskEither<ExhaustedBudget | Unavailable, number>
}
