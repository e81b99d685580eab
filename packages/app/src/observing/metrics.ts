import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Refused } from './refusals.js'

export type RequestOutcome = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
}

export type Metrics = {
  readonly observe: (request: RequestOutcome) => void
  /** A connection or a request was not admitted. */
  readonly refuse: (what: Refused) => void
  readonly contentType: string
  readonly read: () => Promise<string>
}

type Labels = Readonly<Record<'route' | 'method' | 'status', string>>

/** The requests of one kind: how many there were, and how long they took. */
type Series = {
  readonly labels: Labels
  readonly status: number
  requests: number
  readonly durations: Histogram.Internal<string>
}

const labelNames = ['route', 'method', 'status'] as const

// Because the library takes a microsecond for each addition, it is told the sums, and only when somebody reads them.
const countWhenRead = (registry: Registry, kept: ReadonlyMap<string, ReadonlyArray<Series>>): Counter<keyof Labels> =>
  new Counter({
    name: 'clientele_http_requests_total',
    help: 'Requests that were answered',
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const series of kept.values()) for (const { labels, requests } of series) this.inc(labels, requests)
    },
  })

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']

/** Prometheus metrics. Labels hold routes and never what a request chose freely, so their number is bounded. */
export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Because the library puts the labels together anew at each call, they are kept, by their routes, which bound their number.
  const kept = new Map<string, Array<Series>>()
  countWhenRead(registry, kept)
  const durations = new Histogram({
    name: 'clientele_http_request_duration_seconds',
    help: 'Seconds from the request to the end of its answer',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const keep = (route: string, method: string, status: number): Series => {
    const labels = { route, method, status: String(status) }
    const series = { labels, status, requests: 0, durations: durations.labels(labels) }
    kept.set(route, [...(kept.get(route) ?? []), series])
    return series
  }
  const seriesOf = (route: string, method: string, status: number): Series =>
    kept.get(route)?.find((series) => series.status === status && series.labels.method === method) ??
    keep(route, method, status)
  const refused = new Counter({
    name: 'clientele_refused_total',
    help: 'Connections and requests that were not admitted',
    labelNames: ['what'],
    registers: [registry],
  })
  return {
    refuse: (what) => refused.inc({ what }),
    observe: ({ route, method: asked, status, duration_ms }) => {
      const method = methods.includes(asked) ? asked : 'other'
      const series = seriesOf(route, method, status)
      series.requests += 1
      series.durations.observe(duration_ms / 1000)
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  }
}
