import { deleteClient } from './clients/delete-client.js'
import { getClient } from './clients/get-client.js'
import { getClients } from './clients/get-clients.js'
import { postClients } from './clients/post-clients.js'
import { putClient } from './clients/put-client.js'
import { logoutRoutes, signInRoutes } from './browser-routes.js'
import { postDirectAuthz } from './initial-access-tokens/post-direct-authz.js'
import { operatorRoutes } from './operator-routes.js'
import type { HttpPorts } from './ports.js'
import { getDocument } from './published/get-document.js'
import { getJwks } from './published/get-jwks.js'
import { getProviderMetadata, metadataPaths } from './published/get-provider-metadata.js'
import { type Route, escapePattern } from './serve/routing.js'
import { deleteSession } from './sessions/delete-session.js'
import { getSessions } from './sessions/get-sessions.js'
import { postFindSession } from './sessions/post-find-session.js'
import { postSessionClients } from './sessions/post-session-clients.js'
import { postSessions } from './sessions/post-sessions.js'
import { type Family, baseOf, document, management, operatedBelow, publication, registration } from './route-kinds.js'
import type { HttpSettings } from './settings.js'

const clientRoutes: Family<'service'> = (settings, ports) => {
  const clients = `${baseOf(settings)}/clients`
  return [
    { ...registration('POST', clients, postClients(settings, ports)), takes: 'json-or-jwt' },
    registration('GET', `${clients}/:id`, getClient(settings, ports)),
    { ...registration('PUT', `${clients}/:id`, putClient(settings, ports)), takes: 'json-or-jwt' },
    registration('DELETE', `${clients}/:id`, deleteClient(settings, ports)),
  ]
}

// For the login system beside the service, which has an operator token.
const sessionRoutes: Family<'service'> = (settings, ports, operated) => [
  operated('POST /sessions', postSessions(settings, ports)),
  operated('GET /sessions', getSessions(ports)),
  operated('POST /sessions/find', postFindSession(ports)),
  operated('POST /sessions/:sid/clients', postSessionClients(ports)),
  operated('DELETE /sessions/:sid', deleteSession(settings, ports)),
]

const publishedRoutes = (settings: HttpSettings, { jwkSet }: Pick<HttpPorts, 'jwkSet'>): ReadonlyArray<Route> => {
  const base = baseOf(settings)
  const metadata = getProviderMetadata(settings)
  return [
    publication(`${base}/jwks.json`, getJwks(jwkSet)),
    ...metadataPaths(base).map((path) => publication(path, metadata)),
    ...(settings.documents ?? []).map((each) => document(`${base}${escapePattern(each.path)}`, getDocument(each))),
  ]
}

const issuingRoutes: Family<'service'> = (settings, ports, operated) => [
  operated('POST /direct-authz', postDirectAuthz(settings, ports)),
]

export type Served = {
  /** Whether the operator's routes are included, because they have no port of their own. */
  readonly withOperators: boolean
}

/** The routes for all clients. */
export const publicRoutes = (
  settings: HttpSettings,
  ports: HttpPorts,
  { withOperators }: Served,
): ReadonlyArray<Route> => {
  const operated = operatedBelow(baseOf(settings), ports.service)
  return [
    ...clientRoutes(settings, ports.service, operated),
    ...(withOperators || settings.listsClientsPublicly !== false
      ? [operated('GET /clients', getClients(settings, ports.service), registration)]
      : []),
    ...issuingRoutes(settings, ports.service, operated),
    ...publishedRoutes(settings, ports),
    ...logoutRoutes(settings, ports.service, operated),
    ...sessionRoutes(settings, ports.service, operated),
    ...(ports.signIn === undefined ? [] : signInRoutes(settings, ports.signIn, operated)),
    ...(withOperators ? operatorRoutes(settings, ports, operated) : []),
  ]
}

/** The routes of the management port. */
export const managementRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => {
  const operated = operatedBelow(baseOf(settings), ports.service)
  return [
    ...operatorRoutes(settings, ports, operated),
    operated('GET /clients', getClients(settings, ports.service)),
    { ...operated('POST /clients', postClients(settings, ports.service)), takes: 'json-or-jwt' },
    ...issuingRoutes(settings, ports.service, operated),
    management('GET', `${baseOf(settings)}/jwks.json`, getJwks(ports.jwkSet)),
  ]
}
