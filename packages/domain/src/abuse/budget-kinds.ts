// What anonymous parties and failed credentials cost, and how often: docs/abuse.md.
import * as E from 'fp-ts/lib/Either.js'
import { type Budget, type Exhausted, type WholeAt, span, consume, unitsOf } from './budget.js'

/** The kinds of work that have a budget. */
export const budgetKinds = ['credentials', 'registrations', 'logout_pages', 'authorizations'] as const

export type BudgetKind = (typeof budgetKinds)[number]

/** The budget of each source, and that of all sources together. */
export type BudgetLimits = { readonly ofSource: Budget; readonly ofAll: Budget }

/** The states of both. */
export type BudgetStates = { readonly ofSource: WholeAt; readonly ofAll: WholeAt }

/** Whose budget is exhausted; where both are, that of the source. */
export type ExhaustedBudget = Exhausted & { readonly scope: 'source' | 'all' }

export type Drawn = { readonly units: number; readonly ofSource: number; readonly ofAll: number }

/** Consumes the same number of units of both budgets: as many as both have, at most so many, and at least one. */
export const draw = (
  limits: BudgetLimits,
  states: BudgetStates,
  most: number,
  now: number,
): E.Either<ExhaustedBudget, Drawn> => {
  const available = Math.min(unitsOf(limits.ofSource, states.ofSource, now), unitsOf(limits.ofAll, states.ofAll, now))
  const units = Math.max(1, Math.min(most, available))
  const ofSource = consume(limits.ofSource, states.ofSource, units, now)
  if (E.isLeft(ofSource)) return E.left({ ...ofSource.left, scope: 'source' })
  const ofAll = consume(limits.ofAll, states.ofAll, units, now)
  if (E.isLeft(ofAll)) return E.left({ ...ofAll.left, scope: 'all' })
  return E.right({ units, ofSource: ofSource.right, ofAll: ofAll.right })
}

/** Undefined for work that has no limit. */
export type AbusePolicy = Readonly<Record<BudgetKind, BudgetLimits | undefined>>

/** Milliseconds. */
export const minute = 60_000
export const day = 86_400_000

/** So much in a period of milliseconds, at once or spread over it. */
export const budgetPer = (period: number, units: number): Budget => ({
  burst: units,
  interval: Math.ceil(period / units),
})

export const limitsPer = (period: number, ofSource: number, ofAll: number): BudgetLimits => ({
  ofSource: budgetPer(period, ofSource),
  ofAll: budgetPer(period, ofAll),
})

/** No limits: for hosts that have their own. */
export const unlimited: AbusePolicy = {
  credentials: undefined,
  registrations: undefined,
  logout_pages: undefined,
  authorizations: undefined,
}

/**
 * The greatest number of units that an instance draws together, so that a source costs few writes, and that one instance
 * does not take all from the others.
 */
export const maxDrawn = ({ ofSource }: BudgetLimits): number => Math.max(1, Math.floor(ofSource.burst / 8))

/**
 * The greatest number of sources in the store at a time: each was made by a unit of the budget of all, and is removable
 * when its own is whole again.
 */
export const maxStoredSources = ({ ofSource, ofAll }: BudgetLimits): number =>
  ofAll.burst + Math.ceil(span(ofSource) / ofAll.interval)
