// What a trusted proxy says of a request: its id and its trace (W3C Trace Context §3.2).
import { type ListenerPorts, parseRequestId, parseTraceParent } from '@clientele/adapters-http'
import { randomUUID } from 'node:crypto'
import { isFromTrusted } from './remote-address.js'
import { beginTrace } from '../observing/tracing.js'

/** Of any other peer these fields are not read: it could make its requests pass for those of others. */
export const fromProxies = (trustedProxies: ReadonlyArray<string>): Pick<ListenerPorts, 'requestId' | 'trace'> => {
  const isTrusted = isFromTrusted(trustedProxies)
  return {
    requestId: (request) => {
      const field = request.headers['x-request-id']
      return (field !== undefined && isTrusted(request) ? parseRequestId(field) : undefined) ?? randomUUID()
    },
    trace: (request, method) => {
      const { traceparent } = request.headers
      return beginTrace(
        method,
        traceparent !== undefined && isTrusted(request) ? parseTraceParent(traceparent) : undefined,
      )
    },
  }
}
