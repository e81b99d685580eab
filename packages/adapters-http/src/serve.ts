// A request and its answer, from its arrival to its log entry: the same in every shell.
import type { AuditOrigin } from '@clientele/domain/audit'
import { invalidRequest, sourceOf, tooManyRequests } from '@clientele/domain/kernel'
import { softwareOf } from '@clientele/domain/managing'
import { unlimited } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import {
  type HttpRequest,
  type Query,
  type ReadBytes,
  type ReceivedRequest,
  type RequestBody,
  presentedCredential,
  readBody,
  valuesOf,
} from './http/request.js'
import {
  type Chunks,
  type HttpResponse,
  type ResponseHeaders,
  aboutClient,
  documentedBody,
  emptyResponse,
  errorResponse,
  reportingErrors,
  transportResponse,
} from './http/response.js'
import { createBrowserPages } from './pages/page-response.js'
import type { HttpLogEntry, HttpPorts, ShellPorts } from './ports.js'
import { providerMetadata } from './routes/published.js'
import { type FoundRoute, type Route, byCaller, createRoutesAt, methodsOf } from './routes/route.js'
import type { HttpSettings } from './settings.js'
import { refusalStatuses } from './statuses.js'

/** The contents of the log entry, filled in while the request is answered. */
export type Report = {
  readonly received: ReceivedRequest
  readonly beganAt: number
  route: string
  response: HttpResponse
  /** Why a stream ended early. */
  fault: unknown
  ended: boolean
}

const unanswered = emptyResponse(0)

/** The name in the log where no route answers. */
export const noRoute = '(none)'

export const begin = (received: ReceivedRequest): Report => ({
  received,
  beganAt: performance.now(),
  route: noRoute,
  response: unanswered,
  fault: undefined,
  ended: false,
})

type Members = { -readonly [Name in keyof HttpLogEntry]: HttpLogEntry[Name] }

// Members are added one by one: spreads of what is mostly absent would take as long as the rest of the entry.
const addOutcome = (entry: Members, { response, fault }: Report): void => {
  const { detail = fault, reason, refusal, client_id, actor, asked } = response
  if (detail !== undefined) entry.detail = detail
  if (reason !== undefined) entry.reason = reason
  if (refusal !== undefined) Object.assign(entry, refusal)
  if (client_id !== undefined) entry.client_id = client_id
  if (actor !== undefined) entry.actor = actor
  if (asked !== undefined) entry.asked = asked
}

const entryOf = (report: Report): HttpLogEntry => {
  const { received, beganAt, route, response } = report
  const { method, remoteAddress, requestId: request_id, traced } = received
  const { status } = response
  const duration_ms = Math.round((performance.now() - beganAt) * 10) / 10
  const entry: Members =
    remoteAddress === undefined
      ? { request_id, method, route, status, duration_ms }
      : { request_id, remote_address: remoteAddress, method, route, status, duration_ms }
  addOutcome(entry, report)
  if (traced !== undefined) {
    entry.trace_id = traced.context.traceId
    entry.span_id = traced.context.spanId
  }
  return entry
}

/** Writes the log entry once, whatever ends the request first. */
export const ending =
  (report: Report, log: ShellPorts<never>['log']): (() => void) =>
  () => {
    if (report.ended) return
    report.ended = true
    const entry = entryOf(report)
    log(entry, report.response.software)
    report.received.traced?.end(entry)
  }

const allowed = (origin: string): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Location, ETag, Retry-After',
})

/** Fetch §3.2: pages of the listed origins, or of any with *, may call registration; pages of any origin may read published documents. */
export const crossOriginHeaders = (
  origins: Route['origins'],
  listed: ReadonlyArray<string>,
  origin: string | undefined,
): Readonly<Record<string, string>> => {
  if (origins === 'any') return allowed('*')
  if (origins === 'none' || listed.length === 0) return {}
  // Registration takes bearer tokens alone, and no cookie that a page could use.
  if (listed.includes('*')) return allowed('*')
  return origin !== undefined && listed.includes(origin) ? { Vary: 'Origin', ...allowed(origin) } : { Vary: 'Origin' }
}

/** Fetch §3.2.2: the methods and headers that a page may send; clients of the Model Context Protocol name its version when they read metadata. */
export const preflightHeaders = (methods: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age': '600',
})

/** The policy of every answer at an address. */
type AnswerPolicy = Pick<Route, 'origins' | 'stored'>

/** The policy where there is no route. */
const unpublished: AnswerPolicy = { origins: 'none', stored: false }

/** An answer with all of its headers except those for framing, which the shell adds. */
export type Answer = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly setCookies: ReadonlyArray<string>
  readonly content: string | Chunks | undefined
  /** RFC 9112 §9.6: after an unread body, the connection cannot be reused. */
  readonly leavesBody: boolean
}

const contentOf = (body: HttpResponse['body'], report: Report): Answer['content'] => {
  switch (body.kind) {
    case 'empty':
      return undefined
    case 'json':
      return JSON.stringify(body.value)
    case 'text':
      return body.text
    case 'stream':
      return reportingErrors(body.chunks, (fault) => (report.fault = fault))
  }
}

// RFC 7591 §3.2.1, RFC 6749 §5.1: answers with credentials are not stored
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export type ServeSettings = HttpSettings & {
  /** Whether the requests come in at the management port. */
  readonly isManagement?: boolean
}

/** Adds the headers of every answer at its address. */
export const complete = (
  { corsOrigins, registration }: ServeSettings,
  report: Report,
  response: HttpResponse,
  { origins, stored }: AnswerPolicy,
): Answer => {
  const { status, faults, setCookies = [], leavesBody = false } = response
  report.response = response
  const body = faults === undefined ? response.body : documentedBody(response.body, faults, registration.issuer)
  const content = contentOf(body, report)
  const headers = Object.assign(
    { 'X-Request-Id': report.received.requestId, 'X-Content-Type-Options': 'nosniff' },
    response.headers,
    stored ? undefined : noStore,
    origins === 'none' ? undefined : crossOriginHeaders(origins, corsOrigins, report.received.headers.origin),
  )
  return { status, headers, setCookies, content, leavesBody }
}

// RFC 9110 §9.3.1, §9.3.5: the content of other methods means nothing.
const withContent: ReadonlySet<Route['method']> = new Set(['POST', 'PUT', 'PATCH'])
const noQuery: Query = {}
const noBody: RequestBody = E.right(undefined)
const unreadForm: RequestBody = E.left(invalidRequest('The form is too large, or encoded'))

// A request to a socket has none.
const addressOf = ({ remoteAddress: address = '' }: ReceivedRequest): Pick<AuditOrigin, 'address'> =>
  address === '' ? {} : { address }

const beforeItIsFound: ReadonlySet<number> = new Set([
  refusalStatuses.missing_token,
  refusalStatuses.unknown_client,
  refusalStatuses.unavailable,
])

/** Whether an answer of the route of a client shows that it exists: a privilege that is missing says nothing of it. */
const isFound = ({ status, actor }: HttpResponse): boolean =>
  !beforeItIsFound.has(status) &&
  (status !== refusalStatuses.insufficient_scope || actor?.kind === 'registration_access_token')

/** The response with who called: a handler that asks it tells it itself. */
const attributed = (response: HttpResponse, { credential }: HttpRequest): HttpResponse =>
  response.actor === undefined && credential.kind !== 'none'
    ? byCaller(response, { by: 'nobody', credential })
    : response

type Handle<Peer> = (found: FoundRoute, received: ReceivedRequest, peer: Peer) => HttpResponse | Promise<HttpResponse>

/** Prepares the request of a handler: its credential, id and body. */
const createHandle = <Peer>(
  settings: ServeSettings,
  { service }: Pick<HttpPorts, 'service'>,
  readBytes: ReadBytes<Peer>,
): Handle<Peer> => {
  const { operatorAlone, isManagement = false } = settings
  const door = operatorAlone ?? (isManagement ? 'management' : 'http')
  const credentialOf = presentedCredential({ ...settings, hashToken: service.hashToken })
  const marked = softwareOf(service.hashToken)
  const requestOf = (received: ReceivedRequest, id: string, body: RequestBody): HttpRequest => {
    const { method, headers, remoteAddress, authorization, queryString } = received
    const query = queryString === '' ? noQuery : valuesOf(queryString)
    const origin: AuditOrigin = { door, request_id: received.requestId, ...addressOf(received) }
    const credential = credentialOf(authorization, query, body)
    return { method, headers, remoteAddress, id, query, body, credential, origin }
  }
  const handled = async (route: Route, request: HttpRequest): Promise<HttpResponse> => {
    const response = await route.handler(request)
    const named = route.ofClient && isFound(response) ? aboutClient(response, request.id) : response
    const told = attributed(named, request)
    return told.refusal === undefined || E.isLeft(request.body)
      ? told
      : Object.assign({}, told, { software: marked(request.body.right) })
  }
  const withBody = async ({ route, id }: FoundRoute, received: ReceivedRequest, peer: Peer) => {
    const body = await readBody(route.takes, received.headers, readBytes, peer)
    if (E.isRight(body)) return handled(route, requestOf(received, id, body.right))
    const refusal = transportResponse(body.left)
    if (route.takes !== 'form') return attributed(refusal, requestOf(received, id, noBody))
    const page = await handled(route, requestOf(received, id, unreadForm))
    return refusal.leavesBody === true ? { ...page, leavesBody: refusal.leavesBody } : page
  }
  return (found, received, peer) =>
    withContent.has(found.route.method)
      ? withBody(found, received, peer)
      : handled(found.route, requestOf(received, found.id, noBody))
}

/** What a shell with requests of type `Peer` answers; it rejects only if a port throws that must not. */
export type Serving<Peer> = {
  /** Answers at the route that the shell found, and fills in the report. */
  readonly serve: (found: FoundRoute | undefined, report: Report, peer: Peer) => Promise<Answer>
  /** The response where no route has the method and path of the request. */
  readonly unrouted: (received: ReceivedRequest) => HttpResponse
  /** The answer in place of one that failed, or that cannot be sent. */
  readonly defect: (report: Report, detail: unknown) => Answer
}

export const createServing = <Peer>(
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: Pick<HttpPorts, 'service'>,
  readBytes: ReadBytes<Peer>,
): Serving<Peer> => {
  const routesAt = createRoutesAt(routes)
  const handle = createHandle(settings, ports, readBytes)
  const pages = createBrowserPages(settings, ports.service, {
    metadata: () => providerMetadata(settings),
    exists: (path) => routesAt(path).length > 0,
  })
  // The socket of the operator has no address, and no attacker.
  const { consumeBudget } = settings.operatorAlone === undefined ? ports.service : unlimited
  // RFC 9110 §15.5.6: Allow lists the methods of the path.
  const otherMethod = (allow: ReadonlyArray<string>, { origins }: Route, received: ReceivedRequest): HttpResponse => {
    const allowed = crossOriginHeaders(origins, settings.corsOrigins, received.headers.origin)
    return received.method === 'OPTIONS' && 'Access-Control-Allow-Origin' in allowed
      ? emptyResponse(204, preflightHeaders(allow))
      : transportResponse({ error: 'method_not_allowed', allow })
  }
  const unroutedAt = (there: ReadonlyArray<Route>, received: ReceivedRequest): HttpResponse => {
    const [first] = there
    const page = pages.unrouted(received)
    if (first === undefined) return page ?? transportResponse({ error: 'not_found' })
    const response = otherMethod(there.flatMap(methodsOf), first, received)
    if (page === undefined) return response
    return { ...page, status: response.status, headers: { ...page.headers, ...response.headers } }
  }
  /**
   * RFC 6585 §4 in place of RFC 6750 §3.1, where the source has failed too often. A valid credential costs nothing, so that
   * no party is locked out that shares its address with an attacker.
   */
  const countFailure = async (received: ReceivedRequest, response: HttpResponse): Promise<HttpResponse> => {
    if (response.refusal?.error !== 'invalid_token') return response
    const consumed = await consumeBudget('credentials', sourceOf(received.remoteAddress))()
    if (E.isRight(consumed)) return response
    const refusal = tooManyRequests('credentials')(consumed.left)
    return response.body.kind === 'text' ? pages.tooMany(received, refusal) : errorResponse(refusal)
  }
  const answer = async (found: FoundRoute | undefined, report: Report, peer: Peer): Promise<Answer> => {
    const { received } = report
    if (found === undefined) {
      const there = routesAt(received.path)
      return complete(settings, report, unroutedAt(there, received), there[0] ?? unpublished)
    }
    report.route = found.route.path
    const response = await countFailure(received, await handle(found, received, peer))
    const shown = response.refusal === undefined ? response : pages.refused(received, response)
    return complete(settings, report, shown, found.route)
  }
  const defect = (report: Report, detail: unknown): Answer =>
    complete(settings, report, transportResponse({ error: 'defect', detail }), unpublished)
  return {
    serve: (found, report, peer) => {
      const { traced } = report.received
      const answering = (): Promise<Answer> =>
        answer(found, report, peer).catch((detail: unknown) => defect(report, detail))
      return traced?.run(answering) ?? answering()
    },
    unrouted: (received) => unroutedAt(routesAt(received.path), received),
    defect,
  }
}
