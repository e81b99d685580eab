// Answers for paths and methods without a route.
import { crossOriginHeaders, preflightHeaders } from './cross-origin.js'
import { transportResponse } from '../http/error-response.js'
import type { ReceivedRequest } from '../http/request.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import type { BrowserPageSettings, BrowserPages } from '../pages/browser-pages.js'
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
  { corsOrigins }: Pick<UnroutedSettings, 'corsOrigins'>,
  pageFor: BrowserPages['unrouted'],
): Unrouted => {
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
    const allowed = crossOriginHeaders(policy.origins, corsOrigins, received.headers.origin)
    const isPreflight = received.method === 'OPTIONS' && 'Access-Control-Allow-Origin' in allowed
    const response = otherMethod(routes, isPreflight)
    const page = pageFor(received)
    if (page === undefined) return { policy, response }
    return { policy, response: { ...page, status: response.status, headers: { ...page.headers, ...response.headers } } }
  }
}
