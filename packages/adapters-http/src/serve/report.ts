// What is reported of a request, from its arrival to its log entry.
import type { ReceivedRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpLogEntry } from '../ports.js'

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

const unanswered: HttpResponse = { status: 0, headers: {}, body: { kind: 'empty' } }

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
  const { detail = fault, reason, refusal, client_id, actor } = response
  if (detail !== undefined) entry.detail = detail
  if (reason !== undefined) entry.reason = reason
  if (refusal !== undefined) Object.assign(entry, refusal)
  if (client_id !== undefined) entry.client_id = client_id
  if (actor !== undefined) entry.actor = actor
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
  (report: Report, log: (entry: HttpLogEntry) => void): (() => void) =>
  () => {
    if (report.ended) return
    report.ended = true
    const entry = entryOf(report)
    log(entry)
    report.received.traced?.end(entry)
  }
