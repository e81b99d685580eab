// The traces of requests by the OpenTelemetry API: without the SDK of a host, nothing is recorded, and the trace of a
// trusted proxy is passed on. docs/decisions/0113.
import { type HttpLogEntry, type TraceContext, type Traced, formatTraceParent } from '@clientele/adapters-http'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import {
  type Span,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorage } from 'node:async_hooks'
import { version } from './version.js'

const traces = new AsyncLocalStorage<TraceContext>()

/** The members of a log entry that is written while a traced request is answered. */
export const traceMembers = (): object => {
  const present = traces.getStore()
  return present === undefined ? {} : { trace_id: present.traceId, span_id: present.spanId }
}

const tracer = trace.getTracer('clientele', version)

const contextOf = (span: Span): TraceContext | undefined => {
  const known = span.spanContext()
  if (!isSpanContextValid(known)) return undefined
  return { traceId: known.traceId, spanId: known.spanId, flags: known.traceFlags }
}

// Where the host has begun a span for this request, that one is the parent.
const parentOf = (received: TraceContext | undefined) => {
  const active = context.active()
  if (received === undefined || trace.getSpan(active) !== undefined) return active
  const { traceId, spanId, flags: traceFlags } = received
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

const isFailure = (status: number): boolean => status >= 500 || status === 0

// OpenTelemetry, semantic conventions of HTTP; no path, query or address, as in the log.
const endSpan = (span: Span, { method, route, status, error, client_id, request_id }: HttpLogEntry): void => {
  if (span.isRecording()) {
    span.updateName(`${method} ${route}`)
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'clientele.request_id': request_id,
      ...(client_id === undefined ? {} : { 'clientele.client_id': client_id }),
      ...(error === undefined ? {} : { 'error.type': error }),
    })
    if (isFailure(status)) span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** The trace of a request that continues a received one; undefined where there is neither such a one nor an SDK. */
export const beginTrace = (method: string, received: TraceContext | undefined): Traced | undefined => {
  const parent = parentOf(received)
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent)
  const known = contextOf(span)
  if (known === undefined) return undefined
  return {
    context: known,
    run: (work) => traces.run(known, () => context.with(trace.setSpan(parent, span), work)),
    end: (entry) => endSpan(span, entry),
  }
}

const present = () => {
  const known = traces.getStore()
  if (known === undefined || trace.getSpan(context.active()) !== undefined) return context.active()
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: known.traceId, spanId: known.spanId, traceFlags: known.flags })
}

/** Sends a request in the present trace. The field tracestate is for the operator's own systems, and is not sent. */
export const traceOutbound: OutboundOptions['traced'] = async ({ method, host }, send) => {
  const attributes = { 'http.request.method': method, 'server.address': host }
  const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, present())
  const known = contextOf(span)
  try {
    return await send(known === undefined ? {} : { traceparent: formatTraceParent(known) })
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
