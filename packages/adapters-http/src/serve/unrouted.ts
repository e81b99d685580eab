// Answers for paths and methods without a route.
import { crossOriginHeaders, preflightHeaders } from './cross-origin.js'
import { transportResponse } from '../http/error-response.js'
import type { ReceivedRequest } from '../http/request.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import { type BrowserPageSettings, createBrowserPages } from '../pages/browser-pages.js'
import type { HttpPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { type Route, type Routing, methodsOf } from './routing.js'

/** The policy of every answer at an address. */
export type AnswerPolicy = Pick<Route, 'origins' | 'stored'>

/** The policy where there is no route. */
export const unpublished: AnswerPolicy = { origins: 'none', stored: false }

export type UnroutedSettings = Pick<HttpSettings, 'corsOrigins'> & BrowserPageSettings

export type Unrouted = (received: ReceivedRequest) => {
  readonly response: HttpResponse
  readonly policy: AnswerPolicy
}

export const createUnrouted = (
  withPath: Routing['withPath'],
  settings: UnroutedSettings,
  ports: Pick<HttpPorts, 'renderPage'>,
): Unrouted => {
  const pageFor = createBrowserPages(settings, ports)
  // RFC 9110 §15.5.6: Allow lists the methods of the path
  const otherMethod = (routes: ReadonlyArray<Route>, isPreflight: boolean): HttpResponse => {
    const allow = routes.flatMap(methodsOf)
    return isPreflight
      ? emptyResponse(204, preflightHeaders(allow))
      : transportResponse({ error: 'method_not_allowed', allow })
  }
  return (received) => {
    const routes = withPath(received.path)
    const [policy] = routes
    if (policy === undefined)
      return { policy: unpublished, response: pageFor(received) ?? transportResponse({ error: 'not_found' }) }
    const allowed = crossOriginHeaders(policy.origins, settings.corsOrigins, received.headers.origin)
    const isPreflight = received.method === 'OPTIONS' && 'Access-Control-Allow-Origin' in allowed
    return { policy, response: otherMethod(routes, isPreflight) }
  }
}
