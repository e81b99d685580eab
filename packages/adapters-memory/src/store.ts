import type { InitialAccessToken, RegisteredClient, StoragePorts, StoreOpener } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { inMemoryClientAuthorizations } from './client-authorizations.js'
import { inMemoryClientRegistry } from './client-registry.js'
import { inMemoryEndUserSessions } from './end-user-sessions.js'
import { inMemoryInitialAccessTokens } from './initial-access-tokens.js'
import { emptyState, type State } from './state.js'
import { inMemoryForeignKeys } from './foreign-keys.js'
import { inMemoryKeyRings } from './key-rings.js'
import { inMemoryLeases } from './leases.js'
import { inMemoryLogoutOutbox } from './logout-outbox.js'
import { inMemoryLogouts } from './logouts.js'

export type InMemoryStore = StoragePorts & {
  /** What is stored, for a host to look at. */
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
}

/**
 * The ports in memory, with every promise that they make but one: nothing outlives the process. Stores that are given the same
 * state are handles on one store.
 */
export const inMemoryStore = (state: State = emptyState()): InMemoryStore => ({
  clients: state.clients,
  tokens: state.tokens,
  registry: inMemoryClientRegistry(state),
  initialAccessTokens: inMemoryInitialAccessTokens(state),
  authorizations: inMemoryClientAuthorizations(state),
  keyRings: inMemoryKeyRings(state),
  foreignKeys: inMemoryForeignKeys(state),
  endUserSessions: inMemoryEndUserSessions(state),
  logouts: inMemoryLogouts(state),
  logoutOutbox: inMemoryLogoutOutbox(state),
  leases: inMemoryLeases(state),
})

const digestKeyIn = ({ secrets }: State, freshKey: () => string): string => {
  const digestKey = secrets.get('digest-key') ?? freshKey()
  secrets.set('digest-key', digestKey)
  return digestKey
}

/** Opens a store in memory, as a service opens any store. Nothing is sealed in it, and nothing is given up when it is closed. */
export const openInMemoryStore =
  (state: State = emptyState()): StoreOpener =>
  ({ freshKey }) =>
    TE.fromIO(() => ({
      ...inMemoryStore(state),
      digestKey: digestKeyIn(state, freshKey),
      check: TE.right(undefined),
      sealAnew: () => TE.right({ sealed: 0, unreadable: 0 }),
      close: () => Promise.resolve(),
    }))
