// The routes of each port, in the order in which Allow names the methods of a path.
import { neededForClients } from '@clientele/domain/authorization'
import { consoleRoutes } from './console/console.js'
import type { HttpPorts } from './ports.js'
import type { HttpSettings } from './settings.js'
import { clientRoutes, postClients, registrationFormat } from './routes/clients.js'
import { encryptionRoutes, keyRoutes } from './routes/keys.js'
import { logoutRoutes } from './routes/logout.js'
import { getClients, managingRoutes } from './routes/manage.js'
import { auditRoutes, healthRoutes, metricsRoutes, notificationRoutes, reloadRoutes } from './routes/operations.js'
import { getJwks, publishedRoutes } from './routes/published.js'
import { referenceRoutes } from './routes/reference.js'
import { type Operated, type Route, baseOf, operatedBelow, route } from './routes/route.js'
import { ruleRoutes } from './routes/rules.js'
import { sessionRoutes } from './routes/sessions.js'
import { signInRoutes } from './routes/sign-in.js'
import { issuingRoutes, tokenRoutes } from './routes/tokens.js'

/** The routes for probes and the operator's commands. */
const operatorRoutes = (settings: HttpSettings, ports: HttpPorts, operated: Operated): ReadonlyArray<Route> => [
  ...healthRoutes(ports),
  ...keyRoutes(settings, ports.keys, operated),
  ...(ports.encryption === undefined ? [] : encryptionRoutes(settings, ports.encryption, operated)),
  ...(ports.auditLog === undefined ? [] : auditRoutes(settings, ports.auditLog, operated)),
  ...(ports.reload === undefined ? [] : reloadRoutes(settings, ports.reload, operated)),
  // Outside of the base URL.
  ...(ports.metrics === undefined ? [] : metricsRoutes(settings, ports.metrics, operatedBelow('', ports.service))),
  ...notificationRoutes(settings, ports.notifications, operated),
  ...tokenRoutes(settings, ports.service, operated),
  ...managingRoutes(settings, ports.service, operated),
]

/** The console over the routes of the operators; on the socket of the commands there is none. */
const withConsole = (
  settings: HttpSettings,
  ports: HttpPorts,
  operated: Operated,
  operators: ReadonlyArray<Route>,
  isManagement: boolean,
): ReadonlyArray<Route> => {
  if (ports.console === undefined || settings.operatorAlone !== undefined) return operators
  const asked = [
    ...operators,
    operated('POST', '/clients', neededForClients.register, postClients(settings, ports.service), { runsDry: 'query' }),
    ...issuingRoutes(settings, ports.service, operated),
    ...sessionRoutes(settings, ports.service, operated),
  ]
  return [...operators, ...consoleRoutes(settings, ports.service, ports.console, asked, isManagement)]
}

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
  const routes = [
    ...clientRoutes(settings, ports.service, operated),
    ...(withOperators || settings.listsClientsPublicly !== false
      ? [operated('GET', '/clients', ['clients:read'], getClients(settings, ports.service), { origins: 'listed' })]
      : []),
    ...issuingRoutes(settings, ports.service, operated),
    ...publishedRoutes(settings, ports),
    ...ruleRoutes(settings, ports.service),
    ...logoutRoutes(settings, ports.service, operated),
    ...sessionRoutes(settings, ports.service, operated),
    ...(ports.signIn === undefined ? [] : signInRoutes(settings, ports.signIn, operated)),
    ...(withOperators ? withConsole(settings, ports, operated, operatorRoutes(settings, ports, operated), false) : []),
  ]
  const reference: ReadonlyArray<Route> = referenceRoutes(
    settings,
    ports.service,
    () => [...routes, ...reference],
    () => managementRoutes(settings, ports),
  )
  return [...routes, ...reference]
}

/** The routes of the management port. */
export const managementRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => {
  const operated = operatedBelow(baseOf(settings), ports.service)
  return [
    ...withConsole(settings, ports, operated, operatorRoutes(settings, ports, operated), true),
    operated('GET', '/clients', ['clients:read'], getClients(settings, ports.service)),
    operated('POST', '/clients', neededForClients.register, postClients(settings, ports.service), {
      takes: registrationFormat(settings),
      runsDry: 'query',
    }),
    ...issuingRoutes(settings, ports.service, operated),
    route('GET', `${baseOf(settings)}/jwks.json`, getJwks(ports.jwkSet)),
  ]
}
