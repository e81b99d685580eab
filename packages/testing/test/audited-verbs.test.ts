// Each verb of a store that changes something: with its audit row, or with the reason why it has none. A new verb is
// entered here, or this does not compile; and the contracts perform each one that takes a row.
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import type { AuditRow } from '@clientele/domain/audit'
import type { StoragePorts } from '@clientele/domain/ports'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { auditContract, changesContract } from '../src/index.js'

type Has<Verb> = Verb extends (...given: infer Given extends ReadonlyArray<never>) => unknown
  ? AuditRow extends Given[number]
    ? 'row'
    : [Given[number]] extends [never]
      ? string
      : 'audit' extends keyof Given[number]
        ? 'row'
        : string
  : string

type Verbs = {
  readonly [Port in keyof StoragePorts]: {
    readonly [Verb in keyof StoragePorts[Port]]: Has<StoragePorts[Port][Verb]>
  }
}

const endUser = 'of an end-user: in the log of the service'
const derived = 'changes nothing that a client or an operator set'
const byAge = 'ends what has expired, or has become too old'
const internal = 'by which instances agree'

const verbs: Verbs = {
  registry: {
    addClient: 'row',
    replaceClient: 'row',
    removeClient: 'row',
    importClients: 'row',
    confirmReads: 'reads',
    findKeyedRegistration: 'reads',
    findClient: 'reads',
    findClients: 'reads',
    findClientByToken: 'reads',
    isRegistrationAccessToken: 'reads',
    streamClients: 'reads',
    streamClientsWithUse: 'reads',
  },
  clientUses: {
    removeParked: 'row',
    restoreRemoved: 'row',
    recordUse: derived,
    parkUnused: derived,
    observeDay: derived,
    forgetRemoved: byAge,
    listRemoved: 'reads',
    observedDays: 'reads',
    findUses: 'reads',
    findUnused: 'reads',
    listParked: 'reads',
    countParked: 'reads',
    isRemembered: 'reads',
  },
  clientSearch: { searchClients: 'reads', findListedClient: 'reads', lastPosition: 'reads', indexTexts: derived },
  initialAccessTokens: {
    addInitialAccessToken: 'row',
    removeInitialAccessToken: 'row',
    findInitialAccessToken: 'reads',
    listInitialAccessTokens: 'reads',
  },
  operatorTokens: {
    addOperatorToken: 'row',
    removeOperatorToken: 'row',
    findOperatorToken: 'reads',
    listOperatorTokens: 'reads',
  },
  authorizations: { recordAuthorization: endUser, revokeAuthorization: endUser, findAuthorization: 'reads' },
  artefacts: {
    storeArtefact: endUser,
    useArtefact: endUser,
    removeArtefact: endUser,
    removeGrant: endUser,
    findArtefact: 'reads',
    findArtefactByName: 'reads',
  },
  consents: { recordConsent: endUser, findConsent: 'reads' },
  connections: {
    revokeConnection: 'row',
    forgetConnections: byAge,
    searchConnections: 'reads',
    findConnection: 'reads',
    lastConnection: 'reads',
  },
  keyRings: {
    replaceKeyRings: 'row',
    confirmReads: 'reads',
    readStoreTime: 'reads',
    readKeyRingVersions: 'reads',
    readKeyRings: 'reads',
  },
  foreignKeys: { addForeignKeys: 'row', removeForeignKey: 'row', readForeignKeys: 'reads' },
  endUserSessions: {
    addSession: 'row',
    replaceSession: 'row',
    findSession: 'reads',
    findSessionById: 'reads',
    listSessions: 'reads',
  },
  sessionTermination: { endSession: 'row', hasEnded: 'reads' },
  pendingNotifications: {
    retryNotifications: 'row',
    claimDue: internal,
    recordTries: internal,
    purgeNotifications: byAge,
    nextDue: 'reads',
    listNotifications: 'reads',
  },
  leases: { acquireLease: internal, releaseLease: internal },
  budgets: { drawFromBudget: internal },
  providerEvents: { latestPosition: 'reads', listEvents: 'reads' },
  refusals: { recordRefusals: derived, listRefusals: 'reads' },
  secretUses: { recordSecretUses: derived, findSecretUses: 'reads' },
  census: { countClients: 'reads', countOthers: 'reads' },
  auditLog: {
    addAuditRow: 'row',
    addCheckpoint: 'of the log itself',
    forgetAudit: byAge,
    listAudit: 'reads',
    listUnlinked: 'reads',
    lastCheckpoint: 'reads',
    checkpointsAfter: 'reads',
    listRows: 'reads',
  },
}

const withRow: ReadonlyArray<string> = Object.entries(verbs).flatMap(([port, ofPort]) =>
  Object.entries(ofPort).flatMap(([verb, has]) => (has === 'row' ? [`${port}.${verb}`] : [])),
)

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null && 'mac' in value

const holdsRow = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'audit' in value && isRow(value.audit)

// An import has the rows in its clients.
const hasRow = (given: ReadonlyArray<unknown>): boolean => given.flat().some((each) => isRow(each) || holdsRow(each))

/** The ports of a store, which remember the verbs that were given a row. */
const watched = (used: Set<string>, ports: StoragePorts): StoragePorts =>
  new Proxy(ports, {
    get: (_, port: keyof StoragePorts) =>
      new Proxy(ports[port], {
        get: (ofPort, verb: string) => {
          const run: unknown = Reflect.get(ofPort, verb)
          if (typeof run !== 'function') return run
          return (...given: ReadonlyArray<unknown>): unknown => {
            if (hasRow(given)) used.add(`${port}.${verb}`)
            return Reflect.apply(run, ofPort, given)
          }
        },
      }),
  })

const Audited = suite('verbs with an audit row')

Audited('the contracts of stores perform each of them', async () => {
  const used = new Set<string>()
  const open = async () => {
    const state = emptyState()
    const handle = (): StoragePorts => watched(used, inMemoryStore(state))
    return { one: handle(), other: handle(), close: () => Promise.resolve() }
  }
  for (const { run } of [...auditContract('', open), ...changesContract('', open)]) await run()
  assert.equal([...used].sort(), [...withRow].sort())
})

Audited.run()
