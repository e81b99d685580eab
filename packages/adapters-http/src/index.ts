/**
 * The HTTP side of the service: handlers as functions from a request value to a response value, and one shell that makes a
 * listener for node:http of them. Construction cannot fail; every refusal is a response.
 */
import type { RequestListener } from 'node:http'
import { createListener } from './koa-shell.js'
import { healthRoutes, managementRoutes, publicRoutes } from './routes.js'
import type { HttpPorts, HttpSettings } from './settings.js'

export { createSoftwareStatements, type TrustedIssuer } from './jose/software-statements.js'
export type { HttpLogEntry, HttpPorts, HttpSettings } from './settings.js'

/** What everybody is served: registration (RFC 7591, RFC 7592), metadata; health too where no management port is set. */
export const createPublicListener = (
  settings: HttpSettings,
  ports: HttpPorts,
  { withHealth }: { readonly withHealth: boolean },
): RequestListener => {
  const health = withHealth ? healthRoutes(ports) : []
  return createListener([...publicRoutes(settings, ports), ...health], settings, ports)
}

/** What probes and commands are served: health, and to the master token the list of clients and initial access tokens. */
export const createManagementListener = (settings: HttpSettings, ports: HttpPorts): RequestListener =>
  createListener(managementRoutes(settings, ports), settings, ports)
