// A request and its answer, from the first moment to the one entry in the log.
import type { HttpRequest } from '../http/request.js'
import type { ToldRefusal } from '../http/response.js'
import type { Route } from '../routes.js'
import type { HttpLogEntry, HttpPorts, ShellPorts } from '../settings.js'
import type { Answer, ServeSettings } from './answer.js'
import { answerDefect, answerRouted, answerUnrouted } from './answer.js'
import { createBrowserPages } from './browser-pages.js'
import type { Incoming } from './incoming.js'
import type { Routing } from './routing.js'
import { createRouting } from './routing.js'
import { tellingWhy } from './telling-why.js'

export type Exchange = {
  readonly answerRouted: (route: Route, params: HttpRequest['params']) => Promise<Answer>
  readonly answerUnrouted: (path: string) => Answer
  readonly answerDefect: (detail: unknown) => Answer
  /** All has been sent, or nothing more can be: the log is told, the first time. */
  readonly end: () => void
}

export type Exchanges = Pick<Routing, 'find'> & {
  readonly begin: (incoming: Incoming) => Exchange
}

type Told = {
  route: string
  status: number
  detail?: unknown
  reason?: string | undefined
  refusal?: ToldRefusal | undefined
  ended: boolean
}

type Begun = { readonly id: string; readonly at: number }

const entryOf = ({ method, remoteAddress }: Incoming, { id, at }: Begun, told: Told): HttpLogEntry => ({
  request_id: id,
  ...(remoteAddress === undefined ? {} : { remote_address: remoteAddress }),
  method,
  route: told.route,
  status: told.status,
  duration_ms: Math.round((performance.now() - at) * 10) / 10,
  ...(told.detail === undefined ? {} : { detail: told.detail }),
  ...(told.reason === undefined ? {} : { reason: told.reason }),
  ...told.refusal,
})

// Why a stream breaks is for the log, whenever that is.
const bodyTelling = ({ body }: Answer, told: Told): Answer['body'] =>
  body.kind === 'stream'
    ? { kind: 'stream', chunks: tellingWhy(body.chunks, (detail) => (told.detail = detail)) }
    : body

const identified = (id: string, told: Told, answer: Answer): Answer => {
  const { status, detail, reason, refusal } = answer
  Object.assign(told, { status, detail, reason, refusal })
  const headers = { 'X-Request-Id': id, 'X-Content-Type-Options': 'nosniff', ...answer.headers }
  return Object.assign({}, answer, { headers, body: bodyTelling(answer, told) })
}

/** What is needed of the world beside what the routes need. */
export type ServePorts = Pick<ShellPorts<never>, 'requestId' | 'log'> & Pick<HttpPorts, 'renderPage'>

/** The routes as a shell serves them. */
export const createExchanges = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ServePorts,
): Exchanges => {
  const { find, withPath } = createRouting(routes)
  const pageAt = createBrowserPages(settings, ports)
  const begin = (incoming: Incoming): Exchange => {
    const begun = { id: ports.requestId(), at: performance.now() }
    const told: Told = { route: '(none)', status: 0, ended: false }
    return {
      answerRouted: async (route, params) => {
        told.route = route.path
        return identified(begun.id, told, await answerRouted({ route, params }, settings, incoming))
      },
      answerUnrouted: (path) => {
        const page = (): Answer | undefined => pageAt(path, incoming)
        return identified(begun.id, told, answerUnrouted(withPath(path), settings, incoming, page))
      },
      answerDefect: (detail) => identified(begun.id, told, answerDefect(detail)),
      end: () => {
        if (told.ended) return
        told.ended = true
        ports.log(entryOf(incoming, begun, told))
      },
    }
  }
  return { find, begin }
}
