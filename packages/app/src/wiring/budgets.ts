// The budgets of the settings, in the store of all instances.
import { createBudgetConsumption } from '@clientele/adapters-memory'
import type { BudgetConsumption } from '@clientele/domain'
import { abusePolicy } from '../config/abuse-settings.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import type { Metrics } from '../observing/metrics.js'
import { reportRefusals } from '../observing/refusals.js'

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
