import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { RegisteredClient } from '../client/registered-client.js'
import { registryFull, unknownClient, unknownSession } from '../errors.js'
import type { AuthorizationKind, ClientAuthorization, ClientAuthorizations } from '../ports/client-authorizations.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import { clientChanged, clientIdTaken, initialAccessTokenSpent } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'
import type { KeyRings } from '../ports/key-rings.js'
import type { LogoutOutbox } from '../ports/logout-outbox.js'
import type { Logouts } from '../ports/logouts.js'
import { inMemoryEndUserSessions } from './in-memory-end-user-sessions.js'
import { inMemoryKeyRings } from './in-memory-key-rings.js'
import { inMemoryLogoutOutbox } from './in-memory-logout-outbox.js'
import { inMemoryLogouts } from './in-memory-logouts.js'
import { step } from './step.js'

export type InMemoryStore = {
  /** What is kept, for tests that look at it. */
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
  readonly registry: ClientRegistry
  readonly initialAccessTokens: InitialAccessTokens
  readonly authorizations: ClientAuthorizations
  readonly keyRings: KeyRings
  readonly endUserSessions: EndUserSessions
  readonly logouts: Logouts
  readonly logoutOutbox: LogoutOutbox
}

// What is left out and what is not set are one.
const asRecorded = ({ offline, ...authorization }: ClientAuthorization): ClientAuthorization =>
  offline === true ? { ...authorization, offline } : authorization

/** The ports in memory, with every promise that they make: one step runs after the other. */
export const inMemoryStore = (): InMemoryStore => {
  const clients = new Map<string, RegisteredClient>()
  const tokens = new Map<TokenHash, InitialAccessToken>()
  const recorded = new Map<string, ClientAuthorization>()
  const used = new Set<string>()
  const revoke = (sid: string, revokesOfflineAccess: boolean): void => {
    for (const [key, { session, offline }] of recorded)
      if (session === sid && (offline !== true || revokesOfflineAccess)) recorded.delete(key)
  }
  const sessions = inMemoryEndUserSessions({
    isRegistered: (id) => clients.has(id),
    onForgotten: (sid) => revoke(sid, false),
  })
  const outbox = inMemoryLogoutOutbox()
  const isCurrent = (client: RegisteredClient): boolean => {
    const present = clients.get(client.client_id)
    const { hash } = client.registration_access_token
    return present?.version === client.version && present.registration_access_token.hash === hash
  }
  const unusedOpen = (): number =>
    [...clients.values()].filter(({ client_id, registered_by: by }) => by === 'nobody' && !used.has(client_id)).length
  const keyOf = (kind: AuthorizationKind, hash: TokenHash): string => `${kind} ${hash}`

  return {
    clients,
    tokens,
    registry: {
      addClient: (client, spending, limits) =>
        step(() => {
          const token = O.isSome(spending) ? tokens.get(spending.value) : undefined
          if (O.isSome(spending) && token?.spent !== false) return E.left(initialAccessTokenSpent)
          if (clients.has(client.client_id)) return E.left(clientIdTaken)
          if (clients.size >= limits.clients) return E.left(registryFull)
          if (client.registered_by === 'nobody' && unusedOpen() >= limits.unusedOpenClients) return E.left(registryFull)
          if (token !== undefined) tokens.set(token.hash, { ...token, spent: true })
          clients.set(client.client_id, client)
          return E.right(undefined)
        }),
      findClient: (id) => step(() => E.right(O.fromNullable(clients.get(id)))),
      streamClients: async function* () {
        for (const client of [...clients.values()]) yield await Promise.resolve(E.right(client))
      },
      replaceClient: (next, replacing) =>
        step(() => {
          if (!isCurrent(replacing)) return E.left(clientChanged)
          clients.set(next.client_id, next)
          return E.right(undefined)
        }),
      removeClient: (client) =>
        step(() => {
          if (!isCurrent(client)) return E.left(clientChanged)
          clients.delete(client.client_id)
          used.delete(client.client_id)
          for (const [key, { client_id }] of recorded) if (client_id === client.client_id) recorded.delete(key)
          sessions.removeClient(client.client_id)
          outbox.removeClient(client.client_id)
          return E.right(undefined)
        }),
    },
    initialAccessTokens: {
      addInitialAccessToken: (token, at) =>
        step(() => {
          for (const [hash, { expires_at }] of tokens) if (expires_at <= at) tokens.delete(hash)
          tokens.set(token.hash, token)
          return E.right(undefined)
        }),
      findInitialAccessToken: (hash) => step(() => E.right(O.fromNullable(tokens.get(hash)))),
    },
    authorizations: {
      recordAuthorization: (authorization) =>
        step(() => {
          const { client_id, session, offline } = authorization
          if (!clients.has(client_id)) return E.left(unknownClient)
          if (session !== undefined && offline !== true && !sessions.has(session)) return E.left(unknownSession)
          used.add(client_id)
          recorded.set(keyOf(authorization.kind, authorization.hash), asRecorded(authorization))
          return E.right(undefined)
        }),
      findAuthorization: (kind, hash) => step(() => E.right(O.fromNullable(recorded.get(keyOf(kind, hash))))),
      revokeAuthorization: (kind, hash) => step(() => E.right(void recorded.delete(keyOf(kind, hash)))),
    },
    keyRings: inMemoryKeyRings(),
    endUserSessions: sessions.port,
    logouts: inMemoryLogouts({ sessions, outbox, revoke }),
    logoutOutbox: outbox,
  }
}
