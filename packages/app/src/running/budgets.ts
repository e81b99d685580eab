// The budgets of the settings, in the store of all instances. A process consumes units that were drawn together, so that
// not every request writes. Only drawn units are consumed, and those that are lost with the process were drawn in vain.
import type { HashText } from '@clientele/domain/authorization'
import {
  type AbusePolicy,
  type BudgetKind,
  type BudgetLimits,
  type ExhaustedBudget,
  type Source,
  maxDrawn,
} from '@clientele/domain/kernel'
import type { BudgetConsumption, Budgets } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { abusePolicy } from '../config/limits.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import type { Metrics } from '../observing/metrics.js'
import { type Log, reportRefusals } from '../observing/log.js'

/** Milliseconds after which drawn units are lost: no unit is consumed later after its draw. */
export const unitLifetime = 5_000

/** Milliseconds in which the store is not called again after it could not count. */
const uncountedFor = 1_000

/** The maximum number of sources of which a process has a reserve; it forgets the first. */
const maxReserves = 10_000

export type BudgetConsumptionPorts = Budgets & {
  readonly hashToken: HashText
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds since any time, by a clock that is not set back. */
  readonly elapsed: () => number
  /** Called for each refusal. */
  readonly onExhausted: (kind: BudgetKind, scope: ExhaustedBudget['scope']) => void
}

type Refused = { readonly scope: ExhaustedBudget['scope']; readonly until: number }

/** What the process has drawn for a source, or why it has nothing; times are of `elapsed`. */
type Reserve = {
  units: number
  /** The units of the last draw. */
  drawn: number
  /** When the units are lost. */
  until: number
  /** Until when the store does not count. */
  uncountedUntil: number
  refused: Refused | undefined
  drawing: Promise<void> | undefined
}

/** Work of a kind for a source. */
type Work = { readonly kind: BudgetKind; readonly limits: BudgetLimits; readonly source: Source }

/** Sets the value, in place of the first one where there are too many. */
const remember = <Value>(values: Map<string, Value>, key: string, value: Value): Value => {
  const [first] = values.keys()
  if (values.size >= maxReserves && first !== undefined) values.delete(first)
  values.set(key, value)
  return value
}

const createReserves = (): ((work: Work) => Reserve) => {
  const reserves = new Map<string, Reserve>()
  return ({ kind, source }) => {
    const key = `${kind} ${source.name}`
    const empty = { units: 0, drawn: 0, until: 0, uncountedUntil: 0, refused: undefined, drawing: undefined }
    return reserves.get(key) ?? remember(reserves, key, empty)
  }
}

/** A unit, a refusal, or undefined where the store must be called. */
const takeFrom = (
  reserve: Reserve,
  refusedWider: ReadonlyArray<Refused | undefined>,
  at: number,
): E.Either<ExhaustedBudget, void> | undefined => {
  if (reserve.units > 0 && at < reserve.until) {
    reserve.units -= 1
    return E.right(undefined)
  }
  const refused = [reserve.refused, ...refusedWider].find((each) => each !== undefined && at < each.until)
  if (refused !== undefined) return E.left({ error: 'exhausted', scope: refused.scope, retryAfter: refused.until - at })
  return at < reserve.uncountedUntil ? E.right(undefined) : undefined
}

type Draw = (reserve: Reserve, work: Work) => Promise<Refused | undefined>

/** Draws more each time for a source that goes on, so that a single failure costs the budget of all one unit. */
const drawing =
  ({ drawFromBudget, hashToken, now, elapsed }: BudgetConsumptionPorts): Draw =>
  async (reserve, { kind, limits, source }) => {
    const goesOn = elapsed() < reserve.until
    const most = goesOn ? Math.min(2 * reserve.drawn, maxDrawn(limits)) : 1
    const names = { source: hashToken(`source ${source.name}`), network: hashToken(`network ${source.network}`) }
    const drawn = await drawFromBudget({ kind, ...names, limits, most }, now())()
    const at = elapsed()
    if (E.isRight(drawn)) {
      Object.assign(reserve, { units: drawn.right, drawn: drawn.right, until: at + unitLifetime })
      return undefined
    }
    if (drawn.left.error === 'unavailable') {
      reserve.uncountedUntil = at + uncountedFor
      return undefined
    }
    return { scope: drawn.left.scope, until: at + drawn.left.retryAfter }
  }

export const createBudgetConsumption = (policy: AbusePolicy, ports: BudgetConsumptionPorts): BudgetConsumption => {
  const { elapsed, onExhausted } = ports
  const reserveOf = createReserves()
  const refusedAll = new Map<BudgetKind, Refused>()
  const refusedNetworks = new Map<string, Refused>()
  const draw = drawing(ports)

  const drawInto = async (reserve: Reserve, work: Work): Promise<void> => {
    const refused = await draw(reserve, work)
    if (refused?.scope === 'all') refusedAll.set(work.kind, refused)
    // So that a network of many sources does not ask the store for each of them.
    else if (refused?.scope === 'network') remember(refusedNetworks, `${work.kind} ${work.source.network}`, refused)
    else reserve.refused = refused
  }

  const consume = async (work: Work): Promise<E.Either<ExhaustedBudget, void>> => {
    const reserve = reserveOf(work)
    for (;;) {
      const { kind, source } = work
      const wider = [refusedNetworks.get(`${kind} ${source.network}`), refusedAll.get(kind)]
      const taken = takeFrom(reserve, wider, elapsed())
      if (taken !== undefined) return taken
      // Requests that come meanwhile wait for the same draw.
      reserve.drawing ??= drawInto(reserve, work).finally(() => (reserve.drawing = undefined))
      await reserve.drawing
    }
  }

  return {
    consumeBudget: (kind, source) => async () => {
      const limits = policy[kind]
      if (limits === undefined) return E.right(undefined)
      const consumed = await consume({ kind, limits, source })
      if (E.isLeft(consumed)) onExhausted(kind, consumed.left.scope)
      return consumed
    },
  }
}

const elapsed = (): number => performance.now()

export type BudgetsOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly log: Log
  readonly metrics: Metrics
}

export const budgetConsumption = ({ config, data, log, metrics }: BudgetsOptions): BudgetConsumption =>
  createBudgetConsumption(abusePolicy(config), {
    ...data.store.budgets,
    hashToken: data.hashToken,
    now: Date.now,
    elapsed,
    onExhausted: reportRefusals(log, metrics, elapsed),
  })
