/**
 * The service as `(request: Request) => Promise<Response>`, with web standards only: it mounts in Hono, Deno, Bun,
 * Workers, and through a bridge in Express and node:http. Routes, rules and answers are those of the listener of
 * `@clientele/adapters-http`: both shells share one core.
 *
 * A request's `url` is absolute and contains the path of the service, `HttpSettings.basePath` included: a host that
 * mounts the handler below a path must not remove that path. Times are whole seconds, except `duration_ms` in the log.
 * Construction cannot fail; every refusal and every defect is a Response. The handler rejects only if a port throws
 * that must not (`requestId`, `log`, `remoteAddress`).
 *
 * The platform changes some requests before the handler receives them: its URL parser removes dot segments of a path
 * (`/clients/../keys` is `/keys`, and `%2e` is a dot), reads `\` as `/`, and percent-encodes forbidden characters; some
 * hosts drop the second of two Authorization fields. The handler does not read the rest of a body that is too large;
 * the host decides about its connection.
 */
import { type FetchHandler, createHandler } from './fetch-shell.js'
import { type Served, managementRoutes, publicRoutes } from './routes/routes.js'
import type { HttpPorts, ShellPorts } from './ports.js'
import type { HttpSettings } from './settings.js'

export { type PageRenderer } from './pages/page.js'
export type { FetchHandler } from './fetch-shell.js'
export type { Served } from './routes/routes.js'
export { defaultKeySettings, settingsWithDefaults } from './settings.js'
export type {
  HealthPorts,
  HttpLogEntry,
  HttpPorts,
  KeyPorts,
  ServicePorts,
  ShellPorts,
  SignInPorts,
  Traced,
} from './ports.js'
export type { Actor } from './http/response.js'
export { parseRequestId } from './http/header-fields.js'
export { formatTraceParent, parseTraceParent, type TraceContext } from './trace-context.js'
export type { HttpSettings, LogoutSettings, PublishedDocument } from './settings.js'

/**
 * The ports of a handler: `remoteAddress` receives the Request, because only the host knows the address of its sender.
 */
export type HandlerPorts = HttpPorts & ShellPorts<Request>

/**
 * The routes for all clients: registration (RFC 7591, RFC 7592), the key set (RFC 7517), metadata (RFC 8414), logout
 * and sessions; and the operator's routes unless they have a handler of their own. Corresponds to
 * `createPublicListener`.
 */
export const createPublicHandler = (settings: HttpSettings, ports: HandlerPorts, served: Served): FetchHandler =>
  createHandler(publicRoutes(settings, ports, served), settings, ports)

/** The routes for probes and commands, for an address that is not public. Corresponds to `createManagementListener`. */
export const createManagementHandler = (settings: HttpSettings, ports: HandlerPorts): FetchHandler =>
  createHandler(managementRoutes(settings, ports), { ...settings, isManagement: true }, ports)
