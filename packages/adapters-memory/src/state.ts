// The state of the store. Each port changes it in steps, one after the other; several stores may share one state.
import {
  type BudgetKind,
  type ClientAuthorization,
  type ClientId,
  type ClientUse,
  type Consent,
  type DueParking,
  type EndUserSession,
  type EpochSeconds,
  type ForeignKey,
  type InitialAccessToken,
  type KeyedRegistration,
  type OperatorToken,
  type KeyRing,
  type Lease,
  type NotificationClaim,
  type PendingNotification,
  type RegisteredClient,
  type Registration,
  type RegistrationId,
  type StoredArtefact,
  type StoredProviderEvent,
  type TokenHash,
  type StoredAuditRow,
  type StoredCheckpoint,
  observedDaysKept,
  useTime,
} from '@clientele/domain'

export type StoredSession = { readonly cookie: TokenHash; readonly session: EndUserSession }

export type StoredNotification = { readonly entry: PendingNotification; readonly claim: NotificationClaim | undefined }

/** An artefact, and the time from which on it may be removed: its expiry, or that of what names it. */
export type ArtefactEntry = { readonly artefact: StoredArtefact; readonly removable_from: EpochSeconds }

/** When the budgets are whole again: that of all sources, and those of the sources by their digests. */
export type StoredBudgets = { readonly all: number | undefined; readonly sources: Map<string, number> }
/** A row with the number of its checkpoint, if it has one. */
export type AuditLogEntry = { readonly row: StoredAuditRow; readonly checkpoint: number | undefined }

export type State = {
  readonly clients: Map<ClientId, RegisteredClient>
  /** Of each registration that was listed: increasing in the order of registration. */
  readonly positions: { last: number; readonly of: Map<RegistrationId, number> }
  /** The open clients that are unused and not parked, with their fingerprints. */
  readonly unusedOpenClients: Map<ClientId, TokenHash | undefined>
  /** The open clients that are unused and parked: since when, and the days of their notice. */
  readonly parkedClients: Map<ClientId, Pick<DueParking, 'at' | 'notice'>>
  readonly observedDays: Set<EpochSeconds>
  /** Clients that the service removed by itself, in that order, with the time and a position. */
  readonly removedClients: Map<
    ClientId,
    { readonly client: RegisteredClient; readonly removed_at: EpochSeconds; readonly position: number }
  >
  /** The UTC day of the last use of a client. */
  readonly lastUses: Map<ClientId, EpochSeconds>
  /** By the digest of the client_id, until when a removed client is remembered. */
  readonly tombstones: Map<TokenHash, EpochSeconds>
  readonly tokens: Map<TokenHash, InitialAccessToken>
  /** By key. */
  readonly keyedRegistrations: Map<TokenHash, KeyedRegistration>
  readonly operatorTokens: Map<TokenHash, OperatorToken>
  /** By kind and hash. */
  readonly authorizations: Map<string, ClientAuthorization>
  /** By kind and hash. */
  readonly artefacts: Map<string, ArtefactEntry>
  /** By sub and registration. */
  readonly consents: Map<string, Consent>
  /** By sid. */
  readonly sessions: Map<string, StoredSession>
  /** The confirmation pages that ended a session, with their expiry. */
  readonly endingConfirmations: Map<TokenHash, EpochSeconds>
  /** By id. */
  readonly notifications: Map<string, StoredNotification>
  /** By use and algorithm. */
  readonly keyRings: Map<string, KeyRing>
  /** By name. */
  readonly leases: Map<string, Lease>
  readonly budgets: Map<BudgetKind, StoredBudgets>
  /** By position. */
  readonly events: Array<StoredProviderEvent>
  /** By kid. */
  readonly foreignKeys: Map<string, ForeignKey>
  /** In the order of their ordinals, and of their numbers. */
  readonly audit: {
    ordinal: number
    /** By mac. */
    readonly rows: Map<string, AuditLogEntry>
    readonly checkpoints: Map<number, StoredCheckpoint>
  }
  /** By name. */
  readonly secrets: Map<'digest-key', string>
}

export const emptyState = (): State => ({
  clients: new Map(),
  positions: { last: 0, of: new Map() },
  unusedOpenClients: new Map(),
  parkedClients: new Map(),
  observedDays: new Set(),
  removedClients: new Map(),
  lastUses: new Map(),
  tombstones: new Map(),
  tokens: new Map(),
  keyedRegistrations: new Map(),
  operatorTokens: new Map(),
  authorizations: new Map(),
  artefacts: new Map(),
  consents: new Map(),
  sessions: new Map(),
  endingConfirmations: new Map(),
  notifications: new Map(),
  keyRings: new Map(),
  leases: new Map(),
  budgets: new Map(),
  events: [],
  foreignKeys: new Map(),
  audit: { ordinal: 0, rows: new Map(), checkpoints: new Map() },
  secrets: new Map(),
})

/** Removes the entries that satisfy the predicate. */
export const forget = <Key, Value>(entries: Map<Key, Value>, holds: (value: Value) => boolean): void => {
  for (const [key, value] of entries) if (holds(value)) entries.delete(key)
}

/** Removes the entries that satisfy the predicate, the first to end first, with a maximum. */
export const forgetFirst = <Key, Value>(
  entries: Map<Key, Value>,
  holds: (value: Value) => boolean,
  endOfValue: (value: Value) => EpochSeconds,
  max: number,
): void =>
  [...entries]
    .filter(([, value]) => holds(value))
    .sort(([, one], [, other]) => endOfValue(one) - endOfValue(other))
    .slice(0, max)
    .forEach(([key]) => entries.delete(key))

/**
 * Removes the artefacts that name the session, and revokes its authorizations; those for offline access only if
 * requested.
 */
export const revokeOfSession = (
  { authorizations, artefacts }: State,
  sid: string,
  revokesOfflineAccess: boolean,
): void => {
  forget(authorizations, ({ session, offline }) => session === sid && (offline !== true || revokesOfflineAccess))
  forget(artefacts, ({ artefact }) => artefact.session === sid)
}

/** The session, if the stored version is the one that was read. */
export const currentSession = ({ sessions }: State, read: EndUserSession): StoredSession | undefined => {
  const stored = sessions.get(read.sid)
  return stored?.session.version === read.version ? stored : undefined
}

/**
 * Whether the registration has not ended: a client that is registered again under the same client_id has another one.
 */
export const isRegistered =
  ({ clients }: Pick<State, 'clients'>) =>
  ({ client_id, registration_id }: Registration): boolean =>
    clients.get(client_id)?.registration_id === registration_id

export const observeDay = ({ observedDays }: Pick<State, 'observedDays'>, at: EpochSeconds): void => {
  const day = useTime(at)
  observedDays.add(day)
  for (const each of observedDays) if (each < day - observedDaysKept) observedDays.delete(each)
}

/** What is known of the use of a client. */
export const useOf = (
  { lastUses, parkedClients }: State,
  { client_id }: Pick<Registration, 'client_id'>,
): Pick<ClientUse, 'last_use' | 'parked'> => ({
  last_use: lastUses.get(client_id),
  parked: parkedClients.has(client_id),
})

/** The client counts as used from now on, by a use of that day; whether it was not known to be used on it. */
export const markUsed = (
  { unusedOpenClients, parkedClients, lastUses }: State,
  client_id: ClientId,
  at: EpochSeconds,
): boolean => {
  unusedOpenClients.delete(client_id)
  parkedClients.delete(client_id)
  const known = lastUses.get(client_id)
  const day = useTime(at)
  if (known !== undefined && known >= day) return false
  lastUses.set(client_id, day)
  return true
}

/** The client counts as used from now on, by a use that shows that uses are recorded. */
export const useClient = (state: State, client_id: ClientId, at: EpochSeconds): void => {
  if (markUsed(state, client_id, at)) observeDay(state, at)
}

/** The session without the clients whose registration has ended. */
export const withRegistered = (state: State, session: EndUserSession): EndUserSession => ({
  ...session,
  clients: session.clients.filter(isRegistered(state)),
})
