/**
 * The HTTP side of the service: handlers as functions from a request value to a response value, and one shell that makes a
 * listener for node:http of them. Construction cannot fail; every refusal is a response.
 */
import type { RequestListener } from 'node:http'
import { createListener } from './koa-shell.js'
import { managementRoutes, operatorRoutes, publicRoutes } from './routes.js'
import type { HttpPorts, HttpSettings } from './settings.js'

export { createIdTokenHints } from './jose/id-token-hints.js'
export { createKeyMaker } from './jose/key-maker.js'
export { readPrivateJwkSet } from './jose/private-jwk-set.js'
export { createTokenSigner } from './jose/token-signer.js'
export { createSoftwareStatements, type TrustedIssuer } from './jose/software-statements.js'
export { createPageRenderer } from './logout/render-pages.js'
export { type PageRenderer } from './logout/rendered-page.js'
export type { HttpLogEntry, HttpPorts, HttpSettings, LogoutSettings } from './settings.js'

/**
 * What everybody is served: registration (RFC 7591, RFC 7592), the key set (RFC 7517), metadata (RFC 8414); and where no
 * management port is set, what operators need.
 */
export const createPublicListener = (
  settings: HttpSettings,
  ports: HttpPorts,
  { withOperators }: { readonly withOperators: boolean },
): RequestListener => {
  const operators = withOperators ? operatorRoutes(settings, ports) : []
  return createListener([...publicRoutes(settings, ports), ...operators], settings, ports)
}

/** What probes and commands are served: health, and to the master token the clients, initial access tokens and keys. */
export const createManagementListener = (settings: HttpSettings, ports: HttpPorts): RequestListener =>
  createListener(managementRoutes(settings, ports), settings, ports)
