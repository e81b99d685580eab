// Answers requests for published documents straight from node:http, before Koa. docs/decisions/0147.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Listener } from './listener.js'
import { framing, receivedBy, whenOver } from './node-http.js'
import type { ShellPorts } from './ports.js'
import type { Answer, ServePorts, ServeSettings } from './serve/exchange.js'
import { type ExchangeFor, createFindPublished } from './serve/published.js'
import type { Route } from './serve/routing.js'

/** The fields of an answer as Node takes them in one array, without X-Request-Id. */
type Prepared = { readonly status: number; readonly fields: ReadonlyArray<string>; readonly text: string | undefined }

const idField = 'X-Request-Id'

const prepare = (answer: Answer): Prepared => {
  const { status, headers, content } = answer
  const named = Object.entries({ ...headers, ...framing(answer) }).filter(([name]) => name !== idField)
  return { status, fields: named.flat(), text: typeof content === 'string' ? content : undefined }
}

const send = (response: ServerResponse, requestId: string, { status, fields, text }: Prepared): void =>
  void response.writeHead(status, [idField, requestId, ...fields]).end(text)

// RFC 9112 §3.2.2: the target without scheme and host. No answer depends on these, and Koa throws for a host that no URL
// has.
const originForm = (target = '/'): string => {
  if (target.startsWith('/')) return target
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Passes all requests to `others` that are not for a published document, or present a credential. */
export const createPublishedShell = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ShellPorts<IncomingMessage> & ServePorts,
  others: Listener,
): Listener => {
  const find = createFindPublished(routes, settings, ports, prepare)
  const respond = (exchangeFor: ExchangeFor<Prepared>, request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url: path = '' } = request
    const received = receivedBy(request, { method, path, querystring: '' }, ports)
    const { answer, defect, end } = exchangeFor(received)
    whenOver(request, response, end)
    try {
      send(response, received.requestId, answer())
    } catch (detail) {
      send(response, received.requestId, prepare(defect(detail)))
    }
  }
  return (request, response) => {
    request.url = originForm(request.url)
    const { method = '', url: path = '', headers } = request
    const exchangeFor = headers.authorization === undefined ? find(method, path) : undefined
    return exchangeFor === undefined ? others(request, response) : respond(exchangeFor, request, response)
  }
}
