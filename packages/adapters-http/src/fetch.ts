/**
 * The service as `(request: Request) => Promise<Response>`, with web standards alone: it mounts in Hono, Deno, Bun, Workers,
 * and over a bridge in Express and node:http. The routes, rules and answers are those of the listener of
 * `@clientele/adapters-http`; both shells are thin and share one core.
 *
 * A request's `url` is absolute and holds the path that the service stands under, `HttpSettings.basePath` included: a host
 * that mounts the handler below a path must not take that path away. Times are whole seconds, `duration_ms` of the log apart.
 * Construction cannot fail; every refusal and every defect is a Response, and the handler rejects for a port that throws where
 * it must not (`requestId`, `log`, `remoteAddress`), and for nothing else.
 *
 * What the platform decides before the handler is asked: its URL parser takes dot segments out of a path (`/clients/../keys` is
 * `/keys`, and `%2e` counts as a dot), reads `\` as `/`, and percent-encodes what may not stand there; and a host that drops the
 * second of two Authorization fields leaves the first to count. A body that is too large is left unread: what becomes of its
 * connection is up to the host.
 */
import { type FetchHandler, createHandler } from './fetch-shell.js'
import { type Served, managementRoutes, publicRoutes } from './routes.js'
import type { HttpPorts, ShellPorts } from './ports.js'
import type { HttpSettings } from './settings.js'

export { type PageRenderer } from './logout/rendered-page.js'
export type { FetchHandler } from './fetch-shell.js'
export type { Served } from './routes.js'
export { usualKeySettings, usualSettings } from './usual-settings.js'
export type {
  ClientPorts,
  HealthPorts,
  HttpLogEntry,
  HttpPorts,
  KeyPorts,
  LogoutPorts,
  SessionPorts,
  ShellPorts,
  TokenPorts,
} from './ports.js'
export type { HttpSettings, LogoutSettings, PublishedDocument } from './settings.js'

/** The ports of a handler: `remoteAddress` is asked with the Request, because its host alone knows who sent it. */
export type HandlerPorts = HttpPorts & ShellPorts<Request>

/**
 * What everybody is served: registration (RFC 7591, RFC 7592), the key set (RFC 7517), metadata (RFC 8414), logout and
 * sessions; and where operators have no handler of their own, what they need. As `createPublicListener`.
 */
export const createPublicHandler = (settings: HttpSettings, ports: HandlerPorts, served: Served): FetchHandler =>
  createHandler(publicRoutes(settings, ports, served), settings, ports)

/** What probes and commands are served, on an address that is not public. As `createManagementListener`. */
export const createManagementHandler = (settings: HttpSettings, ports: HandlerPorts): FetchHandler =>
  createHandler(managementRoutes(settings, ports), settings, ports)
