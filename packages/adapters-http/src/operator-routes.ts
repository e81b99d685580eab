// The routes for probes and the operator's commands.
import { getAudit, getAuditVerification } from './audit/get-audit.js'
import { getExportedClients } from './clients/get-export.js'
import { postImportedClients } from './clients/post-import.js'
import { patchClient } from './clients/patch-client.js'
import { postJudgement } from './clients/post-judgement.js'
import { postRenewal } from './clients/post-renewal.js'
import { deleteSuspension, postSuspension } from './clients/suspension.js'
import { getLive } from './health/get-live.js'
import { getReady } from './health/get-ready.js'
import { deleteToken } from './initial-access-tokens/delete-token.js'
import { getTokens } from './initial-access-tokens/get-tokens.js'
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
import {
  deleteManagedClient,
  getRemovals,
  postRestoration,
  getClientSecrets,
  getManagedClient,
  getManagedClients,
  postChange,
} from './managing/managed-clients.js'
import type { HttpPorts } from './ports.js'
import { type Route } from './serve/routing.js'
import { postReload } from './settings-reload/post-reload.js'
import { type Family, type Operated, management, operatedBelow } from './route-kinds.js'
import type { HttpSettings } from './settings.js'

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

const operatorTokenRoutes: Family<'service'> = (_settings, ports, operated) => [
  operated('GET /operator-tokens', getOperatorTokens(ports)),
  operated('POST /operator-tokens', postOperatorToken(ports)),
  operated('DELETE /operator-tokens/:id', deleteOperatorToken(ports)),
]

const notificationRoutes: Family<'notifications'> = (_settings, ports, operated) => [
  operated('GET /logouts', getLogouts(ports)),
  operated('POST /logouts/retry', postRetry(ports)),
]

const tokenRoutes: Family<'service'> = (_settings, ports, operated) => [
  operated('GET /initial-access-tokens', getTokens(ports)),
  operated('DELETE /initial-access-tokens/:id', deleteToken(ports)),
]

const clientManagementRoutes: Family<'service'> = (settings, ports, operated) => [
  { ...operated('PATCH /manage/v1/clients/:id', patchClient(settings, ports)), takes: 'merge-patch' },
  operated('POST /clients/:id/suspension', postSuspension(ports)),
  operated('DELETE /clients/:id/suspension', deleteSuspension(ports)),
  operated('POST /clients/:id/renewal', postRenewal(settings, ports)),
  operated('POST /registration-policy/judgement', postJudgement(settings, ports)),
  operated('GET /exported-clients', getExportedClients(ports)),
  operated('POST /imported-clients', postImportedClients(settings, ports)),
]

const managingRoutes: Family<'service'> = (_settings, ports, operated) => [
  operated('GET /manage/v1/clients', getManagedClients(ports)),
  operated('GET /manage/v1/clients/:id', getManagedClient(ports)),
  operated('GET /manage/v1/clients/:id/secrets', getClientSecrets(ports)),
  operated('DELETE /manage/v1/clients/:id', deleteManagedClient(ports)),
  operated('POST /manage/v1/clients/:id/restoration', postRestoration(ports)),
  operated('GET /manage/v1/removals', getRemovals(ports)),
  operated('POST /manage/v1/clients/suspension', postChange('suspension', ports)),
  operated('POST /manage/v1/clients/resumption', postChange('resumption', ports)),
  operated('POST /manage/v1/clients/removal', postChange('removal', ports)),
]

const encryptionRoutes: Family<'encryption'> = (_settings, ports, operated) => [
  operated('GET /encryption/keys', encryptionKeyHandler('listEncryptionKeys')(ports)),
  operated('POST /encryption/keys', encryptionKeyHandler('addEncryptionKey')(ports)),
  operated('POST /encryption/keys/drop', encryptionKeyHandler('dropEncryptionKeys')(ports)),
  operated('POST /encryption/re-seal', postReSeal(ports)),
]

const auditRoutes: Family<'auditLog'> = (_settings, ports, operated) => [
  operated('GET /manage/v1/audit', getAudit(ports)),
  operated('GET /manage/v1/audit/verification', getAuditVerification(ports)),
]

const reloadRoutes: Family<'reload'> = (_settings, reload, operated) => [operated('POST /reload', postReload(reload))]

const metricsRoutes: Family<'metrics'> = (_settings, metrics, operated) => [
  operated('GET /metrics', getMetrics(metrics)),
]

/** The routes for probes and the operator's commands. */
export const operatorRoutes = (settings: HttpSettings, ports: HttpPorts, operated: Operated): ReadonlyArray<Route> => [
  management('GET', '/health/live', getLive),
  management('GET', '/health/ready', getReady(ports.health, ports.jwkSet)),
  ...keyRoutes(settings, ports.keys, operated),
  ...(ports.encryption === undefined ? [] : encryptionRoutes(settings, ports.encryption, operated)),
  ...(ports.auditLog === undefined ? [] : auditRoutes(settings, ports.auditLog, operated)),
  ...(ports.reload === undefined ? [] : reloadRoutes(settings, ports.reload, operated)),
  ...(ports.metrics === undefined ? [] : metricsRoutes(settings, ports.metrics, operatedBelow('', ports.service))),
  ...notificationRoutes(settings, ports.notifications, operated),
  ...tokenRoutes(settings, ports.service, operated),
  ...operatorTokenRoutes(settings, ports.service, operated),
  ...clientManagementRoutes(settings, ports.service, operated),
  ...managingRoutes(settings, ports.service, operated),
]
