// The headers of an answer that its connection needs.
import type { ResponseHeaders } from './http/response.js'
import type { Answer } from './serve/exchange.js'

/** RFC 9110 §8.6: no Content-Length where there can be no content; RFC 9112 §7.1: a stream is chunked. */
export const framing = ({ status, content = '', leavesBody }: Answer): ResponseHeaders => {
  if (status === 204 || status === 304 || typeof content !== 'string') return {}
  const length = { 'Content-Length': String(Buffer.byteLength(content)) }
  return leavesBody ? { ...length, Connection: 'close' } : length
}
