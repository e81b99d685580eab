// How many requests of each route, method and status were answered, and in which time. The series are found by these
// three, where prom-client sorts and joins the labels of each sample. docs/decisions/0148.
import { Counter, Histogram, type Registry } from 'prom-client'
import type { ObservedRequest } from './refusal-labels.js'

const labelNames = ['route', 'method', 'status'] as const
type Label = (typeof labelNames)[number]
type Labels = Readonly<Record<Label, string>>

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']

/** Upper bounds of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

type Series = {
  readonly labels: Labels
  /** How many took longer than the bound before, and not longer than this one. */
  readonly inBuckets: number[]
  count: number
  seconds: number
}

/** As prom-client stores them; it adds `sharedLabels` to `labels`. */
type Sample = {
  readonly metricName: string
  readonly labels: { readonly le?: number | '+Inf' }
  readonly sharedLabels: Labels
  readonly value: number
}

const durationName = 'clientele_http_request_duration_seconds'

const samplesOf = ({ labels: sharedLabels, inBuckets, count, seconds }: Series): ReadonlyArray<Sample> => {
  const sample = (part: string, value: number, labels: Sample['labels'] = {}): Sample => ({
    metricName: `${durationName}_${part}`,
    labels,
    sharedLabels,
    value,
  })
  let upTo = 0
  const buckets = bounds.map((le, place) => sample('bucket', (upTo += inBuckets[place] ?? 0), { le }))
  return [...buckets, sample('bucket', count, { le: '+Inf' }), sample('sum', seconds), sample('count', count)]
}

/** The value of a key, made at its first use. */
const valueAt = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const createSeries = () => {
  const all: Series[] = []
  const places = new Map<string, Map<string, Map<number, Series>>>()
  const make = (route: string, method: string, status: number): Series => {
    const labels = { route, method, status: String(status) }
    const series = { labels, inBuckets: bounds.map(() => 0), count: 0, seconds: 0 }
    all.push(series)
    return series
  }
  const at = (route: string, method: string, status: number): Series => {
    const ofRoute = valueAt(places, route, () => new Map<string, Map<number, Series>>())
    const ofMethod = valueAt(ofRoute, method, () => new Map<number, Series>())
    return valueAt(ofMethod, status, () => make(route, method, status))
  }
  return { all, at }
}

export const observingRequests = (registry: Registry): ((request: ObservedRequest) => void) => {
  const registers = [registry]
  const { all, at } = createSeries()
  new Counter({
    name: 'clientele_http_requests_total',
    help: 'Requests that were answered',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { labels, count } of all) this.inc(labels, count)
    },
  })
  const help = 'Seconds from the request to the end of its answer'
  const durations = new Histogram({ name: durationName, help, labelNames, registers })
  // prom-client reads every metric by this method that has it, for texts and for the reports of workers.
  Object.assign(durations, {
    getForPromString: () =>
      Promise.resolve({
        name: durationName,
        help,
        type: 'histogram',
        aggregator: 'sum',
        values: all.flatMap(samplesOf),
      }),
  })
  return ({ route, method, status, duration_ms }) => {
    const series = at(route, methods.includes(method) ? method : 'other', status)
    const seconds = duration_ms / 1000
    const place = bounds.findIndex((bound) => seconds <= bound)
    series.count += 1
    series.seconds += seconds
    if (place !== -1) series.inBuckets[place] = (series.inBuckets[place] ?? 0) + 1
  }
}
