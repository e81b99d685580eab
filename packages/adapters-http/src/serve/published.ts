// The answers of published documents, which depend on no credential and no body: without a promise, and prepared once for
// each answer of a handler. docs/decisions/0147.
import type { ReceivedRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { type Answer, type Complete, type Exchange, type ServeSettings, completing, failing } from './exchange.js'
import { type Report, noRoute } from './report.js'
import { type Route, createRouting, isLiteral, methodsOf } from './routing.js'
import { type Unrouted, createUnrouted } from './unrouted.js'

/** An answer as a shell prepared it: of its headers, only the id of the request changes. */
export type PublishedExchange<Prepared> = Pick<Exchange, 'defect'> & { readonly answer: () => Prepared }

export type ExchangeFor<Prepared> = (report: Report) => PublishedExchange<Prepared>

/** For a request without a query and without a credential, which the log would name; undefined for all others. */
export type FindPublished<Prepared> = (method: string, path: string) => ExchangeFor<Prepared> | undefined

type Publication = {
  readonly method: string
  readonly route: Route
  /** The route as the log names it. */
  readonly name: string
  readonly respond: (received: ReceivedRequest) => HttpResponse
}

/** A response that is the same for each request. */
const once = (respond: Publication['respond']): Publication['respond'] => {
  let response: HttpResponse | undefined
  return (received) => (response ??= respond(received))
}

const publicationsAmong = (routes: ReadonlyArray<Route>, unrouted: Unrouted): ReadonlyArray<Publication> => {
  const { withPath } = createRouting(routes)
  return routes.flatMap((route) => {
    const { path, published: respond } = route
    // Another route of the same path may answer other methods, or answer first.
    if (respond === undefined || !isLiteral(route) || withPath(path).length > 1) return []
    const preflight = once((received) => unrouted(received).response)
    return [
      ...methodsOf(route).map((method) => ({ method, route, name: path, respond })),
      { method: 'OPTIONS', route, name: noRoute, respond: preflight },
    ]
  })
}

type PreparedFor<Prepared> = (report: Report, response: HttpResponse, route: Route) => Prepared

const preparingOnce = <Prepared>(complete: Complete, prepare: (answer: Answer) => Prepared): PreparedFor<Prepared> => {
  const prepared = new WeakMap<HttpResponse, { readonly value: Prepared }>()
  return (report, response, route) => {
    const known = prepared.get(response)
    report.response = response
    if (known !== undefined) return known.value
    const value = prepare(complete(report, response, route))
    prepared.set(response, { value })
    return value
  }
}

export const createFindPublished = <Prepared>(
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  prepare: (answer: Answer) => Prepared,
): FindPublished<Prepared> => {
  const complete = completing(settings)
  const preparedFor = preparingOnce(complete, prepare)
  const exchanging =
    ({ route, name, respond }: Publication): ExchangeFor<Prepared> =>
    (report) => {
      const { received } = report
      report.route = name
      const answering = (): Prepared => preparedFor(report, respond(received), route)
      const answer = (): Prepared => received.traced?.run(answering) ?? answering()
      return { answer, defect: failing(complete, report) }
    }
  const found = new Map<string, Map<string, ExchangeFor<Prepared>>>()
  const unrouted = createUnrouted(createRouting(routes).withPath, settings, () => undefined)
  for (const publication of publicationsAmong(routes, unrouted)) {
    const ofMethod = found.get(publication.method) ?? new Map<string, ExchangeFor<Prepared>>()
    found.set(publication.method, ofMethod.set(publication.route.path, exchanging(publication)))
  }
  return (method, path) => found.get(method)?.get(path)
}
