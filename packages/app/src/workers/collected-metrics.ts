// The side of the primary: the metrics of its workers, and the counts of those that have ended.
import { type MetricsReport, joinCounts } from '../observing/joined-metrics.js'

export type CollectedMetrics = {
  /** Asks these workers, by their ids, and waits for their reports. */
  readonly collect: (workers: ReadonlyArray<number>) => Promise<ReadonlyArray<MetricsReport>>
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
          resolve(state.retired.then((retired) => [retired, ...reports]))
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
