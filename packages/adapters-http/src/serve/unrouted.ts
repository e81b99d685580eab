// Answers for paths and methods without a route, and what scripts of other origins may do.
import { transportResponse } from '../http/error-response.js'
import type { ReceivedRequest } from '../http/request.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import type { BrowserPages, BrowserPageSettings } from '../pages/browser-pages.js'
import type { HttpSettings } from '../settings.js'
import { type Route, type Routing, methodsOf } from './routing.js'

const allowed = (origin: string): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Location, ETag',
})

/** Fetch §3.2: pages of the listed origins, or of any with *, may call registration; pages of any origin may read published documents. */
export const crossOriginHeaders = (
  origins: Route['origins'],
  listed: ReadonlyArray<string>,
  origin: string | undefined,
): Readonly<Record<string, string>> => {
  if (origins === 'any') return allowed('*')
  if (origins === 'none' || listed.length === 0) return {}
  // Registration takes bearer tokens alone, and no cookie that a page could use.
  if (listed.includes('*')) return allowed('*')
  return origin !== undefined && listed.includes(origin) ? { Vary: 'Origin', ...allowed(origin) } : { Vary: 'Origin' }
}

/** Fetch §3.2.2: the methods and headers that a page may send; clients of the Model Context Protocol name its version when they read metadata. */
export const preflightHeaders = (methods: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age': '600',
})

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
