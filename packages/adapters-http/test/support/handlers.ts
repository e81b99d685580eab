// The handlers as in the routes: authorized for the operator where its route is.
import { type NeededFor, type OperatorRoute, neededPrivileges } from '../../src/needed-privileges.js'
import { deleteClient as makeDeleteClient } from '../../src/clients/delete-client.js'
import { getClient as makeGetClient } from '../../src/clients/get-client.js'
import { getClients as makeGetClients } from '../../src/clients/get-clients.js'
import { postClients as makePostClients } from '../../src/clients/post-clients.js'
import { putClient as makePutClient } from '../../src/clients/put-client.js'
import { type Handler, type OperatorHandler, forOperator } from '../../src/http/handler.js'
import { postDirectAuthz as makePostDirectAuthz } from '../../src/initial-access-tokens/post-direct-authz.js'
import { postDecrypt as makePostDecrypt } from '../../src/keys/post-decrypt.js'
import { postSign as makePostSign } from '../../src/keys/post-sign.js'
import { getOrPostLogout as makeGetOrPostLogout } from '../../src/logout/get-or-post-logout.js'
import { postConfirm as makePostConfirm } from '../../src/logout/post-confirm.js'
import type { HttpPorts } from '../../src/ports.js'
import { deleteSession as makeDeleteSession } from '../../src/sessions/delete-session.js'
import { getSessions as makeGetSessions } from '../../src/sessions/get-sessions.js'
import { postFindSession as makePostFindSession } from '../../src/sessions/post-find-session.js'
import { postSessionClients as makePostSessionClients } from '../../src/sessions/post-session-clients.js'
import { postSessions as makePostSessions } from '../../src/sessions/post-sessions.js'
import type { HttpSettings } from '../../src/settings.js'

export type MakeHandler = (settings: HttpSettings, ports: HttpPorts) => Handler

const operated =
  <Route extends OperatorRoute>(
    route: Route,
    make: (settings: HttpSettings, ports: HttpPorts) => OperatorHandler<NeededFor<Route>>,
  ): MakeHandler =>
  (settings, ports) =>
    forOperator(ports.service)(neededPrivileges[route], make(settings, ports))

export const postClients: MakeHandler = (settings, ports) => makePostClients(settings, ports.service)
export const getClient: MakeHandler = (settings, ports) => makeGetClient(settings, ports.service)
export const putClient: MakeHandler = (settings, ports) => makePutClient(settings, ports.service)
export const deleteClient: MakeHandler = (settings, ports) => makeDeleteClient(settings, ports.service)
export const getClients = operated('GET /clients', (settings, ports) => makeGetClients(settings, ports.service))
export const postDirectAuthz = operated('POST /direct-authz', (settings, ports) =>
  makePostDirectAuthz(settings, ports.service),
)
export const postSign = operated('POST /keys/sign', (settings, ports) => makePostSign(settings, ports.keys))
export const postDecrypt = operated('POST /keys/decrypt', (_settings, ports) => makePostDecrypt(ports.keys))
export const getOrPostLogout: MakeHandler = (settings, ports) => makeGetOrPostLogout(settings, ports.service)
export const postConfirm: MakeHandler = (settings, ports) => makePostConfirm(settings, ports.service)
export const postSessions = operated('POST /sessions', (settings, ports) => makePostSessions(settings, ports.service))
export const getSessions = operated('GET /sessions', (_settings, ports) => makeGetSessions(ports.service))
export const postFindSession = operated('POST /sessions/find', (_settings, ports) => makePostFindSession(ports.service))
export const postSessionClients = operated('POST /sessions/:sid/clients', (_settings, ports) =>
  makePostSessionClients(ports.service),
)
export const deleteSession = operated('DELETE /sessions/:sid', (settings, ports) =>
  makeDeleteSession(settings, ports.service),
)
