import { deleteClient } from './clients/delete-client.js'
import { getClient } from './clients/get-client.js'
import { getClients } from './clients/get-clients.js'
import { getExportedClients } from './clients/get-export.js'
import { postClients } from './clients/post-clients.js'
import { postImportedClients } from './clients/post-import.js'
import { postJudgement } from './clients/post-judgement.js'
import { postRenewal } from './clients/post-renewal.js'
import { putClient } from './clients/put-client.js'
import { getLive } from './health/get-live.js'
import { getReady } from './health/get-ready.js'
import { logoutRoutes, signInRoutes } from './browser-routes.js'
import { forOperator } from './http/handler.js'
import { deleteToken } from './initial-access-tokens/delete-token.js'
import { getTokens } from './initial-access-tokens/get-tokens.js'
import { postDirectAuthz } from './initial-access-tokens/post-direct-authz.js'
import { getKeys } from './keys/get-keys.js'
import { postCompromise } from './keys/post-compromise.js'
import { postDecrypt } from './keys/post-decrypt.js'
import { postForeign, postImport } from './keys/post-import.js'
import { encryptionKeyHandler, postReSeal } from './keys/encryption-keys.js'
import { postRemoveForeign } from './keys/post-remove-foreign.js'
import { postRollOver } from './keys/post-roll-over.js'
import { postSign } from './keys/post-sign.js'
import { getLogouts } from './logout-notifications/get-logouts.js'
import { postRetry } from './logout-notifications/post-retry.js'
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
import { type Family, type Operated, baseOf, document, management, publication, registration } from './route-kinds.js'
import type { HttpSettings } from './settings.js'

const clientRoutes: Family<'clients'> = (settings, ports, operated) => {
  const clients = `${baseOf(settings)}/clients`
  return [
    registration('POST', clients, postClients(settings, ports)),
    registration('GET', clients, operated(getClients(settings, ports))),
    registration('GET', `${clients}/:id`, getClient(settings, ports)),
    registration('PUT', `${clients}/:id`, putClient(settings, ports)),
    registration('DELETE', `${clients}/:id`, deleteClient(ports)),
  ]
}

// For the login system beside the service, which has the master token.
const sessionRoutes: Family<'sessions'> = (settings, ports, operated) => {
  const sessions = `${baseOf(settings)}/sessions`
  return [
    management('POST', sessions, operated(postSessions(settings, ports))),
    management('GET', sessions, operated(getSessions(ports))),
    management('POST', `${sessions}/find`, operated(postFindSession(ports))),
    management('POST', `${sessions}/:sid/clients`, operated(postSessionClients(ports))),
    management('DELETE', `${sessions}/:sid`, operated(deleteSession(settings, ports))),
  ]
}

const publishedRoutes = (settings: HttpSettings, { jwkSet }: Pick<HttpPorts, 'jwkSet'>): ReadonlyArray<Route> => {
  const base = baseOf(settings)
  const metadata = getProviderMetadata(settings)
  return [
    publication('GET', `${base}/jwks.json`, getJwks(jwkSet)),
    ...metadataPaths(base).map((path) => publication('GET', path, metadata)),
    ...(settings.documents ?? []).map((each) =>
      document('GET', `${base}${escapePattern(each.path)}`, getDocument(each)),
    ),
  ]
}

const keyRoutes: Family<'keys'> = (settings, ports, operated) => {
  const keys = `${baseOf(settings)}/keys`
  return [
    management('GET', keys, operated(getKeys(ports))),
    management('POST', `${keys}/roll-over`, operated(postRollOver(ports))),
    management('POST', `${keys}/compromise`, operated(postCompromise(ports))),
    management('POST', `${keys}/import`, operated(postImport(ports))),
    management('POST', `${keys}/foreign`, operated(postForeign(ports))),
    management('POST', `${keys}/foreign/remove`, operated(postRemoveForeign(ports))),
    management('POST', `${keys}/sign`, operated(postSign(settings, ports))),
    management('POST', `${keys}/decrypt`, operated(postDecrypt(ports))),
  ]
}

const notificationRoutes: Family<'notifications'> = (settings, ports, operated) => [
  management('GET', `${baseOf(settings)}/logouts`, operated(getLogouts(ports))),
  management('POST', `${baseOf(settings)}/logouts/retry`, operated(postRetry(ports))),
]

const tokenRoutes: Family<'tokens'> = (settings, ports, operated) => [
  management('GET', `${baseOf(settings)}/initial-access-tokens`, operated(getTokens(ports))),
  management('DELETE', `${baseOf(settings)}/initial-access-tokens/:id`, operated(deleteToken(ports))),
]

const issuingRoutes: Family<'tokens'> = (settings, ports, operated) => [
  management('POST', `${baseOf(settings)}/direct-authz`, operated(postDirectAuthz(settings, ports))),
]

const clientManagementRoutes: Family<'clients'> = (settings, ports, operated) => [
  management('POST', `${baseOf(settings)}/clients/:id/renewal`, operated(postRenewal(settings, ports))),
  management('POST', `${baseOf(settings)}/registration-policy/judgement`, operated(postJudgement(settings, ports))),
  management('GET', `${baseOf(settings)}/exported-clients`, operated(getExportedClients(ports))),
  management('POST', `${baseOf(settings)}/imported-clients`, operated(postImportedClients(settings, ports))),
]

const encryptionRoutes: Family<'encryption'> = (settings, ports, operated) => {
  const at = `${baseOf(settings)}/encryption`
  return [
    management('GET', `${at}/keys`, operated(encryptionKeyHandler('listEncryptionKeys')(ports))),
    management('POST', `${at}/keys`, operated(encryptionKeyHandler('addEncryptionKey')(ports))),
    management('POST', `${at}/keys/drop`, operated(encryptionKeyHandler('dropEncryptionKeys')(ports))),
    management('POST', `${at}/re-seal`, operated(postReSeal(ports))),
  ]
}

/** The routes for probes and the operator's commands. */
const operatorRoutes = (settings: HttpSettings, ports: HttpPorts, operated: Operated): ReadonlyArray<Route> => [
  management('GET', '/health/live', getLive),
  management('GET', '/health/ready', getReady(ports.health, ports.jwkSet)),
  ...keyRoutes(settings, ports.keys, operated),
  ...(ports.encryption === undefined ? [] : encryptionRoutes(settings, ports.encryption, operated)),
  ...notificationRoutes(settings, ports.notifications, operated),
  ...tokenRoutes(settings, ports.tokens, operated),
  ...clientManagementRoutes(settings, ports.clients, operated),
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
  const operated = forOperator(ports.operator)
  return [
    ...clientRoutes(settings, ports.clients, operated),
    ...issuingRoutes(settings, ports.tokens, operated),
    ...publishedRoutes(settings, ports),
    ...logoutRoutes(settings, ports.logout, operated),
    ...sessionRoutes(settings, ports.sessions, operated),
    ...(ports.signIn === undefined ? [] : signInRoutes(settings, ports.signIn, operated)),
    ...(withOperators ? operatorRoutes(settings, ports, operated) : []),
  ]
}

/** The routes of the management port. */
export const managementRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => {
  const operated = forOperator(ports.operator)
  return [
    ...operatorRoutes(settings, ports, operated),
    management('GET', `${baseOf(settings)}/clients`, operated(getClients(settings, ports.clients))),
    ...issuingRoutes(settings, ports.tokens, operated),
    management('GET', `${baseOf(settings)}/jwks.json`, getJwks(ports.jwkSet)),
  ]
}
