// A host with the SDK of OpenTelemetry; the SDK is registered for the whole process, so that this file has it alone.
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMetrics, doorsOf } from '../../src/observing/metrics.js'
import { beginTrace, createLog, reportRequests, traceOutbound } from '../../src/observing/log.js'

const received = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 }

const entry = { request_id: 'r', method: 'POST', route: '/clients', status: 200, duration_ms: 1, client_id: 'c' }

const collectedLog = () => {
  const lines: string[] = []
  return { lines, log: createLog('info', { write: (text) => lines.push(text), writableLength: 0 }) }
}

const sentHeaders = (): Promise<Readonly<Record<string, string>>> =>
  traceOutbound({ method: 'GET', host: 'other.example' }, (headers) => Promise.resolve(headers))

const tracing = suite('tracing')

tracing('without an SDK the trace of a proxy is passed on as it is, and none is begun', async () => {
  assert.is(beginTrace('POST', undefined), undefined)
  assert.equal(await sentHeaders(), {})
  const traced = beginTrace('POST', received)
  assert.equal(traced?.context, received)
  const { lines, log } = collectedLog()
  const headers = await traced?.run(async () => {
    await Promise.resolve()
    log.info('inside')
    return sentHeaders()
  })
  traced?.end(entry)
  assert.equal(headers, { traceparent: `00-${received.traceId}-${received.spanId}-01` })
  assert.match(String(lines[0]), `"trace_id":"${received.traceId}","span_id":"${received.spanId}"`)
  log.info('outside')
  assert.not.match(String(lines[1]), 'trace_id')
})

tracing('the entry of a request has its members in one order, also where it is written in its trace', () => {
  const { lines, log } = collectedLog()
  const report = reportRequests(log, createMetrics(), { observe: () => undefined }, doorsOf('', '/logout'))
  const traced = { ...entry, trace_id: received.traceId, span_id: received.spanId }
  beginTrace('POST', received)?.run(() => report(traced))
  report(traced)
  const names = lines.map((line) => Object.keys(JSON.parse(line)))
  assert.equal(
    names,
    [1, 2].map(() => ['level', 'time', ...Object.keys(traced), 'msg']),
  )
})

tracing('with an SDK each request is a span, and each request to others one below it', async () => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  const traced = beginTrace('POST', received)
  const headers = await traced?.run(() => sentHeaders())
  traced?.end(entry)
  const [outbound, server] = exporter.getFinishedSpans()
  assert.is(server?.name, 'POST /clients')
  assert.equal([server?.spanContext().traceId, server?.parentSpanContext?.spanId], [received.traceId, received.spanId])
  assert.is(server?.attributes['clientele.client_id'], 'c')
  assert.is(outbound?.parentSpanContext?.spanId, server?.spanContext().spanId)
  assert.equal(headers, { traceparent: `00-${received.traceId}-${String(outbound?.spanContext().spanId)}-01` })
  const first = beginTrace('GET', undefined)
  first?.end({ ...entry, status: 503, error: 'unavailable' })
  const last = exporter.getFinishedSpans().at(-1)
  assert.is(last?.parentSpanContext, undefined)
  assert.equal([last?.attributes['error.type'], last?.status.code], ['unavailable', 2])
})

tracing.run()
