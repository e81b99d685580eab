import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { maxClockDifference } from './time.js'
import { ipv6Groups, isIpAddress } from './values.js'

// The generic cell rate algorithm (ITU-T I.371 Annex A): the state of a budget is the time at which it is whole again.

/** So much at once; each unit comes back after so many milliseconds. Whole numbers, at least 1. */
export type Budget = { readonly burst: number; readonly interval: number }

/** In milliseconds since 1970: when the budget is whole again. A past time, or undefined, is a whole budget. */
export type WholeAt = number | undefined

/** Milliseconds after which there is enough for what was refused. */
type Exhausted = { readonly error: 'exhausted'; readonly retryAfter: number }

/** RFC 9110 §10.2.3: whole seconds; after fewer, the request would be refused again. */
export const secondsToWait = ({ retryAfter }: Pick<Exhausted, 'retryAfter'>): number =>
  Math.max(1, Math.ceil(retryAfter / 1000))

/** Two clocks of instances may each differ by so much from that of the store. */
const maxBehind = 2 * maxClockDifference

/** Milliseconds in which a consumed budget becomes whole. */
export const span = ({ burst, interval }: Budget): number => burst * interval

/**
 * No consumption leads further ahead. A later time is from a clock that was set back since, and counts as a whole budget:
 * otherwise it would refuse until the clock is there again.
 */
export const latestWholeAt = (budget: Budget, now: number): number => now + span(budget) + maxBehind

const startOf = (budget: Budget, wholeAt: WholeAt, now: number): number =>
  wholeAt === undefined || wholeAt > latestWholeAt(budget, now) ? now : Math.max(wholeAt, now)

/** The units that can be consumed now. */
export const unitsOf = (budget: Budget, wholeAt: WholeAt, now: number): number =>
  Math.max(0, Math.floor((now + span(budget) - startOf(budget, wholeAt, now)) / budget.interval))

/** Consumes the units, or refuses all of them. More than the burst is refused at any time. */
export const consume = (budget: Budget, wholeAt: WholeAt, units: number, now: number): E.Either<Exhausted, number> => {
  const next = startOf(budget, wholeAt, now) + units * budget.interval
  const over = next - (now + span(budget))
  return over > 0 ? E.left({ error: 'exhausted', retryAfter: over }) : E.right(next)
}

// What anonymous parties and failed credentials cost, and how often: docs/operate/security.md#abuse.

/** The kinds of work that have a budget. */
export const budgetKinds = ['credentials', 'registrations', 'logout_pages', 'authorizations', 'documents'] as const

export type BudgetKind = (typeof budgetKinds)[number]

/** Who shares a budget: a source, the sources of one network, all sources. */
export const budgetScopes = ['source', 'network', 'all'] as const

type BudgetScope = (typeof budgetScopes)[number]

export type BudgetLimits = Readonly<Record<BudgetScope, Budget>>

type BudgetStates = Readonly<Record<BudgetScope, WholeAt>>

/** Whose budget is exhausted; where several are, the narrowest. */
export type ExhaustedBudget = Exhausted & { readonly scope: BudgetScope }

/** The refusal as the log names it: `credentials`, `credentials_in_network`, `credentials_in_all`. */
export const refusalReason = (kind: BudgetKind, { scope }: Pick<ExhaustedBudget, 'scope'>): string =>
  scope === 'source' ? kind : `${kind}_in_${scope}`

type Drawn = { readonly units: number; readonly wholeAt: Readonly<Record<BudgetScope, number>> }

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

// The source of a request: the unit that shares a budget. A subscriber of IPv6 chooses among the addresses of a /64, so
// that only its network tells it from others; and among the /64 of a /56 or a /48 (RFC 6177 §2), so that these together
// are bounded as well.

export interface Source {
  /** An IPv4 address, the /64 of an IPv6 address, or `unknown` for all that is no address. */
  readonly name: string
  /** What one party may have of such sources: the /24 of an IPv4 address, the /48 of an IPv6 address. */
  readonly network: string
}

/** An end-user, or the document of a client, whose work is not counted by an address. */
export const sourceNamed = (kind: 'end-user' | 'document', name: string): Source => ({
  name: `${kind} ${name}`,
  network: `${kind} ${name}`,
})

const unknown: Source = { name: 'unknown', network: 'unknown' }

const octetsOf = (group: number): ReadonlyArray<number> => [group >> 8, group & 255]

// RFC 4291 §2.5.5.2: IPv4 at a socket of IPv6; §2.5.4: the last 64 bits are those of the interface
const mapped = [0, 0, 0, 0, 0, 0xffff]

const ofIpv4 = (address: string): Source => ({
  name: address,
  network: `${address.slice(0, address.lastIndexOf('.'))}.0/24`,
})

const prefixOf = (groups: ReadonlyArray<number>, bits: 48 | 64): string =>
  `${groups
    .slice(0, bits / 16)
    .map((each) => each.toString(16))
    .join(':')}::/${bits}`

const ofIpv6 = (groups: ReadonlyArray<number>): Source =>
  mapped.every((each, place) => groups[place] === each)
    ? ofIpv4(groups.slice(mapped.length).flatMap(octetsOf).join('.'))
    : { name: prefixOf(groups, 64), network: prefixOf(groups, 48) }

// RFC 4007 §11: the zone is of this machine, and not of the sender.
const withoutZone = (address: string): string => {
  const at = address.indexOf('%')
  return at > 0 && address.includes(':') ? address.slice(0, at) : address
}

/** Total: what is no address, or missing, shares one source. */
export const sourceOf = (address: string | undefined): Source => {
  const plain = withoutZone(address ?? '')
  const groups = ipv6Groups(plain)
  if (groups !== undefined) return ofIpv6(groups)
  return isIpAddress(plain) ? ofIpv4(plain) : unknown
}
