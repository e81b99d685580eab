// Routes by who requests them, and families of routes by their ports.
import type { IdentifyOperatorPorts } from '@clientele/domain/operations'
import { type Handler, type OperatorHandler, type PublishedHandler, forOperator } from '../http/handler.js'
import type { HttpPorts } from '../ports.js'
import { type Route, escapePattern } from '../serve/routing.js'
import type { HttpSettings } from '../settings.js'
import { type NeededFor, type OperatorRoute, neededPrivileges } from './needed-privileges.js'

const route =
  (origins: Route['origins'], stored: boolean) =>
  (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handler,
    origins,
    stored,
    ofClient: path.includes('/clients/:id'),
    takes: 'json',
  })

export const baseOf = ({ basePath }: HttpSettings): string => escapePattern(basePath)

export const registration = route('listed', false)
export const management = route('none', false)

const publishedFor =
  (origins: Route['origins']) =>
  (path: string, published: PublishedHandler): Route => ({
    ...route(origins, true)('GET', path, published),
    published,
  })

export const publication = publishedFor('any')
export const document = publishedFor('none')

/** Makes the route of an operator, with the privileges of the table; `kind` is `management` unless it is given. */
export type Operated = <Name extends OperatorRoute>(
  name: Name,
  handler: OperatorHandler<NeededFor<Name>>,
  kind?: typeof management,
) => Route

const isMethod = (text: string): text is Route['method'] => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(text)

/** The routes of operators below the base URL. */
export const operatedBelow = (base: string, ports: IdentifyOperatorPorts): Operated => {
  const required = forOperator(ports)
  return (name, handler, kind = management) => {
    const [method = '', path = ''] = name.split(' ')
    return kind(isMethod(method) ? method : 'GET', `${base}${path}`, required(neededPrivileges[name], handler))
  }
}
export type Family<Name extends keyof HttpPorts> = (
  settings: HttpSettings,
  ports: Required<HttpPorts>[Name],
  operated: Operated,
) => ReadonlyArray<Route>
