// The authorization server behind the listener, with the log entry and the headers of every other request.
import { type HttpLogEntry, type Listener, type ListenerPorts } from '@clientele/adapters-http'
import type { Engine, EngineRefusal } from '@clientele/adapters-oidc-provider'
import type { IncomingMessage, ServerResponse } from 'node:http'

type Ports = Pick<ListenerPorts, 'requestId' | 'log' | 'remoteAddress'>

const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

const milliseconds = (since: number): number => Math.round((performance.now() - since) * 10) / 10

// RFC 9110 §15.6: only the log explains why the service failed. Other refusals have a reason for the client's developer.
const reported = ({ error, detail, cause, client_id }: EngineRefusal, status: number): Partial<HttpLogEntry> => ({
  error,
  ...(detail === undefined ? {} : { [status < 500 ? 'reason' : 'detail']: detail }),
  ...(cause === undefined ? {} : { detail: cause }),
  ...(client_id === undefined ? {} : { client_id }),
})

const answering =
  (engine: Engine, { requestId, log, remoteAddress }: Ports) =>
  async (route: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const beganAt = performance.now()
    const id = requestId()
    const from = remoteAddress(request)
    const { method = 'GET' } = request
    response.setHeader('X-Request-Id', id)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    const refused = await engine.answer(request, response)
    const end = (): void =>
      log({
        request_id: id,
        ...(from === undefined ? {} : { remote_address: from }),
        method,
        route,
        status: response.statusCode,
        duration_ms: milliseconds(beganAt),
        ...(refused === undefined ? {} : reported(refused, response.statusCode)),
      })
    if (response.closed) end()
    else response.once('close', end)
  }

/** The listener, with the routes of the engine in front of it. */
export const withEngine = (engine: Engine, listener: Listener, ports: Ports): Listener => {
  const answer = answering(engine, ports)
  return (request, response) => {
    const route = engine.routeOf(pathOf(request))
    return route === undefined ? listener(request, response) : answer(route, request, response)
  }
}
