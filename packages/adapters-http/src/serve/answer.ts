// What is answered to a request, whichever shell took it in: the rules, statuses and headers of the transport.
import { invalidRequest } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { crossOriginHeaders, preflightHeaders } from '../cross-origin.js'
import { transportResponse } from '../http/error-response.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { emptyResponse, noStore, notStored, withHeaders } from '../http/response.js'
import { valuesOf } from '../http/url-encoded.js'
import type { Route } from '../routes.js'
import type { HttpSettings } from '../settings.js'
import type { BrowserPageSettings } from './browser-pages.js'
import type { Incoming } from './incoming.js'
import { readBody, takesBody } from './read-body.js'
import type { FoundRoute } from './routing.js'
import { methodsOf } from './routing.js'

export type ServeSettings = Pick<HttpSettings, 'corsOrigins'> & BrowserPageSettings

/** RFC 9112 §9.6: the rest of a body that was left unread cannot be told from the next request on its connection. */
export type Answer = HttpResponse & { readonly leavesBody?: true }

const toHttpRequest = (
  { method, query, authorization, field, remoteAddress }: Incoming,
  params: HttpRequest['params'],
  body: HttpRequest['body'],
): HttpRequest => ({
  method,
  params,
  query: valuesOf(query),
  authorization,
  ifNoneMatch: field('if-none-match'),
  headers: {
    cookie: field('cookie'),
    origin: field('origin'),
    'sec-fetch-site': field('sec-fetch-site'),
    'accept-language': field('accept-language'),
  },
  remoteAddress,
  body,
})

const unreadForm: HttpRequest['body'] = E.left(invalidRequest('The form is too large, or encoded'))

const withBody = async ({ route, params }: FoundRoute, incoming: Incoming): Promise<Answer> => {
  const body = await readBody(route, incoming)
  if (E.isRight(body)) return route.handler(toHttpRequest(incoming, params, body.right))()
  const response =
    route.takes === 'json'
      ? transportResponse(body.left)
      : await route.handler(toHttpRequest(incoming, params, unreadForm))()
  return body.left.error === 'too_large' ? { ...response, leavesBody: true } : response
}

const noBody: HttpRequest['body'] = E.right(undefined)

const handled = (found: FoundRoute, incoming: Incoming): Promise<Answer> =>
  takesBody(found.route)
    ? withBody(found, incoming)
    : found.route.handler(toHttpRequest(incoming, found.params, noBody))()

const onPath = (route: Route, { corsOrigins }: ServeSettings, incoming: Incoming, answer: Answer): Answer => {
  const allowed = crossOriginHeaders(route.origins, corsOrigins, incoming.field('origin'))
  return withHeaders(answer, route.stored ? {} : noStore, allowed)
}

export const answerRouted = async (found: FoundRoute, settings: ServeSettings, incoming: Incoming): Promise<Answer> =>
  onPath(found.route, settings, incoming, await handled(found, incoming))

// RFC 9110 §15.5.6: Allow tells the methods of the path; without any the path is unknown
const answerOtherMethod = (routes: ReadonlyArray<Route>, isPreflight: boolean): HttpResponse => {
  const allow = routes.flatMap(methodsOf)
  return isPreflight
    ? emptyResponse(204, preflightHeaders(allow))
    : transportResponse({ error: 'method_not_allowed', allow })
}

/** Where the routes with this path, if there are any, do not have the method. */
export const answerUnrouted = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  incoming: Incoming,
  page: () => Answer | undefined,
): Answer => {
  const [first] = routes
  if (first === undefined) return page() ?? notStored(transportResponse({ error: 'not_found' }))
  const allowed = crossOriginHeaders(first.origins, settings.corsOrigins, incoming.field('origin'))
  const isPreflight = incoming.method === 'OPTIONS' && 'Access-Control-Allow-Origin' in allowed
  return onPath(first, settings, incoming, answerOtherMethod(routes, isPreflight))
}

export const answerDefect = (detail: unknown): Answer => notStored(transportResponse({ error: 'defect', detail }))
