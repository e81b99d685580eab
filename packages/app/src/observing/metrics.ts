import type { Listener } from '@clientele/adapters-http'
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { Commit } from '@clientele/domain/ports'
import { type ObservedRequest, type Watched, createServiceMetrics } from './service-metrics.js'
import { type MetricsReport, reportMetrics } from './joined-metrics.js'
import type { Refused } from './refusals.js'
import { observingRequests } from './request-series.js'

export type Metrics = {
  readonly observe: (request: ObservedRequest) => void
  readonly commit: (commit: Commit) => void
  /** Reads the store and the keys at each scrape. */
  readonly watch: (watched: Watched) => void
  /** Counts a connection or a request that was refused admission. */
  readonly refuse: (what: Refused) => void
  /** The seconds by which the clocks of this machine and of the store differ. */
  readonly setClockDifference: (seconds: number) => void
  readonly contentType: string
  readonly read: () => Promise<string>
  /** The same for `joinReports`. */
  readonly report: () => Promise<MetricsReport>
}

const clockGauge = (registry: Registry): Metrics['setClockDifference'] => {
  const gauge = new Gauge({
    name: 'clientele_clock_difference_seconds',
    help: 'Seconds by which the clocks of this machine and of the store differ',
    aggregator: 'max',
    registers: [registry],
  })
  return (seconds) => gauge.set(seconds)
}

/** Prometheus metrics. Labels contain routes and never values of requests, so that their number is limited. */
export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const observe = observingRequests(registry)
  const refused = new Counter({
    name: 'clientele_refused_total',
    help: 'Connections and requests that were not admitted',
    labelNames: ['what'],
    registers,
  })
  const service = createServiceMetrics(registry)
  const state: { watched: Watched | undefined } = { watched: undefined }
  const refresh = async (): Promise<void> => {
    if (state.watched !== undefined) await service.refresh(state.watched)
  }
  return {
    commit: service.commit,
    watch: (watched) => void (state.watched = watched),
    setClockDifference: clockGauge(registry),
    refuse: (what) => refused.inc({ what }),
    observe: (request) => {
      observe(request)
      service.observe(request)
    },
    contentType: registry.contentType,
    read: () => refresh().then(() => registry.metrics()),
    report: () => refresh().then(() => reportMetrics(registry)),
  }
}

/** For a route that needs an operator token. */
export const metricsAsText =
  ({ read, contentType }: Metrics) =>
  async (): Promise<{ readonly contentType: string; readonly text: string }> => ({ contentType, text: await read() })

/** Answers GET /metrics, and passes all other requests to the listener. */
export const withMetrics =
  (metrics: Metrics, listener: Listener): Listener =>
  (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return listener(request, response)
    return metrics.read().then(
      (text) => void response.setHeader('Content-Type', metrics.contentType).end(text),
      () => void response.writeHead(refusalStatuses.defect).end(),
    )
  }
