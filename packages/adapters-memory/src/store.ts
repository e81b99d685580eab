import type { EpochSeconds, InitialAccessToken, RegisteredClient, StoragePorts, StoreOpener } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { inMemoryArtefacts } from './artefacts.js'
import { inMemoryBudgets } from './budgets.js'
import { inMemoryCensus } from './census.js'
import { inMemoryAuditLog } from './audit-log.js'
import { inMemoryClientAuthorizations } from './client-authorizations.js'
import { inMemoryClientRegistry } from './client-registry.js'
import { inMemoryClientSearch } from './client-search.js'
import { inMemoryClientUses } from './client-uses.js'
import { inMemoryConsents } from './consents.js'
import { inMemoryEndUserSessions } from './end-user-sessions.js'
import { inMemoryInitialAccessTokens } from './initial-access-tokens.js'
import { emptyState, type State } from './state.js'
import { inMemoryOperatorTokens } from './operator-tokens.js'
import { inMemoryForeignKeys } from './foreign-keys.js'
import { inMemoryKeyRings } from './key-rings.js'
import { inMemoryLeases } from './leases.js'
import { inMemoryPendingNotifications } from './pending-notifications.js'
import { inMemorySessionTermination } from './session-termination.js'
import { inMemoryProviderEvents } from './provider-events.js'

export type InMemoryStore = StoragePorts & {
  /** The stored clients, for inspection by a host. */
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
}

/**
 * The storage ports in memory, with all of their promises except that nothing outlives the process. Stores of the same
 * state are handles on one store. `now` is its clock for keys, in place of that of the platform.
 */
export const inMemoryStore = (state: State = emptyState(), now?: () => EpochSeconds): InMemoryStore => ({
  clients: state.clients,
  tokens: state.tokens,
  registry: inMemoryClientRegistry(state),
  clientUses: inMemoryClientUses(state),
  clientSearch: inMemoryClientSearch(state),
  initialAccessTokens: inMemoryInitialAccessTokens(state),
  operatorTokens: inMemoryOperatorTokens(state),
  authorizations: inMemoryClientAuthorizations(state),
  artefacts: inMemoryArtefacts(state),
  consents: inMemoryConsents(state),
  keyRings: inMemoryKeyRings(state, now),
  foreignKeys: inMemoryForeignKeys(state),
  endUserSessions: inMemoryEndUserSessions(state),
  sessionTermination: inMemorySessionTermination(state),
  pendingNotifications: inMemoryPendingNotifications(state),
  leases: inMemoryLeases(state),
  budgets: inMemoryBudgets(state),
  providerEvents: inMemoryProviderEvents(state),
  census: inMemoryCensus(state),
  auditLog: inMemoryAuditLog(state),
})

const digestKeyIn = ({ secrets }: State, generateKey: () => string): string => {
  const digestKey = secrets.get('digest-key') ?? generateKey()
  secrets.set('digest-key', digestKey)
  return digestKey
}

/** Opens a store in memory, like any store. It seals no values, and closing it has no effect. */
export const openInMemoryStore =
  (state: State = emptyState()): StoreOpener =>
  ({ generateKey }) =>
    TE.fromIO(() => ({
      ...inMemoryStore(state),
      digestKey: digestKeyIn(state, generateKey),
      check: TE.right(undefined),
      sealAnew: () => () => TE.right({ values: 0, sealed: 0, unreadable: 0 }),
      countSealed: TE.right(0),
      close: () => Promise.resolve(),
    }))
