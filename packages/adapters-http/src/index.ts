/**
 * The HTTP side of the service: handlers as functions from a request value to a response value, and a shell that serves
 * them as a listener for node:http, by Koa. Construction cannot fail; every refusal is a response. For other hosts,
 * `@clientele/adapters-http/fetch` has the same routes by web standards.
 */
import type { IncomingMessage } from 'node:http'
import { type MountedEngine, createListener, type Listener } from './koa-shell.js'
import { type Served, managementRoutes, publicRoutes } from './routes.js'
import type { HttpPorts, ShellPorts } from './ports.js'
import type { HttpSettings } from './settings.js'

export { createConsoleRenderer } from './console/console-renderer.js'
export { cookieIn, cookieNames, setCookie } from './http/cookies.js'
export { declaresTooMuch, parseRequestId } from './http/request.js'
export { type Listener, type MountedEngine, discardRest } from './koa-shell.js'
export { createPageRenderer } from './pages/page-renderer.js'
export type { PageRenderer, Service } from './pages/page.js'
export { createRequestErrorPage, type ErrorPage, type InvalidAuthorizationRequest } from './pages/page-response.js'
export type { Served } from './routes.js'
export { defaultSettings, defaultKeySettings } from './settings.js'
export type {
  AuditLogPorts,
  HealthPorts,
  HealthReport,
  HttpLogEntry,
  HttpPorts,
  KeyPorts,
  Reloaded,
  ServicePorts,
  ShellPorts,
  SignInPorts,
  Traced,
} from './ports.js'
export type { Actor } from './http/response.js'
export { formatTraceParent, parseTraceParent, type TraceContext } from './trace-context.js'
export type { HttpSettings, LogoutSettings, PublishedDocument } from './settings.js'

/** The ports of a listener: `remoteAddress` receives the request of Node. */
export type ListenerPorts = HttpPorts & ShellPorts<IncomingMessage>

/**
 * The routes for all clients: registration (RFC 7591, RFC 7592), the key set (RFC 7517), metadata (RFC 8414), logout
 * and sessions; and the operator's routes where no management port is set. `engine` answers the paths that it names, in the same
 * application of Koa.
 */
export const createPublicListener = (
  settings: HttpSettings,
  ports: ListenerPorts,
  { engine, ...served }: Served & { readonly engine?: MountedEngine | undefined },
): Listener => createListener(publicRoutes(settings, ports, served), settings, ports, engine)

/**
 * The routes for probes and commands: health, and with the master token the clients, initial access tokens and keys.
 */
export const createManagementListener = (settings: HttpSettings, ports: ListenerPorts): Listener =>
  createListener(managementRoutes(settings, ports), { ...settings, isManagement: true }, ports)
