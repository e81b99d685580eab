// How a request is logged: its trace, its line (the members are those of HttpLogEntry), and what was refused. The traces are of the OpenTelemetry API:
// without the SDK of a host, nothing is recorded, and the trace of a trusted proxy is passed on. docs/decisions/observing.md.
import {
  type HttpLogEntry,
  type ShellPorts,
  type TraceContext,
  type Traced,
  formatTraceParent,
} from '@clientele/adapters-http'
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
import * as t from 'io-ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'
import { printable } from '../text.js'
import { version } from './version.js'
import type { DoorOf, Metrics, Refused } from './metrics.js'
import type { RefusalObserver } from './refusals.js'

const traces = new AsyncLocalStorage<TraceContext>()

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

/** A stream of the process, as a value. */
export type Output = {
  /** `done` is called when the text is written, or with the error. */
  readonly write: (text: string, done?: (error?: Error | null) => void) => unknown
  /** The number of buffered bytes. */
  readonly writableLength: number
  readonly isTTY?: boolean | undefined
}

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>

const Entry = t.intersection([
  t.type({ time: t.string, level: t.string }),
  t.partial({ msg: t.string }),
  t.UnknownRecord,
])

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A JSON line of the log as one line for people. */
const readableLine = (line: string): string => {
  const entry: unknown = JSON.parse(line)
  const { time, level, msg, ...members } = Entry.is(entry) ? entry : { time: '', level: '', msg: line }
  const details = Object.entries(members).map(([name, value]) => `${name}=${shown(value)}`)
  const clock = time.slice(11, 23)
  return `${printable([clock, level.toUpperCase().padEnd(5), msg ?? '', ...details].join(' '))}\n`
}

const maxPending = 1_048_576

/**
 * JSON lines, or readable ones on a terminal, with the trace of the request that is answered. When the reader stalls,
 * entries are dropped and the service continues. `members` are those of every entry.
 */
export const createLog = (
  level: string,
  output: Output,
  members: Readonly<Record<string, number>> | null = null,
): Log => {
  const format = output.isTTY === true ? readableLine : (line: string) => line
  return pino(
    {
      level,
      base: members,
      // The entry of a request has its trace itself, wherever it is written.
      mixin: (entry) => {
        const present = 'trace_id' in entry ? undefined : traces.getStore()
        return present === undefined ? {} : { trace_id: present.traceId, span_id: present.spanId }
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: pino.stdSerializers.err, detail: pino.stdSerializers.err },
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write: (line: string) => {
        if (output.writableLength < maxPending) output.write(format(line))
      },
    },
  )
}

/** Counts each request, and logs it in one entry; failures of the service have the level error. */
export const reportRequests =
  (
    log: Log,
    { observe }: Pick<Metrics, 'observe'>,
    refusals: Pick<RefusalObserver, 'observe'>,
    doorOf: DoorOf,
  ): ShellPorts<never>['log'] =>
  (entry, software) => {
    observe(entry, doorOf)
    if (entry.error !== undefined) refusals.observe(entry, doorOf(entry), software)
    if (entry.status >= 500 || entry.detail !== undefined) log.error(entry, 'request failed')
    else log.info(entry, 'request')
  }

// RFC 6585 §4
const exhausted = (what: string, setting: string): string =>
  `${what} were answered 429: raise ${setting}, or list the proxy in front in trusted-proxies; docs/operate/security.md#abuse`

const remedies: Readonly<Record<Refused, string>> = {
  connection: 'connections were closed: raise maximum-connections, or list the proxy in front in trusted-proxies',
  request: 'requests were answered 503: raise maximum-requests, or list the proxy in front in trusted-proxies',
  pipelining: 'connections were closed that asked too much before they took an answer',
  credentials: exhausted('failed credentials', 'maximum-failed-credentials'),
  registrations: exhausted('registrations without a token, or their changes,', 'maximum-open-registrations'),
  logout_pages: exhausted('logout requests without a session', 'maximum-logout-pages'),
  authorizations: exhausted('authorization requests without a session', 'maximum-authorization-requests'),
  documents:
    'new or changed documents of clients were not stored: raise maximum-document-changes; docs/operate/security.md#abuse',
}

/** Milliseconds between two entries of one kind, so that refused clients do not fill the log. */
const betweenEntries = 60_000

/** Counts refused admissions, and logs the first one and then at most one a minute. */
export const reportRefusals = (
  log: Log,
  metrics: Pick<Metrics, 'refuse'>,
  now: () => number,
): ((what: Refused) => void) => {
  const reported = new Map<Refused, number>()
  return (what) => {
    metrics.refuse(what)
    const at = now()
    if (at - (reported.get(what) ?? -Infinity) < betweenEntries) return
    reported.set(what, at)
    log.warn({ refused: what }, remedies[what])
  }
}
