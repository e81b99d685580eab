// The ports of the HTTP adapter by route family; this module makes no decisions.
import type { ClientPorts, HttpPorts, KeyPorts, ListenerPorts, LogoutPorts } from '@clientele/adapters-http'
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
import type { BudgetConsumption, SectorIdentifiers, SignedBodies, Turns } from '@clientele/domain/ports'
import type { Config } from './config/settings.js'
import { auditLogPorts } from './audit/audit-ports.js'
import { auditWriting } from './data/audit-writing.js'
import { auditedReload } from './audit/audited-reload.js'
import { encryptionKeysOf, sealValuesOf } from './data/encryption-keys.js'
import { budgetConsumption } from './wiring/budgets.js'
import { removalPorts, tombstonesOf } from './wiring/life-cycle.js'
import type { Presence } from './instances/presence.js'
import { keySettings } from './keys/key-settings.js'
import { type Log, logRequest } from './observing/log.js'
import type { LogoutDispatcher } from './logout/logout-dispatcher.js'
import { fromProxies } from './listening/from-proxies.js'
import type { Metrics } from './observing/metrics.js'
import type { OpenedData } from './data/open-data.js'
import type { Reload } from './reload.js'
import { remoteAddress } from './listening/remote-address.js'
import { timedTurns } from './timed-turns.js'

/** Set when the process receives a signal to stop: from then on the service is not ready. */
export type Draining = { begun: boolean }

const logUnreadable =
  (log: Log): ClientPorts['logUnreadable'] =>
  ({ client_id, detail }) =>
    log.error(
      { client_id, detail },
      'a stored client cannot be read; DELETE /clients/{id} with the master token removes it',
    )

// The names are the client's choice: what is logged names known members alone.
const isDropped = ({ rule }: { readonly rule: string }): boolean => ['unknown-member', 'empty-member'].includes(rule)
const maxRemedies = 8

const logWarnings =
  (log: Log): ClientPorts['logWarnings'] =>
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
  readonly renderPage: LogoutPorts['renderPage']
  readonly reloadAll: Reload | undefined
  readonly sectors: SectorIdentifiers
  readonly keySets: Pick<SignedBodies, 'fetchKeySet'>
}

type Families = Pick<
  HttpPorts,
  'clients' | 'managing' | 'tokens' | 'operatorTokens' | 'sessions' | 'logout' | 'operator'
>

const managingPorts = (config: Config, data: OpenedData, turns: Turns): HttpPorts['managing'] => ({
  ...data.store.registry,
  ...data.store.clientSearch,
  ...data.store.clientUses,
  ...data.generator,
  ...turns,
  ...removalPorts(config, data),
  tombstone: tombstonesOf(config, data),
  hashToken: data.hashToken,
  ...auditWriting(data.store, data.hashToken),
})

const families = (options: HttpPortsOptions, budgets: BudgetConsumption): Families => {
  const { config, data, log, rotation, dispatcher, renderPage, sectors, keySets } = options
  const { generator, store, hashToken } = data
  const { registry, initialAccessTokens, operatorTokens, endUserSessions, sessionTermination } = store
  const turns = timedTurns()
  const audit = auditWriting(store, hashToken)
  const statements = createSoftwareStatements(config['software-statement-issuers'])
  const logging = { logUnreadable: logUnreadable(log), logWarnings: logWarnings(log) }
  const ended = { ...endUserSessions, ...sessionTermination, sessionEnded: dispatcher.sessionEnded }
  const sessions = { ...registry, ...ended, ...generator, ...turns, ...audit, hashToken }
  return {
    clients: {
      ...registry,
      findUnused: store.clientUses.findUnused,
      tombstone: tombstonesOf(config, data),
      ...initialAccessTokens,
      ...operatorTokens,
      ...statements,
      signedBodies: { ...createSignedBodies(), ...keySets },
      ...sectors,
      ...generator,
      ...turns,
      ...logging,
      ...budgets,
      ...audit,
      hashToken,
    },
    managing: managingPorts(config, data, turns),
    tokens: { ...initialAccessTokens, ...generator, ...audit },
    operatorTokens: { ...operatorTokens, ...generator, ...audit },
    sessions,
    logout: { ...sessions, ...data.confirmations, ...createIdTokenHints(rotation), ...budgets, renderPage },
    operator: { ...registry, ...initialAccessTokens, ...operatorTokens, now: generator.now },
  }
}

export const httpPorts = (options: HttpPortsOptions): ListenerPorts => {
  const { config, data, metrics, log, draining, presence, rotation, dispatcher, renderPage, reloadAll } = options
  const logEntry = logRequest(log)
  const budgets = budgetConsumption(options)
  return {
    ...families(options, budgets),
    notifications: dispatcher.notifications,
    budgets,
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
