// A request and its answer, from the first moment to the one entry in the log: the same in every shell.
import { crossOriginHeaders } from './cross-origin.js'
import type { BearerSettings } from '../http/bearer.js'
import { reportingErrors } from '../http/chunks.js'
import { transportResponse } from '../http/error-response.js'
import type { ReadBytes, ReceivedRequest, RequestHeaders } from '../http/request.js'
import type { Chunks, HttpResponse, ResponseHeaders } from '../http/response.js'
import { emptyResponse } from '../http/response.js'
import type { HttpLogEntry, HttpPorts, ShellPorts } from '../ports.js'
import { createHandle } from './handle.js'
import type { Route } from './routing.js'
import { createRouting } from './routing.js'
import type { AnswerPolicy, UnroutedSettings } from './unrouted.js'
import { createUnrouted, unpublished } from './unrouted.js'

/** An answer with all its headers, but for those that frame it on its connection: these are the shell's. */
export type Answer = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly content: string | Chunks | undefined
  /** RFC 9112 §9.6: the rest of a body that was left unread cannot be told from the next request on its connection. */
  readonly leavesBody: boolean
}

export type Exchange = {
  readonly answer: Answer
  /** In place of an answer that cannot be sent. */
  readonly defect: (detail: unknown) => Answer
  /** Everything has been sent, or nothing more can be: the first call writes the entry of the log. */
  readonly end: () => void
}

/** Rejects for a port that throws where it must not, and for nothing else. */
export type Serve = (received: ReceivedRequest, readBytes: ReadBytes) => Promise<Exchange>

export type ServeSettings = UnroutedSettings & Pick<BearerSettings, 'masterToken'>

/** What is needed of the world beside what the routes need. */
export type ServePorts = Pick<ShellPorts<never>, 'requestId' | 'log'> & Pick<HttpPorts, 'hashToken' | 'renderPage'>

/** What the entry of the log tells; filled in while the request is answered. */
type Report = {
  readonly id: string
  readonly beganAt: number
  route: string
  response: HttpResponse
  /** Why a stream broke off. */
  fault: unknown
  ended: boolean
}

const entryOf = ({ method, remoteAddress }: ReceivedRequest, report: Report): HttpLogEntry => {
  const { status, detail = report.fault, reason, refusal } = report.response
  return {
    request_id: report.id,
    ...(remoteAddress === undefined ? {} : { remote_address: remoteAddress }),
    method,
    route: report.route,
    status,
    duration_ms: Math.round((performance.now() - report.beganAt) * 10) / 10,
    ...(detail === undefined ? {} : { detail }),
    ...(reason === undefined ? {} : { reason }),
    ...refusal,
  }
}

const contentOf = (report: Report): Answer['content'] => {
  const { body } = report.response
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

// RFC 7591 §3.2.1, RFC 6749 §5.1: what holds a credential is not stored
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

const begin = (id: string): Report => ({
  id,
  beganAt: performance.now(),
  route: '(none)',
  response: emptyResponse(0),
  fault: undefined,
  ended: false,
})

export const createServe = (routes: ReadonlyArray<Route>, settings: ServeSettings, ports: ServePorts): Serve => {
  const { find, withPath } = createRouting(routes)
  const handle = createHandle({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  const unrouted = createUnrouted(withPath, settings, ports)
  const complete = (report: Report, { origin }: RequestHeaders, response: HttpResponse, at: AnswerPolicy): Answer => {
    report.response = response
    const headers = Object.assign(
      { 'X-Request-Id': report.id, 'X-Content-Type-Options': 'nosniff' },
      response.headers,
      at.stored ? undefined : noStore,
      crossOriginHeaders(at.origins, settings.corsOrigins, origin),
    )
    return { status: response.status, headers, content: contentOf(report), leavesBody: response.leavesBody === true }
  }
  const answer = async (report: Report, received: ReceivedRequest, readBytes: ReadBytes): Promise<Answer> => {
    const found = find(received.method, received.path)
    if (found === undefined) {
      const { response, policy } = unrouted(received)
      return complete(report, received.headers, response, policy)
    }
    report.route = found.route.path
    return complete(report, received.headers, await handle(found, received, readBytes), found.route)
  }
  return async (received, readBytes) => {
    const report = begin(ports.requestId())
    const defect = (detail: unknown): Answer =>
      complete(report, received.headers, transportResponse({ error: 'defect', detail }), unpublished)
    const end = (): void => {
      if (report.ended) return
      report.ended = true
      ports.log(entryOf(received, report))
    }
    return { answer: await answer(report, received, readBytes).catch(defect), defect, end }
  }
}
