// What a store holds: one port for each concern. Every promise is held by the contracts of @clientele/testing.
import type { ClientAuthorizations } from './client-authorizations.js'
import type { ClientRegistry } from './client-registry.js'
import type { EndUserSessions } from './end-user-sessions.js'
import type { ForeignKeys } from './foreign-keys.js'
import type { InitialAccessTokens } from './initial-access-tokens.js'
import type { KeyRings } from './key-rings.js'
import type { Leases } from './leases.js'
import type { LogoutOutbox } from './logout-outbox.js'
import type { Logouts } from './logouts.js'

export type StoragePorts = {
  readonly registry: ClientRegistry
  readonly initialAccessTokens: InitialAccessTokens
  readonly authorizations: ClientAuthorizations
  readonly keyRings: KeyRings
  readonly foreignKeys: ForeignKeys
  readonly endUserSessions: EndUserSessions
  readonly logouts: Logouts
  readonly logoutOutbox: LogoutOutbox
  readonly leases: Leases
}
