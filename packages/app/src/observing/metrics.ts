// What the service counts and measures, in the format of Prometheus. docs/operate/observe.md lists all. Labels contain routes and
// never values of requests, so that their number is limited.
import type { HttpLogEntry, Listener } from '@clientele/adapters-http'
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import { type BudgetKind, ruleTexts } from '@clientele/domain/kernel'
import type { Door } from '@clientele/domain/life-cycle'
import type { Commit } from '@clientele/domain/ports'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { type MetricsReport, reportMetrics } from './joined-metrics.js'
import { type Watched, createStoredMetrics } from './stored-metrics.js'

/** What a request adds to the metrics. */
type ObservedRequest = Pick<HttpLogEntry, 'method' | 'route' | 'status' | 'duration_ms'> &
  Partial<Pick<HttpLogEntry, 'error' | 'rules' | 'client_id' | 'actor' | 'asked'>>

/**
 * What was refused: admission of a connection, of a request, or of a connection with too many requests at once; or a
 * request without a budget for it.
 */
export type Refused = 'connection' | 'request' | 'pipelining' | BudgetKind

export type Metrics = {
  readonly observe: (request: ObservedRequest, doorOf: DoorOf) => void
  readonly commit: (commit: Commit) => void
  /** Reads the store and the keys at each scrape. */
  readonly watch: (watched: Watched) => void
  /** Counts a connection or a request that was refused admission. */
  readonly refuse: (what: Refused) => void
  /** The seconds by which the clocks of this machine and of the store differ. */
  readonly setClockDifference: (seconds: number) => void
  readonly contentType: string
  readonly read: () => Promise<string>
  /** The same, of which the primary of several workers makes one text. */
  readonly report: () => Promise<MetricsReport>
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']

const observingAnswers = (registry: Registry): ((request: ObservedRequest) => void) => {
  const labelNames = ['route', 'method', 'status'] as const
  const registers = [registry]
  const answered = new Counter({
    name: 'clientele_http_requests_total',
    help: 'Requests that were answered',
    labelNames,
    registers,
  })
  const durations = new Histogram({
    name: 'clientele_http_request_duration_seconds',
    help: 'Seconds from the request to the end of its answer',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  return ({ route, method, status, duration_ms }) => {
    const labels = { route, method: methods.includes(method) ? method : 'other', status }
    answered.inc(labels)
    durations.observe(labels, duration_ms / 1000)
  }
}

// RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 8707 §2, RFC 9126 §2.3
const errorsOfStandards = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_target',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]
const knownErrors = new Set([...Object.keys(refusalStatuses), ...errorsOfStandards])

const among = (isKnown: boolean, label: string): string => (isKnown ? label : 'other')

/** The error and the rules of a refusal, each as a label. */
export const labelsOf = (
  error: string,
  rules: ReadonlyArray<string> = [],
): { readonly error: string; readonly rules: ReadonlyArray<string> } => ({
  error: among(knownErrors.has(error), error),
  rules: rules.map((rule) => among(Object.hasOwn(ruleTexts, rule), rule)),
})

const knownCredentials = ['registration_access_token', 'initial_access_token', 'operator_token', 'master']

/** A token that is unknown, and one that counts elsewhere only, have the kind `token`. */
const credentialOf = ({ actor }: ObservedRequest): string | undefined =>
  knownCredentials.find((kind) => kind === actor?.kind)

/** Where a request came in, as a label with few values. */
export type MetricDoor = Door | 'management' | 'none'

const doorsOfEngine = [
  ['/authorize', 'authorize'],
  ['/authorize/:id', 'authorize'],
  ['/token', 'token'],
  ['/userinfo', 'token'],
  ['/introspect', 'token'],
  ['/revoke', 'token'],
  ['/par', 'token'],
] as const

export type DoorOf = (request: Pick<HttpLogEntry, 'method' | 'route'>) => MetricDoor

/** The doors of a service whose base URL has the path: a route is a pattern below it, or on the socket of the commands without it. */
export const doorsOf = (base: string, logoutPath: string): DoorOf => {
  const doors = new Map<string, MetricDoor>([
    ...doorsOfEngine,
    ['/clients/:id', 'configuration'],
    [logoutPath, 'logout'],
    [`${logoutPath}/confirm`, 'logout'],
  ])
  return ({ method, route }) => {
    if (route === '(none)') return 'none'
    const pattern = route.replaceAll('\\', '')
    const path = pattern.startsWith(`${base}/`) ? pattern.slice(base.length) : pattern
    return method === 'POST' && path === '/clients' ? 'registration' : (doors.get(path) ?? 'management')
  }
}

const registrants: Readonly<Record<string, string>> = {
  initial_access_token: 'initial_access_token',
  master: 'operator',
  operator_token: 'operator',
  store: 'operator',
  none: 'anonymous',
}

const observingOutcomes = (registry: Registry): Metrics['observe'] => {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const registrations = counter('clientele_registrations_total', 'Registered clients, by their registrant', ['by'])
  const refusals = counter('clientele_refusals_total', 'Refused requests, by door and error code', ['door', 'error'])
  const rules = counter('clientele_refused_rules_total', 'Refused bodies, by door and violated rule', ['door', 'rule'])
  const credentials = counter(
    'clientele_credential_refusals_total',
    'Refused requests with a known credential, by its kind and the violated rule or error code',
    ['credential', 'rule'],
  )
  const issued = counter(
    'clientele_initial_access_tokens_issued_total',
    'Initial access tokens issued by operators',
    [],
  )
  const consumed = counter(
    'clientele_initial_access_tokens_consumed_total',
    'Initial access tokens that registered a client',
    [],
  )
  const refuse = (door: MetricDoor, request: ObservedRequest, error: string): void => {
    const { error: code, rules: violated } = labelsOf(error, request.rules)
    const credential = credentialOf(request)
    refusals.inc({ door, error: code })
    for (const rule of violated) rules.inc({ door, rule })
    if (credential === undefined) return
    for (const rule of violated.length === 0 ? [code] : violated) credentials.inc({ credential, rule })
  }
  const register = (kind: string): void => {
    registrations.inc({ by: registrants[kind] ?? 'anonymous' })
    if (kind === 'initial_access_token') consumed.inc()
  }
  return (request, doorOf) => {
    const { error, client_id, actor, asked } = request
    if (error !== undefined) return refuse(doorOf(request), request, error)
    // A page of the console asks for what programs ask themselves.
    const [method = '', route = ''] = asked?.split(' ') ?? [request.method, request.route]
    // A dry run has no client_id.
    if (doorOf({ method, route }) === 'registration' && client_id !== undefined) register(actor?.kind ?? 'none')
    if (method === 'POST' && route.endsWith('/direct-authz')) issued.inc()
  }
}

const observingCommits = (registry: Registry): Metrics['commit'] => {
  const registers = [registry]
  const writes = new Histogram({
    name: 'clientele_commit_writes',
    help: 'Writes that share a commit',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  })
  const seconds = new Histogram({
    name: 'clientele_commit_duration_seconds',
    help: 'Seconds of a commit, with its synchronization to the disk',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers,
  })
  return (commit) => {
    writes.observe(commit.writes)
    seconds.observe(commit.seconds)
  }
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // In this order they stand in the document.
  const observeAnswer = observingAnswers(registry)
  const refused = new Counter({
    name: 'clientele_refused_total',
    help: 'Connections and requests that were not admitted',
    labelNames: ['what'],
    registers: [registry],
  })
  const refreshStored = createStoredMetrics(registry)
  const observeOutcome = observingOutcomes(registry)
  const commit = observingCommits(registry)
  const clockDifference = new Gauge({
    name: 'clientele_clock_difference_seconds',
    help: 'Seconds by which the clocks of this machine and of the store differ',
    aggregator: 'max',
    registers: [registry],
  })
  const state: { watched: Watched | undefined } = { watched: undefined }
  const refresh = async (): Promise<void> => {
    if (state.watched !== undefined) await refreshStored(state.watched)
  }
  return {
    commit,
    watch: (watched) => void (state.watched = watched),
    setClockDifference: (seconds) => clockDifference.set(seconds),
    refuse: (what) => refused.inc({ what }),
    observe: (request, doorOf) => {
      observeAnswer(request)
      observeOutcome(request, doorOf)
    },
    contentType: registry.contentType,
    read: () => refresh().then(() => registry.metrics()),
    report: () => refresh().then(() => reportMetrics(registry)),
  }
}

/** Answers GET and HEAD of /metrics, and passes all other requests to the listener. */
export const withMetrics =
  (metrics: Metrics, listener: Listener): Listener =>
  (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || request.url?.split('?')[0] !== '/metrics') return listener(request, response)
    return metrics.read().then(
      (text) => void response.setHeader('Content-Type', metrics.contentType).end(text),
      () => void response.writeHead(refusalStatuses.defect).end(),
    )
  }
