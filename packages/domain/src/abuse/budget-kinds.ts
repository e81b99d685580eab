// What anonymous parties and failed credentials cost, and how often: docs/abuse.md.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Budget, type Exhausted, type WholeAt, consume, latestWholeAt, span, unitsOf } from './budget.js'

/** The kinds of work that have a budget. */
export const budgetKinds = ['credentials', 'registrations', 'logout_pages', 'authorizations', 'documents'] as const

export type BudgetKind = (typeof budgetKinds)[number]

/** Who shares a budget: a source, the sources of one network, all sources. */
export const budgetScopes = ['source', 'network', 'all'] as const

export type BudgetScope = (typeof budgetScopes)[number]

export type BudgetLimits = Readonly<Record<BudgetScope, Budget>>

export type BudgetStates = Readonly<Record<BudgetScope, WholeAt>>

/** Whose budget is exhausted; where several are, the narrowest. */
export type ExhaustedBudget = Exhausted & { readonly scope: BudgetScope }

/** The refusal as the log names it: `credentials`, `credentials_in_network`, `credentials_in_all`. */
export const refusalReason = (kind: BudgetKind, { scope }: Pick<ExhaustedBudget, 'scope'>): string =>
  scope === 'source' ? kind : `${kind}_in_${scope}`

export type Drawn = { readonly units: number; readonly wholeAt: Readonly<Record<BudgetScope, number>> }

/** Consumes the same number of units of each budget: as many as all of them have, at most so many, and at least one. */
export const draw = (
  limits: BudgetLimits,
  states: BudgetStates,
  most: number,
  now: number,
): E.Either<ExhaustedBudget, Drawn> => {
  const available = Math.min(...budgetScopes.map((scope) => unitsOf(limits[scope], states[scope], now)))
  const units = Math.max(1, Math.min(most, available))
  const consumed = (scope: BudgetScope): E.Either<ExhaustedBudget, number> =>
    pipe(
      consume(limits[scope], states[scope], units, now),
      E.mapLeft((exhausted) => ({ ...exhausted, scope })),
    )
  return pipe(
    E.Do,
    E.bind('source', () => consumed('source')),
    E.bind('network', () => consumed('network')),
    E.bind('all', () => consumed('all')),
    E.map((wholeAt) => ({ units, wholeAt })),
  )
}

/** Undefined for work that has no limit. */
export type AbusePolicy = Readonly<Record<BudgetKind, BudgetLimits | undefined>>

/** So much in a period of milliseconds, at once or spread over it. */
export const budgetPer = (period: number, units: number): Budget => ({
  burst: units,
  interval: Math.ceil(period / units),
})

/** A network may have as much as so many of its sources. */
export const sourcesOfNetwork = 4

/**
 * A network has the budget of four of its sources, and of half of all at most, so that none stops the work of everybody;
 * but never less than one of its sources.
 */
export const limitsPer = (period: number, ofSource: number, ofAll: number): BudgetLimits => ({
  source: budgetPer(period, ofSource),
  network: budgetPer(period, Math.max(ofSource, Math.min(sourcesOfNetwork * ofSource, Math.floor(ofAll / 2)))),
  all: budgetPer(period, ofAll),
})

/** No limits: for hosts that have their own. */
export const unlimited: AbusePolicy = {
  credentials: undefined,
  registrations: undefined,
  logout_pages: undefined,
  authorizations: undefined,
  documents: undefined,
}

/**
 * The greatest number of units that an instance draws together, so that a source costs few writes, and that one instance
 * does not take all from the others.
 */
export const maxDrawn = ({ source }: BudgetLimits): number => Math.max(1, Math.floor(source.burst / 8))

/** A stored time after this is from a clock that was set back since. */
export const latestStored = ({ source, network }: BudgetLimits, now: number): number =>
  Math.max(latestWholeAt(source, now), latestWholeAt(network, now))

/**
 * The greatest number of sources and networks in the store at a time: each was made by a unit of the budget of all, and
 * is removable when its own is whole again.
 */
export const maxStoredSources = ({ source, network, all }: BudgetLimits): number =>
  2 * all.burst + Math.ceil(span(source) / all.interval) + Math.ceil(span(network) / all.interval)
