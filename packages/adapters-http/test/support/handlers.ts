// The handlers of the routes, authorized for the operator where their routes are.
import type { Handler } from '../../src/routes/route.js'
import type { HttpPorts } from '../../src/ports.js'
import { publicRoutes } from '../../src/routes.js'
import type { HttpSettings } from '../../src/settings.js'

export type MakeHandler = (settings: HttpSettings, ports: HttpPorts) => Handler

/** The handler of a route, by its method and path. */
export const handlerOf =
  (name: string): MakeHandler =>
  (settings, ports) => {
    const route = publicRoutes(settings, ports, { withOperators: true }).find(
      ({ method, path }) => `${method} ${path}` === name,
    )
    if (route === undefined) throw new Error(`there is no route ${name}`)
    return route.handler
  }

export const postClients = handlerOf('POST /clients')
export const getClient = handlerOf('GET /clients/:id')
export const putClient = handlerOf('PUT /clients/:id')
export const deleteClient = handlerOf('DELETE /clients/:id')
export const getClients = handlerOf('GET /clients')
export const postDirectAuthz = handlerOf('POST /direct-authz')
export const postSign = handlerOf('POST /keys/sign')
export const postDecrypt = handlerOf('POST /keys/decrypt')
export const getOrPostLogout = handlerOf('POST /logout')
export const postConfirm = handlerOf('POST /logout/confirm')
export const postSessions = handlerOf('POST /sessions')
export const getSessions = handlerOf('GET /sessions')
export const postFindSession = handlerOf('POST /sessions/find')
export const postSessionClients = handlerOf('POST /sessions/:sid/clients')
export const deleteSession = handlerOf('DELETE /sessions/:sid')
export const getInteraction = handlerOf('GET /interaction/:id')
export const postLogin = handlerOf('POST /interaction/:id/login')
export const postConsent = handlerOf('POST /interaction/:id/consent')
export const getLoginCallback = handlerOf('GET /login/callback')
export const getInteractionCallback = handlerOf('GET /interaction/:id/callback')
export const getConsents = handlerOf('GET /consents')
export const postConsents = handlerOf('POST /consents')
