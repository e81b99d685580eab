// The clients of authorization requests, by the registry and by their documents: docs/use/documents.md.
import { createSoftwareStatements } from '@clientele/adapters-jose'
import type { KnownClients } from '@clientele/adapters-oidc-provider'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import type { HashText, TokenHash } from '@clientele/domain/authorization'
import type { RegistrationId } from '@clientele/domain/client'
import { type Unavailable, EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { approveDocument, resolveClient } from '@clientele/domain/operations'
import { type ClientEntries, type DocumentPolicy, documentPolicy } from '@clientele/domain/policy'
import type { Artefacts, BudgetConsumption, SeenDocuments } from '@clientele/domain/ports'
import { type SeenDocument, rememberDecision } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import { clientDocuments } from '../config/outbound.js'
import { registrationSettings } from '../config/registration.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import type { LiveListeners } from '../server/listening.js'
import type { Log } from '../observing/log.js'

type SeenDocumentsOptions = {
  readonly artefacts: Artefacts
  readonly hashToken: HashText
  readonly policy: () => Pick<DocumentPolicy, 'unreachable_for'>
}

const done: TE.TaskEither<never, void> = TE.right(undefined)

/** The times at which the documents of stored clients were seen, as artefacts that end with the registration. */
export const createSeenDocuments = ({ artefacts, hashToken, policy }: SeenDocumentsOptions): SeenDocuments => {
  // A client that is registered again has a record of its own.
  const recorded = new WeakMap<SeenDocument, RegistrationId>()
  const hashOf = (url: string): TokenHash => hashToken(`document ${url}`)
  const findLastSeen = (url: string): TE.TaskEither<Unavailable, O.Option<EpochSeconds>> =>
    pipe(
      artefacts.findArtefact('document', hashOf(url)),
      TE.map(O.flatMap(({ payload: { at } }) => (EpochSeconds.is(at) ? O.some(at) : O.none))),
    )
  return {
    recordSeen: ({ client_id, registration_id }, seen) => {
      if (recorded.get(seen) === registration_id) return done
      const { at } = seen
      const expires_at = secondsAfter(at, policy().unreachable_for)
      const client = { client_id, registration_id }
      const artefact = { kind: 'document', hash: hashOf(client_id), client, expires_at, payload: { at } } as const
      return pipe(
        findLastSeen(client_id),
        // Another instance may have seen a later one.
        TE.flatMap((last) => (O.isSome(last) && last.value >= at ? done : artefacts.storeArtefact(artefact, at))),
        TE.map(() => {
          recorded.set(seen, registration_id)
        }),
        // A client that was removed meanwhile is found no more, either.
        TE.orElse((failure) => (failure.error === 'unavailable' ? TE.left(failure) : done)),
      )
    },
    findLastSeen,
  }
}

export type KnownClientsOptions = {
  readonly config: Config
  /** Which has the settings in force after reloads: the registration policy may be another then. */
  readonly live: Pick<LiveListeners, 'present'>
  readonly data: OpenedData
  readonly log: Log
  readonly outbound?: Partial<OutboundOptions> | undefined
  /** The base URL. */
  readonly issuer: string
}

type LiveSettings = KnownClientsOptions['live']

/** Made anew where the settings in force are others. */
export const ofPresent = <Made>({ present }: LiveSettings, make: (config: Config) => Made): (() => Made) => {
  const state: { of: Config | undefined; made: Made | undefined } = { of: undefined, made: undefined }
  return () => {
    const { config } = present()
    if (state.of === config && state.made !== undefined) return state.made
    const made = make(config)
    state.of = config
    state.made = made
    return made
  }
}

/** The part of the registration policy in force that is about documents. */
export const documentPolicyOf =
  ({ present }: LiveSettings): (() => DocumentPolicy) =>
  () =>
    documentPolicy(present().config['registration-policy']?.metadata_documents)

/** What the registration policy in force says about single clients. */
export const clientEntriesOf =
  ({ present }: LiveSettings): (() => ClientEntries) =>
  () =>
    present().config['registration-policy']?.clients ?? []

export const knownClients = (options: KnownClientsOptions, { consumeBudget }: BudgetConsumption): KnownClients => {
  const { config, live, data, log, outbound, issuer } = options
  const { generator, hashToken } = data
  const policy = documentPolicyOf(live)
  const decision = ofPresent(live, (settings) => rememberDecision(registrationSettings(settings, issuer)))
  const { readSoftwareStatement } = createSoftwareStatements(config['software-statement-issuers'])
  const documents = clientDocuments(config, {
    policy,
    now: generator.now,
    readStatement: (statement) => readSoftwareStatement(statement, [issuer, `${issuer}/clients`]),
    isValid: (url, seen) => {
      const decided = decision()(url, seen)
      if (E.isLeft(decided)) return false
      const { adjustments } = decided.right
      const told = adjustments.map(({ pointer, rule }) => `${pointer} ${rule}`)
      if (told.length > 0) log.info({ client_id: url, adjustments: told }, 'a document is used without a part of it')
      return true
    },
    onFailure: (url, reason) => log.warn({ host: new URL(url).host, reason }, 'there is no document of a client'),
    ...outbound,
  })
  const ports = {
    ...data.operations,
    ...documents,
    ...createSeenDocuments({ artefacts: data.store.artefacts, hashToken, policy }),
    changeOrigin: () => ({ origin: { door: 'service' as const, request_id: randomUUID() } }),
    consumeBudget,
  }
  const operations = ofPresent(live, (settings) => {
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
