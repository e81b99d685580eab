// The ports of the HTTP adapter; this module makes no decisions.
import type { KeyPorts, ListenerPorts, ServicePorts } from '@clientele/adapters-http'
import {
  type KeyRotationScheduler,
  createIdTokenHints,
  createObjectDecrypter,
  createSignedBodies,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
} from '@clientele/adapters-jose'
import type { SectorIdentifiers, SignedBodies } from '@clientele/domain/ports'
import type { Config } from './config/settings.js'
import { auditLogPorts } from './audit/audit-ports.js'
import { auditedReload } from './audit/audited-reload.js'
import { encryptionKeysOf, sealValuesOf } from './data/encryption-keys.js'
import { budgetConsumption } from './wiring/budgets.js'
import type { Presence } from './instances/presence.js'
import { keySettings } from './keys/key-settings.js'
import { type Log, logRequest } from './observing/log.js'
import type { LogoutDispatcher } from './logout/logout-dispatcher.js'
import { fromProxies } from './listening/from-proxies.js'
import type { Metrics } from './observing/metrics.js'
import { portsOf } from './data/operation-ports.js'
import type { OpenedData } from './data/open-data.js'
import type { Reload } from './reload.js'
import { remoteAddress } from './listening/remote-address.js'

/** Set when the process receives a signal to stop: from then on the service is not ready. */
export type Draining = { begun: boolean }

const logUnreadable =
  (log: Log): ServicePorts['logUnreadable'] =>
  ({ client_id, detail }) =>
    log.error(
      { client_id, detail },
      'a stored client cannot be read; DELETE /clients/{id} with the master token removes it',
    )

// The names are the client's choice: what is logged names known members alone.
const isDropped = ({ rule }: { readonly rule: string }): boolean => ['unknown-member', 'empty-member'].includes(rule)
const maxRemedies = 8

const logWarnings =
  (log: Log): ServicePorts['logWarnings'] =>
  (client_id, warnings) => {
    for (const { pointer, description: remedy } of warnings.filter((each) => !isDropped(each)))
      log.warn({ client_id, member: pointer.slice(1), remedy }, 'a client names what this service does not ask')
    const dropped = warnings.filter(isDropped)
    if (dropped.length === 0) return
    const remedies = [...new Set(dropped.map(({ description }) => description))].slice(0, maxRemedies)
    log.info({ client_id, members: dropped.length, remedies }, 'a client sent members that were left out')
  }

const keysForHttp = (config: Config, { generator }: OpenedData, rotation: KeyRotationScheduler): KeyPorts => {
  const { policy } = keySettings(config)
  const decrypter = createObjectDecrypter(rotation)
  return {
    management: rotation.keys,
    readPrivateJwkSet,
    readPublicJwkSet,
    signerOf: (issuer) => {
      const signer = createTokenSigner({ issuer, policy }, { ...rotation, now: generator.now })
      return () => signer
    },
    decrypter: () => decrypter,
  }
}

export type HttpPortsOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly metrics: Metrics
  readonly log: Log
  readonly draining: Draining
  readonly presence: Pick<Presence, 'reports'>
  readonly rotation: KeyRotationScheduler
  readonly dispatcher: Pick<LogoutDispatcher, 'notifications' | 'sessionEnded'>
  readonly renderPage: ServicePorts['renderPage']
  readonly reloadAll: Reload | undefined
  readonly sectors: SectorIdentifiers
  readonly keySets: Pick<SignedBodies, 'fetchKeySet'>
}

const serviceOf = (options: HttpPortsOptions): ServicePorts => {
  const { config, data, log, rotation, dispatcher, renderPage, sectors, keySets } = options
  return {
    ...portsOf(config, data),
    ...createSoftwareStatements(config['software-statement-issuers']),
    signedBodies: { ...createSignedBodies(), ...keySets },
    ...sectors,
    ...data.confirmations,
    ...createIdTokenHints(rotation),
    ...budgetConsumption(options),
    logUnreadable: logUnreadable(log),
    logWarnings: logWarnings(log),
    sessionEnded: dispatcher.sessionEnded,
    renderPage,
  }
}

export const httpPorts = (options: HttpPortsOptions): ListenerPorts => {
  const { config, data, metrics, log, draining, presence, rotation, dispatcher, renderPage, reloadAll } = options
  const logEntry = logRequest(log)
  return {
    service: serviceOf(options),
    notifications: dispatcher.notifications,
    auditLog: auditLogPorts(config, data, rotation.keyRings),
    jwkSet: rotation,
    keys: keysForHttp(config, data, rotation),
    encryption: { sealValues: sealValuesOf(data), keys: encryptionKeysOf(data) },
    health: {
      checks: [{ name: 'store', check: data.store.check }],
      isDraining: () => draining.begun,
      reports: presence.reports,
    },
    ...(reloadAll === undefined ? {} : { reload: auditedReload(data, reloadAll) }),
    hashToken: data.hashToken,
    renderPage,
    ...fromProxies(config['trusted-proxies']),
    log: (entry) => {
      metrics.observe(entry)
      logEntry(entry)
    },
    remoteAddress: remoteAddress(config['trusted-proxies']),
  }
}
