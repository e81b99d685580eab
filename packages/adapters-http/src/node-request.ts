// Converts a request of Node to a value.
import type { IncomingMessage } from 'node:http'
import type { ReceivedRequest, RequestHeaders } from './http/request.js'
import type { ShellPorts } from './ports.js'

// Node's `headers` contains only the first of several Authorization fields.
const allOf = ({ rawHeaders }: IncomingMessage, name: string): ReadonlyArray<string> =>
  rawHeaders.filter((_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === name)

const headersOf = (request: IncomingMessage): RequestHeaders => {
  const { headers } = request
  if (headers['content-type'] === undefined) return headers
  const types = allOf(request, 'content-type')
  return types.length === 1 ? headers : { ...headers, 'content-type': types.join(', ') }
}

const none: ReadonlyArray<string> = []

/** What the target of a request names. */
type Target = { readonly method: string; readonly path: string; readonly querystring: string }

export const receivedBy = (
  request: IncomingMessage,
  { method, path, querystring }: Target,
  { remoteAddress, requestId, trace }: ShellPorts<IncomingMessage>,
): ReceivedRequest => ({
  method,
  path,
  queryString: querystring,
  headers: headersOf(request),
  authorization: request.headers.authorization === undefined ? none : allOf(request, 'authorization'),
  remoteAddress: remoteAddress(request),
  requestId: requestId(request),
  traced: trace?.(request, method),
})
