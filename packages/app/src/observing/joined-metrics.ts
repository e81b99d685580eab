// The metrics of several processes as those of one.
import * as t from 'io-ts'
import { AggregatorRegistry, type Registry } from 'prom-client'

/** The metrics of one process, as prom-client gives and takes them. */
export const MetricsReport = t.readonlyArray(t.type({ name: t.string, type: t.string }))
export type MetricsReport = t.TypeOf<typeof MetricsReport>

const reportOf = async (registry: Registry, aggregators: Readonly<Record<string, string>>): Promise<MetricsReport> => {
  const metrics: unknown = (await registry.getMetricsAsJSON()).map((metric) => ({
    ...metric,
    aggregator: aggregators[metric.name] ?? metric.aggregator,
  }))
  return MetricsReport.is(metrics) ? metrics : []
}

// prom-client leaves the start out, and averages quantiles, of which the worst one matters.
const lags = ['', '_p50', '_p90', '_p99'].map((part) => `nodejs_eventloop_lag${part}_seconds`)
const ownAggregators = Object.fromEntries(['process_start_time_seconds', ...lags].map((name) => [name, 'max']))

export const reportMetrics = (registry: Registry): Promise<MetricsReport> => reportOf(registry, ownAggregators)

/** One text, in which each metric says whether it is a sum, an average, or the largest of all. */
export const joinReports = (reports: ReadonlyArray<MetricsReport>): Promise<string> =>
  AggregatorRegistry.aggregate([...reports]).metrics()

const isCount = ({ type }: MetricsReport[number]): boolean => type === 'counter' || type === 'histogram'

/** What was counted in processes that have ended, without what was measured there. */
export const joinCounts = (reports: ReadonlyArray<MetricsReport>): Promise<MetricsReport> =>
  reportOf(AggregatorRegistry.aggregate(reports.map((report) => report.filter(isCount))), {})
