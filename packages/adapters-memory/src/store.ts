import type { InitialAccessToken, RegisteredClient, StoragePorts } from '@clientele/domain'
import { inMemoryClientAuthorizations } from './client-authorizations.js'
import { inMemoryClientRegistry } from './client-registry.js'
import { inMemoryEndUserSessions } from './end-user-sessions.js'
import { inMemoryInitialAccessTokens } from './initial-access-tokens.js'
import { nothingKept } from './kept.js'
import { inMemoryForeignKeys } from './foreign-keys.js'
import { inMemoryKeyRings } from './key-rings.js'
import { inMemoryLogoutOutbox } from './logout-outbox.js'
import { inMemoryLogouts } from './logouts.js'

export type InMemoryStore = StoragePorts & {
  /** What is kept, for whoever wants to look at it. */
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
}

/** The ports in memory, with every promise that they make but one: nothing outlives the process. */
export const inMemoryStore = (): InMemoryStore => {
  const kept = nothingKept()
  return {
    clients: kept.clients,
    tokens: kept.tokens,
    registry: inMemoryClientRegistry(kept),
    initialAccessTokens: inMemoryInitialAccessTokens(kept),
    authorizations: inMemoryClientAuthorizations(kept),
    keyRings: inMemoryKeyRings(),
    foreignKeys: inMemoryForeignKeys(),
    endUserSessions: inMemoryEndUserSessions(kept),
    logouts: inMemoryLogouts(kept),
    logoutOutbox: inMemoryLogoutOutbox(kept),
  }
}
