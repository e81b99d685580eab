// The routes of each port, in the order in which Allow names the methods of a path.
import { neededForClients } from '@clientele/domain/authorization'
import type { HttpPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { clientRoutes, postClients, registrationFormat } from './clients.js'
import { encryptionRoutes, keyRoutes } from './keys.js'
import { logoutRoutes } from './logout.js'
import {
  clientListRoutes,
  clientManagementRoutes,
  clientSecretRoutes,
  connectionRoutes,
  getClients,
  managingRoutes,
  refusalRoutes,
} from './manage.js'
import { auditRoutes, healthRoutes, metricsRoutes, notificationRoutes, reloadRoutes } from './operations.js'
import { getJwks, publishedRoutes } from './published.js'
import { type Operated, type Route, baseOf, operatedBelow, route } from './route.js'
import { sessionRoutes } from './sessions.js'
import { signInRoutes } from './sign-in.js'
import { issuingRoutes, tokenRoutes } from './tokens.js'

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
  ...clientManagementRoutes(settings, ports.service, operated),
  ...clientListRoutes(settings, ports.service, operated),
  ...managingRoutes(settings, ports.service, operated),
  ...clientSecretRoutes(settings, ports.service, operated),
  ...connectionRoutes(settings, ports.service, operated),
  ...refusalRoutes(settings, ports.service, operated),
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
      ? [operated('GET', '/clients', ['clients:read'], getClients(settings, ports.service), { origins: 'listed' })]
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
    operated('GET', '/clients', ['clients:read'], getClients(settings, ports.service)),
    operated('POST', '/clients', neededForClients.register, postClients(settings, ports.service), {
      takes: registrationFormat(settings),
    }),
    ...issuingRoutes(settings, ports.service, operated),
    route('GET', `${baseOf(settings)}/jwks.json`, getJwks(ports.jwkSet)),
  ]
}
