// The authorization server behind the listener, with the log entry and the headers of every other request.
import { type HttpLogEntry, type Listener, type ListenerPorts, whenOver } from '@clientele/adapters-http'
import type { Engine, EngineRefusal, EngineReport } from '@clientele/adapters-oidc-provider'
import type { IncomingMessage, ServerResponse } from 'node:http'

type Ports = Pick<ListenerPorts, 'requestId' | 'trace' | 'log' | 'remoteAddress'>

const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

const milliseconds = (since: number): number => Math.round((performance.now() - since) * 10) / 10

// RFC 9110 §15.6: only the log explains why the service failed. Other refusals have a reason for the client's developer.
const refusalMembers = ({ error, detail, cause }: EngineRefusal, status: number): Partial<HttpLogEntry> => ({
  error,
  ...(detail === undefined ? {} : { [status < 500 ? 'reason' : 'detail']: detail }),
  ...(cause === undefined ? {} : { detail: cause }),
})

const reported = ({ refusal, client }: EngineReport, status: number): Partial<HttpLogEntry> => ({
  ...(refusal === undefined ? {} : refusalMembers(refusal, status)),
  ...(client === undefined ? {} : { client_id: client.client_id }),
  ...(client?.isSender === true && refusal?.error !== 'invalid_client' ? { actor: { kind: 'client' } } : {}),
})

const answering =
  (engine: Engine, { requestId, trace, log, remoteAddress }: Ports) =>
  async (route: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const beganAt = performance.now()
    const id = requestId(request)
    const from = remoteAddress(request)
    const { method = 'GET' } = request
    const traced = trace?.(request, method)
    response.setHeader('X-Request-Id', id)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    const answer = (): Promise<EngineReport> => engine.answer(request, response)
    const report = await (traced?.run(answer) ?? answer())
    const end = (): void => {
      const entry = {
        request_id: id,
        ...(from === undefined ? {} : { remote_address: from }),
        method,
        route,
        status: response.statusCode,
        duration_ms: milliseconds(beganAt),
        ...reported(report, response.statusCode),
        ...(traced === undefined ? {} : { trace_id: traced.context.traceId, span_id: traced.context.spanId }),
      }
      log(entry)
      traced?.end(entry)
    }
    whenOver(request, response, end)
  }

/** The listener, with the routes of the engine in front of it. */
export const withEngine = (engine: Engine, listener: Listener, ports: Ports): Listener => {
  const answer = answering(engine, ports)
  return (request, response) => {
    const route = engine.routeOf(pathOf(request))
    return route === undefined ? listener(request, response) : answer(route, request, response)
  }
}
