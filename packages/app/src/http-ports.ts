// The ports of the HTTP adapter; this module makes no decisions.
import type { HttpPorts, KeyPorts, ListenerPorts, ServicePorts } from '@clientele/adapters-http'
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
import type { BudgetConsumption, SectorIdentifiers, SignedBodies } from '@clientele/domain/ports'
import type { Config } from './config/settings.js'
import { auditLogPorts } from './audit/audit-ports.js'
import { auditedReload } from './audit/audited-reload.js'
import { encryptionKeysOf, sealValuesOf } from './data/encryption-keys.js'
import { budgetConsumption } from './wiring/budgets.js'
import type { Presence } from './instances/presence.js'
import { keySettings } from './keys/key-settings.js'
import { type Log, reportRequests } from './observing/log.js'
import type { LogoutDispatcher } from './logout/logout-dispatcher.js'
import type { Metrics } from './observing/metrics.js'
import type { Peers } from './server/peers.js'
import { portsOf } from './data/operation-ports.js'
import type { OpenedData } from './data/open-data.js'
import type { Reload } from './reload.js'

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

const keysForHttp = (config: Config, { generator }: OpenedData, rotation: RoutePortsOptions['rotation']): KeyPorts => {
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

export type RoutePortsOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly log: Log
  readonly isDraining: () => boolean
  readonly reports: Presence['reports']
  readonly rotation: Omit<KeyRotationScheduler, 'reconcile' | 'start' | 'stop'>
  readonly dispatcher: Pick<LogoutDispatcher, 'notifications' | 'sessionEnded'>
  readonly renderPage: ServicePorts['renderPage']
  readonly reloadAll: Reload | undefined
  readonly sectors: SectorIdentifiers
  readonly keySets: Pick<SignedBodies, 'fetchKeySet'>
  readonly budgets: BudgetConsumption
}

const servicePorts = (options: RoutePortsOptions): ServicePorts => {
  const { config, data, log, rotation, dispatcher, renderPage, sectors, keySets, budgets } = options
  return {
    ...portsOf(config, data),
    ...createSoftwareStatements(config['software-statement-issuers']),
    signedBodies: { ...createSignedBodies(), ...keySets },
    ...sectors,
    ...data.confirmations,
    ...createIdTokenHints(rotation),
    ...budgets,
    logUnreadable: logUnreadable(log),
    logWarnings: logWarnings(log),
    sessionEnded: dispatcher.sessionEnded,
    renderPage,
  }
}

/** What the routes ask for: in the running service, and in a command without one. */
export const routePorts = (options: RoutePortsOptions): HttpPorts => {
  const { config, data, isDraining, reports, rotation, dispatcher, reloadAll } = options
  return {
    service: servicePorts(options),
    notifications: dispatcher.notifications,
    auditLog: auditLogPorts(config, data, rotation.keyRings),
    jwkSet: rotation,
    keys: keysForHttp(config, data, rotation),
    encryption: { sealValues: sealValuesOf(data), keys: encryptionKeysOf(data) },
    health: { checks: [{ name: 'store', check: data.store.check }], isDraining, reports },
    ...(reloadAll === undefined ? {} : { reload: auditedReload(data, reloadAll) }),
  }
}

export type HttpPortsOptions = Omit<RoutePortsOptions, 'isDraining' | 'reports' | 'budgets'> & {
  readonly metrics: Metrics
  readonly peers: Peers
  readonly draining: Draining
  readonly presence: Pick<Presence, 'reports'>
}

export const httpPorts = (options: HttpPortsOptions): ListenerPorts => {
  const { metrics, peers, log, draining, presence } = options
  return {
    ...routePorts({
      ...options,
      isDraining: () => draining.begun,
      reports: presence.reports,
      budgets: budgetConsumption(options),
    }),
    remoteAddress: peers.remoteAddress,
    requestId: peers.requestId,
    trace: peers.trace,
    log: reportRequests(log, metrics),
  }
}
