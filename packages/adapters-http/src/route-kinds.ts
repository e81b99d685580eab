// Routes by who requests them, and families of routes by their ports.
import type { Handler, OperatorHandler } from './http/handler.js'
import type { HttpPorts } from './ports.js'
import { type Route, escapePattern } from './serve/routing.js'
import type { HttpSettings } from './settings.js'

const route =
  (origins: Route['origins'], stored: boolean) =>
  (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handler,
    origins,
    stored,
    takes: 'json',
  })

export const baseOf = ({ basePath }: HttpSettings): string => escapePattern(basePath)

export const registration = route('listed', false)
export const management = route('none', false)
export const publication = route('any', true)
export const document = route('none', true)

export type Operated = (handler: OperatorHandler) => Handler
export type Family<Name extends keyof HttpPorts> = (
  settings: HttpSettings,
  ports: Required<HttpPorts>[Name],
  operated: Operated,
) => ReadonlyArray<Route>
