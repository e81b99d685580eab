// The metrics of several processes as those of one: each worker reports its own, and the primary joins them.
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

const isCount = ({ type }: MetricsReport[number]): boolean => type === 'counter' || type === 'histogram'

/** What was counted in processes that have ended, without what was measured there. */
const joinCounts = (reports: ReadonlyArray<MetricsReport>): Promise<MetricsReport> =>
  reportOf(AggregatorRegistry.aggregate(reports.map((report) => report.filter(isCount))), {})

export type CollectedMetrics = {
  /** Asks these workers, by their ids, and waits for their reports; then all of them in one text. */
  readonly collect: (workers: ReadonlyArray<number>) => Promise<string>
  readonly take: (worker: number, id: number, report: MetricsReport) => void
  /** The counts of a worker that has ended stay, so that no sum ever falls. */
  readonly retire: (worker: number) => void
}

type Collection = { readonly awaited: Set<number>; readonly end: () => void }

/** Milliseconds for a report; the last one of a worker counts for a worker that does not answer. */
const reportLimit = 1_000

export const collectMetrics = (want: (worker: number, id: number) => void): CollectedMetrics => {
  const last = new Map<number, MetricsReport>()
  const collections = new Map<number, Collection>()
  const state = { collected: 0, retired: Promise.resolve<MetricsReport>([]) }
  const settle = ({ awaited, end }: Collection, worker: number): void => {
    if (awaited.delete(worker) && awaited.size === 0) end()
  }
  return {
    collect: (workers) =>
      new Promise((resolve) => {
        state.collected += 1
        const id = state.collected
        const end = (): void => {
          clearTimeout(limit)
          collections.delete(id)
          const reports = [...last.values()]
          resolve(state.retired.then((retired) => AggregatorRegistry.aggregate([retired, ...reports]).metrics()))
        }
        const limit = setTimeout(end, reportLimit)
        collections.set(id, { awaited: new Set(workers), end })
        for (const worker of workers) want(worker, id)
      }),
    take: (worker, id, report) => {
      last.set(worker, report)
      const collection = collections.get(id)
      if (collection !== undefined) settle(collection, worker)
    },
    retire: (worker) => {
      const report = last.get(worker) ?? []
      state.retired = state.retired.then((retired) => joinCounts([retired, report]))
      last.delete(worker)
      for (const collection of collections.values()) settle(collection, worker)
    },
  }
}
