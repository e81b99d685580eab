// The clients of authorization requests, by the registry and by their documents: docs/client-id-metadata-documents.md.
import { createSoftwareStatements } from '@clientele/adapters-jose'
import type { KnownClients } from '@clientele/adapters-oidc-provider'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import { approveDocument, resolveClient } from '@clientele/domain/operations'
import { documentPolicy } from '@clientele/domain/policy'
import type { BudgetConsumption } from '@clientele/domain/ports'
import { rememberDecision } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config/settings.js'
import { auditWriting, timedTurns } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import type { LiveListeners } from '../server/listening.js'
import type { Log } from '../observing/log.js'
import { registrationSettings } from '../wiring/http-settings.js'
import { clientDocuments } from '../wiring/reach-out.js'
import { createSeenDocuments } from './seen-documents.js'

export type KnownClientsOptions = {
  readonly config: Config
  /** A reload may change the registration policy. */
  readonly live: Pick<LiveListeners, 'presentConfig'>
  readonly data: OpenedData
  readonly log: Log
  readonly budgets: BudgetConsumption
  readonly outbound?: Partial<OutboundOptions> | undefined
}

/** Made anew where the settings in force are others. */
export const ofPresent = <Made>(present: () => Config, make: (config: Config) => Made): (() => Made) => {
  const state: { of: Config | undefined; made: Made | undefined } = { of: undefined, made: undefined }
  return () => {
    const config = present()
    if (state.of === config && state.made !== undefined) return state.made
    const made = make(config)
    state.of = config
    state.made = made
    return made
  }
}

const policyOf = (config: Config) => documentPolicy(config['registration-policy']?.metadata_documents)

export const knownClients = (
  { config, live: { presentConfig: present }, data, log, budgets, outbound }: KnownClientsOptions,
  issuer: string,
): KnownClients => {
  const { store, generator, hashToken } = data
  const policy = () => policyOf(present())
  const decision = ofPresent(present, (settings) => rememberDecision(registrationSettings(settings, issuer)))
  const { readSoftwareStatement } = createSoftwareStatements(config['software-statement-issuers'])
  const documents = clientDocuments(config, {
    policy,
    now: generator.now,
    readStatement: (statement) => readSoftwareStatement(statement, [issuer, `${issuer}/clients`]),
    isValid: (url, seen) => E.isRight(decision()(url, seen)),
    onFailure: (url, reason) => log.warn({ host: new URL(url).host, reason }, 'there is no document of a client'),
    ...outbound,
  })
  const ports = {
    ...store.registry,
    ...generator,
    ...documents,
    ...createSeenDocuments({ artefacts: store.artefacts, hashToken, policy }),
    ...timedTurns(),
    ...auditWriting(store, hashToken),
    changeOrigin: () => ({ origin: { door: 'service' as const, request_id: randomUUID() } }),
    hashToken,
    consumeBudget: budgets.consumeBudget,
  }
  const operations = ofPresent(present, (settings) => {
    const registration = registrationSettings(settings, issuer)
    return {
      resolve: resolveClient(registration, { ...ports, decideDocument: decision() }),
      approve: approveDocument(registration, ports),
    }
  })
  return {
    resolveClient: (clientId) => operations().resolve(clientId),
    approveDocument: (client, sub) => operations().approve(client, sub),
  }
}
