// The budgets of anonymous work and failed credentials: docs/abuse.md
export { sourceNamed, sourceOf, type Source } from '../kernel/budgets.js'
export { latestWholeAt, span, consume, unitsOf, type Budget, type Exhausted, type WholeAt } from '../kernel/budgets.js'
export {
  budgetKinds,
  budgetScopes,
  draw,
  latestStored,
  budgetPer,
  limitsPer,
  maxDrawn,
  maxStoredSources,
  refusalReason,
  sourcesOfNetwork,
  unlimited,
  type AbusePolicy,
  type BudgetKind,
  type BudgetLimits,
  type BudgetScope,
  type Drawn,
  type ExhaustedBudget,
  type BudgetStates,
} from '../kernel/budgets.js'
export { type BudgetConsumption } from '../ports/outside.js'
export { type BudgetDraw, type Budgets } from '../ports/store.js'
