// The ports of the HTTP adapter; this module makes no decisions.
import {
  type AuditLogPorts,
  type HttpPorts,
  type KeyPorts,
  type ListenerPorts,
  type ServicePorts,
  createConsoleRenderer,
} from '@clientele/adapters-http'
import {
  type KeyRotationScheduler,
  createCheckpointVerifier,
  createIdTokenHints,
  createObjectDecrypter,
  createSignedBodies,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
} from '@clientele/adapters-jose'
import { verifyByNode } from '@clientele/adapters-jose/node'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import { secondsAfter } from '@clientele/domain/kernel'
import { describeKeys } from '@clientele/domain/keys'
import { announceRemovals, linkAudit, listAudit, verifyAudit } from '@clientele/domain/operations'
import type { BudgetConsumption } from '@clientele/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { keySettings } from './config/keys.js'
import { baseUrlAt, hasConsole } from './config/listening.js'
import { lifeCyclePolicy, removedBefore } from './config/life-cycle.js'
import { sectorIdentifiers, signersKeySets } from './config/outbound.js'
import type { Config } from './config/settings.js'
import { pathOf } from './config/values.js'
import { encryptionKeysOf, sealValuesOf } from './data/encryption-keys.js'
import type { OpenedData } from './data/open-data.js'
import { type Watched, createCounting } from './observing/stored-metrics.js'
import { type Log, reportRequests } from './observing/log.js'
import { type Metrics, doorsOf } from './observing/metrics.js'
import type { RefusalObserver } from './observing/refusals.js'
import { auditLinkPorts } from './running/background.js'
import { budgetConsumption } from './running/budgets.js'
import type { LogoutDispatcher } from './running/logout-dispatcher.js'
import type { Presence } from './running/presence.js'
import type { Peers } from './server/peers.js'

const logUnreadable =
  (log: Log): ServicePorts['logUnreadable'] =>
  ({ client_id, detail }) =>
    log.error(
      { client_id, detail },
      'a stored client cannot be read; DELETE /clients/{id} with the master token removes it',
    )

// The names are the client's choice: what is logged names known members alone.
const droppedRules = ['unknown-member', 'empty-member', 'empty-left-out', 'repetition-left-out']
const isDropped = ({ rule }: { readonly rule: string }): boolean => droppedRules.includes(rule)
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

export type RoutePortsOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly log: Log
  readonly isDraining: () => boolean
  readonly reports: Presence['reports']
  readonly rotation: Omit<KeyRotationScheduler, 'reconcile' | 'start' | 'stop'>
  readonly dispatcher: Pick<LogoutDispatcher, 'notifications' | 'sessionEnded'>
  readonly renderPage: ServicePorts['renderPage']
  readonly reload: HttpPorts['reload'] | undefined
  readonly outbound: Partial<OutboundOptions> | undefined
  readonly budgets: BudgetConsumption
}

const keysForHttp = ({ config, data, rotation }: RoutePortsOptions): KeyPorts => {
  const { policy } = keySettings(config)
  // The last checkpoint of the audit log may have a signature of the key that left: another one is made at once, so that the
  // log does not look as if it was changed. Where that fails, a pass of the running service makes it.
  const link = linkAudit(auditLinkPorts({ config, data, rotation }))
  const relinked: T.Task<unknown> = () => link().catch(() => undefined)
  const decrypter = createObjectDecrypter(rotation)
  return {
    management: (...by) => {
      const management = rotation.keys(...by)
      return {
        ...management,
        revoke: (named) =>
          pipe(
            management.revoke(named),
            TE.tapTask(() => (named.dryRun ? T.of(undefined) : relinked)),
          ),
      }
    },
    readPrivateJwkSet,
    readPublicJwkSet,
    signerOf: (issuer) => {
      const signer = createTokenSigner({ issuer, policy }, { ...rotation, now: data.generator.now })
      return () => signer
    },
    decrypter: () => decrypter,
  }
}

const servicePorts = (options: RoutePortsOptions): ServicePorts => {
  const { config, data, log, rotation, dispatcher, renderPage, outbound, budgets } = options
  return {
    ...data.operations,
    ...createSoftwareStatements(config['software-statement-issuers']),
    signedBodies: { ...createSignedBodies(), ...signersKeySets(config, outbound) },
    ...sectorIdentifiers(config, outbound),
    ...data.confirmations,
    ...createIdTokenHints(rotation, verifyByNode()),
    ...budgets,
    logUnreadable: logUnreadable(log),
    logWarnings: logWarnings(log),
    sessionEnded: dispatcher.sessionEnded,
    renderPage,
  }
}

// A pass removes rows of the audit log some seconds after they are due.
const tolerance = 3_600
// A minute, and what the clocks of two instances may differ by: docs/operate/several-instances.md.
const patience = 60 + 10

const auditLogPorts = ({ config, data, rotation }: RoutePortsOptions): AuditLogPorts => {
  const { store, hashToken, generator } = data
  const times = () => {
    const now = generator.now()
    return {
      removedBefore: secondsAfter(removedBefore(config, now), tolerance),
      linkedBefore: secondsAfter(now, -patience),
    }
  }
  const verifier = createCheckpointVerifier(rotation.keyRings)
  return {
    listAudit: listAudit(store.auditLog),
    verifyAudit: verifyAudit({ ...store.auditLog, ...verifier, hashToken, times }),
  }
}

/** What the routes ask for: in the running service, and in a command without one. */
export const routePorts = (options: RoutePortsOptions): HttpPorts => {
  const { data, isDraining, reports, rotation, dispatcher, reload } = options
  return {
    service: servicePorts(options),
    notifications: dispatcher.notifications,
    auditLog: auditLogPorts(options),
    jwkSet: rotation,
    keys: keysForHttp(options),
    encryption: { sealValues: sealValuesOf(data), keys: encryptionKeysOf(data) },
    health: { checks: [{ name: 'store', check: data.store.check }], isDraining, reports },
    ...(reload === undefined ? {} : { reload }),
  }
}

export type HttpPortsOptions = Omit<RoutePortsOptions, 'budgets'> & {
  readonly metrics: Metrics
  readonly refusals: RefusalObserver
  readonly peers: Peers
}

export const httpPorts = (options: HttpPortsOptions): ListenerPorts => {
  const { config, peers, log, metrics, refusals } = options
  return {
    ...routePorts({ ...options, budgets: budgetConsumption(options) }),
    ...(hasConsole(config) ? { console: { renderConsole: createConsoleRenderer() } } : {}),
    remoteAddress: peers.remoteAddress,
    requestId: peers.requestId,
    trace: peers.trace,
    log: reportRequests(log, metrics, refusals, doorsOf(pathOf(baseUrlAt(config)), config['logout-path'])),
  }
}

/** What a scrape reads of a running service. */
export const watchedIn = ({
  config,
  data,
  rotation,
}: Pick<RoutePortsOptions, 'config' | 'data' | 'rotation'>): Watched => {
  const { store, operations } = data
  const { now } = operations
  const { policy } = keySettings(config)
  return {
    counted: createCounting({
      census: store.census,
      removals: announceRemovals(operations),
      policy: lifeCyclePolicy(config),
      now,
    }),
    keys: () => describeKeys(policy, rotation.keyRings()),
    now,
  }
}
