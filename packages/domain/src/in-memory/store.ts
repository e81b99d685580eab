import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import type { RegisteredClient } from '../client/registered-client.js'
import type { ClientAuthorizations } from '../ports/client-authorizations.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { KeyRings } from '../ports/key-rings.js'
import type { LogoutOutbox } from '../ports/logout-outbox.js'
import type { Logouts } from '../ports/logouts.js'
import { inMemoryClientAuthorizations } from './client-authorizations.js'
import { inMemoryClientRegistry } from './client-registry.js'
import { inMemoryEndUserSessions } from './end-user-sessions.js'
import { inMemoryInitialAccessTokens } from './initial-access-tokens.js'
import { nothingKept } from './kept.js'
import { inMemoryForeignKeys } from './foreign-keys.js'
import { inMemoryKeyRings } from './key-rings.js'
import { inMemoryLogoutOutbox } from './logout-outbox.js'
import { inMemoryLogouts } from './logouts.js'

export type InMemoryStore = {
  /** What is kept, for whoever wants to look at it. */
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
  readonly registry: ClientRegistry
  readonly initialAccessTokens: InitialAccessTokens
  readonly authorizations: ClientAuthorizations
  readonly keyRings: KeyRings
  readonly foreignKeys: ForeignKeys
  readonly endUserSessions: EndUserSessions
  readonly logouts: Logouts
  readonly logoutOutbox: LogoutOutbox
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
