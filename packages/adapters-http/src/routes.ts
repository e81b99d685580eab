import { deleteClient } from './clients/delete-client.js'
import { getClient } from './clients/get-client.js'
import { getClients } from './clients/get-clients.js'
import { getExportedClients } from './clients/get-export.js'
import { postClients } from './clients/post-clients.js'
import { postImportedClients } from './clients/post-import.js'
import { postJudgement } from './clients/post-judgement.js'
import { postRenewal } from './clients/post-renewal.js'
import { deleteSuspension, postSuspension } from './clients/suspension.js'
import { putClient } from './clients/put-client.js'
import { getLive } from './health/get-live.js'
import { getReady } from './health/get-ready.js'
import { logoutRoutes, signInRoutes } from './browser-routes.js'
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
import { deleteOperatorToken } from './operator-tokens/delete-operator-token.js'
import { getOperatorTokens } from './operator-tokens/get-operator-tokens.js'
import { postOperatorToken } from './operator-tokens/post-operator-token.js'
import { getMetrics } from './metrics/get-metrics.js'
import type { HttpPorts } from './ports.js'
import { getDocument } from './published/get-document.js'
import { getJwks } from './published/get-jwks.js'
import { getProviderMetadata, metadataPaths } from './published/get-provider-metadata.js'
import { type Route, escapePattern } from './serve/routing.js'
import { postReload } from './settings-reload/post-reload.js'
import { deleteSession } from './sessions/delete-session.js'
import { getSessions } from './sessions/get-sessions.js'
import { postFindSession } from './sessions/post-find-session.js'
import { postSessionClients } from './sessions/post-session-clients.js'
import { postSessions } from './sessions/post-sessions.js'
import {
  type Family,
  type Operated,
  baseOf,
  document,
  management,
  operatedBelow,
  publication,
  registration,
} from './route-kinds.js'
import type { HttpSettings } from './settings.js'

const clientRoutes: Family<'clients'> = (settings, ports, operated) => {
  const clients = `${baseOf(settings)}/clients`
  return [
    registration('POST', clients, postClients(settings, ports)),
    operated('GET /clients', getClients(settings, ports), registration),
    registration('GET', `${clients}/:id`, getClient(settings, ports)),
    registration('PUT', `${clients}/:id`, putClient(settings, ports)),
    registration('DELETE', `${clients}/:id`, deleteClient(ports)),
  ]
}

// For the login system beside the service, which has an operator token.
const sessionRoutes: Family<'sessions'> = (settings, ports, operated) => [
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
    publication('GET', `${base}/jwks.json`, getJwks(jwkSet)),
    ...metadataPaths(base).map((path) => publication('GET', path, metadata)),
    ...(settings.documents ?? []).map((each) =>
      document('GET', `${base}${escapePattern(each.path)}`, getDocument(each)),
    ),
  ]
}

const keyRoutes: Family<'keys'> = (settings, ports, operated) => [
  operated('GET /keys', getKeys(ports)),
  operated('POST /keys/roll-over', postRollOver(ports)),
  operated('POST /keys/compromise', postCompromise(ports)),
  operated('POST /keys/import', postImport(ports)),
  operated('POST /keys/foreign', postForeign(ports)),
  operated('POST /keys/foreign/remove', postRemoveForeign(ports)),
  operated('POST /keys/sign', postSign(settings, ports)),
  operated('POST /keys/decrypt', postDecrypt(ports)),
]

const operatorTokenRoutes: Family<'operatorTokens'> = (_settings, ports, operated) => [
  operated('GET /operator-tokens', getOperatorTokens(ports)),
  operated('POST /operator-tokens', postOperatorToken(ports)),
  operated('DELETE /operator-tokens/:id', deleteOperatorToken(ports)),
]

const notificationRoutes: Family<'notifications'> = (_settings, ports, operated) => [
  operated('GET /logouts', getLogouts(ports)),
  operated('POST /logouts/retry', postRetry(ports)),
]

const tokenRoutes: Family<'tokens'> = (_settings, ports, operated) => [
  operated('GET /initial-access-tokens', getTokens(ports)),
  operated('DELETE /initial-access-tokens/:id', deleteToken(ports)),
]

const issuingRoutes: Family<'tokens'> = (settings, ports, operated) => [
  operated('POST /direct-authz', postDirectAuthz(settings, ports)),
]

const clientManagementRoutes: Family<'clients'> = (settings, ports, operated) => [
  operated('POST /clients/:id/suspension', postSuspension(ports)),
  operated('DELETE /clients/:id/suspension', deleteSuspension(ports)),
  operated('POST /clients/:id/renewal', postRenewal(settings, ports)),
  operated('POST /registration-policy/judgement', postJudgement(settings, ports)),
  operated('GET /exported-clients', getExportedClients(ports)),
  operated('POST /imported-clients', postImportedClients(settings, ports)),
]

const encryptionRoutes: Family<'encryption'> = (_settings, ports, operated) => [
  operated('GET /encryption/keys', encryptionKeyHandler('listEncryptionKeys')(ports)),
  operated('POST /encryption/keys', encryptionKeyHandler('addEncryptionKey')(ports)),
  operated('POST /encryption/keys/drop', encryptionKeyHandler('dropEncryptionKeys')(ports)),
  operated('POST /encryption/re-seal', postReSeal(ports)),
]

const reloadRoutes: Family<'reload'> = (_settings, reload, operated) => [operated('POST /reload', postReload(reload))]

const metricsRoutes: Family<'metrics'> = (_settings, metrics, operated) => [
  operated('GET /metrics', getMetrics(metrics)),
]

/** The routes for probes and the operator's commands. */
const operatorRoutes = (settings: HttpSettings, ports: HttpPorts, operated: Operated): ReadonlyArray<Route> => [
  management('GET', '/health/live', getLive),
  management('GET', '/health/ready', getReady(ports.health, ports.jwkSet)),
  ...keyRoutes(settings, ports.keys, operated),
  ...(ports.encryption === undefined ? [] : encryptionRoutes(settings, ports.encryption, operated)),
  ...(ports.reload === undefined ? [] : reloadRoutes(settings, ports.reload, operated)),
  ...(ports.metrics === undefined ? [] : metricsRoutes(settings, ports.metrics, operatedBelow('', ports.operator))),
  ...notificationRoutes(settings, ports.notifications, operated),
  ...tokenRoutes(settings, ports.tokens, operated),
  ...operatorTokenRoutes(settings, ports.operatorTokens, operated),
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
  const operated = operatedBelow(baseOf(settings), ports.operator)
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
  const operated = operatedBelow(baseOf(settings), ports.operator)
  return [
    ...operatorRoutes(settings, ports, operated),
    operated('GET /clients', getClients(settings, ports.clients)),
    ...issuingRoutes(settings, ports.tokens, operated),
    management('GET', `${baseOf(settings)}/jwks.json`, getJwks(ports.jwkSet)),
  ]
}
