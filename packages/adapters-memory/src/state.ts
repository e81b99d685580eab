// What the store holds. Each port changes it in steps, one after the other; several stores may share one state.
import type {
  ClientAuthorization,
  ClientId,
  EndUserSession,
  EpochSeconds,
  ForeignKey,
  InitialAccessToken,
  KeyRing,
  Lease,
  NotificationClaim,
  OutboxEntry,
  RegisteredClient,
  TokenHash,
} from '@clientele/domain'

export type StoredSession = { readonly cookie: TokenHash; readonly session: EndUserSession }

export type StoredNotification = { readonly entry: OutboxEntry; readonly claim: NotificationClaim | undefined }

export type State = {
  readonly clients: Map<ClientId, RegisteredClient>
  /** The open clients that were not used yet. */
  readonly unusedOpenClients: Set<ClientId>
  readonly tokens: Map<TokenHash, InitialAccessToken>
  /** By kind and hash. */
  readonly authorizations: Map<string, ClientAuthorization>
  /** By sid. */
  readonly sessions: Map<string, StoredSession>
  /** The dialogs that ended a session, and until when they are remembered. */
  readonly endingDialogs: Map<TokenHash, EpochSeconds>
  /** By id. */
  readonly notices: Map<string, StoredNotification>
  /** By use and algorithm. */
  readonly keyRings: Map<string, KeyRing>
  /** By name. */
  readonly leases: Map<string, Lease>
  /** By kid. */
  readonly foreignKeys: Map<string, ForeignKey>
  /** By name. */
  readonly secrets: Map<'digest-key', string>
}

export const emptyState = (): State => ({
  clients: new Map(),
  unusedOpenClients: new Set(),
  tokens: new Map(),
  authorizations: new Map(),
  sessions: new Map(),
  endingDialogs: new Map(),
  notices: new Map(),
  keyRings: new Map(),
  leases: new Map(),
  foreignKeys: new Map(),
  secrets: new Map(),
})

/** Forgets the entries of which it holds. */
export const forget = <Key, Value>(entries: Map<Key, Value>, holds: (value: Value) => boolean): void => {
  for (const [key, value] of entries) if (holds(value)) entries.delete(key)
}

/** What the session granted; offline access goes with it only when that is said. */
export const revokeOfSession = ({ authorizations }: State, sid: string, revokesOfflineAccess: boolean): void =>
  forget(authorizations, ({ session, offline }) => session === sid && (offline !== true || revokesOfflineAccess))

/** The session in the very version that was read. */
export const currentSession = ({ sessions }: State, read: EndUserSession): StoredSession | undefined => {
  const state = sessions.get(read.sid)
  return state?.session.version === read.version ? state : undefined
}

const isIn = (session: EndUserSession | undefined, id: ClientId): boolean =>
  session?.clients.some(({ client_id }) => client_id === id) ?? false

/** Of a client that was read with the session, whether it still stands in it; of any other, whether it is registered. */
export const isStillThere =
  ({ sessions, clients }: State, read: EndUserSession) =>
  (id: ClientId): boolean =>
    isIn(read, id) ? isIn(sessions.get(read.sid)?.session, id) : clients.has(id)

export const withClients = (session: EndUserSession, keeps: (id: ClientId) => boolean): EndUserSession => ({
  ...session,
  clients: session.clients.filter(({ client_id }) => keeps(client_id)),
})
