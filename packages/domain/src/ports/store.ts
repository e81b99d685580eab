// What a store promises, by what it keeps.
import type * as E from 'fp-ts/lib/Either.js'
import type * as IO from 'fp-ts/lib/IO.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditAction, AuditRow, StoredAuditRow, StoredCheckpoint, UnlinkedAuditRow } from '../audit/entries.js'
import type { ForOperator, OperatorToken, TokenHash } from '../authorization/credential.js'
import type { InitialAccessToken } from '../authorization/registrant.js'
import type { ClientId, RegistrationId } from '../client/ids.js'
import type { AnnouncedInstance, Instance, InstanceRefusal, SettingDifference } from '../instances/index.js'
import type { BudgetKind, BudgetLimits, ExhaustedBudget } from '../kernel/budgets.js'
import type { JsonObject } from '../kernel/json-object.js'
import type {
  ClientIdTaken,
  InvalidRequest,
  RegistryFull,
  Unavailable,
  UnknownClient,
  UnknownSession,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import type { ForeignKey } from '../keys/by-operator.js'
import type { KeyRingVersion } from '../keys/published.js'
import type { KeyRing } from '../keys/ring.js'
import type { DueParking, DueRemoval, LifeCycleFacts } from '../life-cycle/states.js'
import type {
  AttemptedNotification,
  LogoutNotification,
  NotificationLimits,
  PendingNotification,
} from '../logout/notifications.js'
import type { EndUserSession, Subject } from '../logout/sessions.js'
import type { ClientFilter, FilterFacts, ListedClient } from '../managing/filters.js'
import type { ObservedRefusals } from '../managing/refused.js'
import type { AlreadyConsumed, Artefact, ArtefactKind, ArtefactUse, StoredArtefact } from '../provider/artefacts.js'
import type { Connection, ConnectionFilter, Revocation } from '../provider/connections.js'
import type { Consent } from '../provider/consent.js'
import type { ClientWithUse, RegisteredClient, Registration } from '../registration/registered-client.js'
import type { KeyedRegistration } from '../registration/repetition.js'
import type { Answer, Encryption } from './outside.js'

export type ConfirmReads = {
  /**
   * Succeeds when all that was read from the store before is as durable as an answered write. A database may show a write
   * that it loses afterwards: one that it did not answer, and that the standby which takes over does not have. So an answer
   * that all is as requested already, which writes nothing, is given after it; other reads are answered without it.
   */
  readonly confirmReads: Answer<void>
}

// The uses of clients, and what follows from their absence. Each verb is one atomic step; several instances may call it.

/** What is left of a removed client: the keyed digest of its client_id, for a limited time. */
export type Tombstone = { readonly id: TokenHash; readonly until: EpochSeconds }

/** Makes what is left of a client that is removed. */
export type Tombstones = { readonly tombstone: (id: ClientId) => Tombstone }

/** A client that the service removed by itself, and kept aside. */
export type RemovedClient = { readonly client: ListedClient; readonly removed_at: EpochSeconds }

/** A page; `next` is the position for the page after it, left out on the last one. */
export type RemovedClients = { readonly clients: ReadonlyArray<RemovedClient>; readonly next?: number }

/** The number of tombstones that a store has at least room for; beyond it, the oldest are forgotten. */
export const minStoredTombstones = 100_000

export type ClientUse = Registration & {
  /** The UTC day of the last use; undefined before the first. */
  readonly last_use: EpochSeconds | undefined
  readonly parked: boolean
}

export type ClientUses = {
  /**
   * The client counts as used from then on, and the UTC day is stored, if no later one is: at most one write per client
   * and day, in which that day becomes an observed one. No effect if the registration has ended. An authorization and a
   * session record a use as well.
   */
  readonly recordUse: (registration: Registration, at: EpochSeconds) => Answer<void>
  /** A use on the UTC day of this time would be recorded: it is an observed day from then on. */
  readonly observeDay: (at: EpochSeconds) => Answer<void>
  /**
   * The observed days until that time, the latest first, with a maximum; those that are older than observedDaysKept
   * before the latest may be forgotten.
   */
  readonly observedDays: (until: EpochSeconds, max: number) => Answer<ReadonlyArray<EpochSeconds>>
  /** Of the registered clients among the ids, in the order of the ids. */
  readonly findUses: (ids: ReadonlyArray<ClientId>) => Answer<ReadonlyArray<ClientUse>>
  /** An open client that is neither used nor parked, by the digest of its registration. */
  readonly findUnused: (fingerprint: TokenHash) => Answer<O.Option<RegisteredClient>>
  /**
   * Parks unused open clients that are due, except suspended ones, those that wait the longest first, with a maximum: the
   * limit of unused open clients does not count them any more. Parked ones with a longer notice, or with none, are parked
   * anew: their notice begins again. Returns the number of both. A client that another operation changes at the same time
   * may be left to the next pass. Clients without an approval stay as they are, whoever registered them: that their removal
   * is announced is stored, and stored anew where they began to wait since, or the notice was longer.
   */
  readonly parkUnused: (due: DueParking, max: number) => Answer<number>
  /**
   * The parked clients whose removal is due, those that wait the longest first, with a maximum. A suspended client is
   * never due, nor is one that an operator registered or an import brought. Of clients without an approval: those whose
   * removal was announced since they began to wait.
   */
  readonly listParked: (due: DueRemoval, max: number) => Answer<ReadonlyArray<Registration>>
  /** How many parked clients listParked would list, up to `max`. */
  readonly countParked: (due: DueRemoval, max: number) => Answer<number>
  /**
   * Removes the client as removeClient does, if its removal is still due; whether it did. With a time, the client is kept
   * aside as it was, with its credentials, and can be restored.
   */
  readonly removeParked: (
    registration: Registration,
    due: DueRemoval,
    tombstone: Tombstone,
    removedAt: EpochSeconds | undefined,
    audit: AuditRow | undefined,
  ) => Answer<boolean>
  /** The clients that were kept aside after that time, in that order, after a position and with a maximum. */
  readonly listRemoved: (
    since: EpochSeconds,
    page: { readonly after: number; readonly max: number },
  ) => Answer<RemovedClients>
  /**
   * Registers the client that was kept aside after that time again, in the same registration and version: unused, and
   * waiting since `at`. Its tombstone ends. No limit applies.
   */
  readonly restoreRemoved: (
    id: ClientId,
    restoring: { readonly since: EpochSeconds; readonly at: EpochSeconds; readonly tombstone: TokenHash | undefined },
    audit: AuditRow | undefined,
  ) => Answer<void, UnknownClient | ClientIdTaken>
  /** Forgets clients that were kept aside until that time, the earliest first, with a maximum. Returns their number. */
  readonly forgetRemoved: (until: EpochSeconds, max: number) => Answer<number>
  /** Whether a client with this digest of its client_id was removed, and is not forgotten at the time. */
  readonly isRemembered: (id: TokenHash, at: EpochSeconds) => Answer<boolean>
}

// Which client_secret a client used when, to the day.

/** The secret by its digest. */
export type RecordedSecretUse = {
  readonly client: Registration
  readonly secret: TokenHash
  readonly at: EpochSeconds
}

export type SecretUses = {
  /**
   * Stores the UTC day of each use, if no later one is. No effect if the registration has ended; the end of the registration
   * removes them. Of one registration, the secrets that were used last may be kept alone, at least four of them.
   */
  readonly recordSecretUses: (uses: ReadonlyArray<RecordedSecretUse>) => Answer<void>
  /** The day by the digest of a secret. */
  readonly findSecretUses: (client: Registration) => Answer<ReadonlyMap<TokenHash, EpochSeconds>>
}

// The registered clients. Each verb is one atomic step, on disk before it answers. An audit row is written with the
// change: both are stored, or neither.

type InitialAccessTokenConsumed = { readonly error: 'initial_access_token_spent' }
/** An unused open client has the same fingerprint: ClientUses.findUnused finds it. */
export type RegisteredBefore = { readonly error: 'registered_before' }
/** A registration is stored under the same key: findKeyedRegistration finds it. */
type RequestedBefore = { readonly error: 'requested_before' }
export type RefusedAddition =
  ClientIdTaken | InitialAccessTokenConsumed | RegisteredBefore | RequestedBefore | RegistryFull

/** The maximum numbers of clients; Infinity for no limit. */
export type RegistryLimits = {
  readonly clients: number
  /** Open clients (isOpenClient) that were not used, and are not parked (ClientUses). */
  readonly unusedOpenClients: number
}

export const noLimits: RegistryLimits = { clients: Infinity, unusedOpenClients: Infinity }

/** The operator has suspended the client, which therefore cannot remove itself. */
export type ClientSuspended = { readonly error: 'client_suspended' }

/** Another operation replaced or removed the version that was read. */
export type ClientChanged = { readonly error: 'client_changed' }

/** The stored client of this id cannot be read; detail is for the log only. The id is any string, as stored. */
export type UnreadableClient = {
  readonly error: 'unreadable_client'
  readonly client_id: string
  readonly detail: unknown
}

export const initialAccessTokenConsumed: InitialAccessTokenConsumed = { error: 'initial_access_token_spent' }
export const registeredBefore: RegisteredBefore = { error: 'registered_before' }
export const requestedBefore: RequestedBefore = { error: 'requested_before' }
export const clientSuspended: ClientSuspended = { error: 'client_suspended' }
export const clientChanged: ClientChanged = { error: 'client_changed' }
export const unreadableClient = (client_id: string, detail: unknown): UnreadableClient => ({
  error: 'unreadable_client',
  client_id,
  detail,
})

/** A client to be stored, in place of the version that was read if there is one. */
export type ClientImport = {
  readonly client: RegisteredClient
  readonly replacing: RegisteredClient | undefined
  /** A use that is recorded with the import (ClientUses.recordUse). */
  readonly last_use?: EpochSeconds | undefined
  readonly audit: AuditRow | undefined
}

/** Why one client of an import was not stored. */
export type RefusedImport = ClientIdTaken | ClientChanged

/** A client of a stream, or one that is unreadable, or the failure that ends the stream. */
export type StreamedClient<Client = RegisteredClient> = E.Either<UnreadableClient | Unavailable, Client>

/** A client to be stored, and what is decided with it in the same step. */
export type Addition = {
  readonly client: RegisteredClient
  /** The initial access token that it consumes. */
  readonly consumedToken: O.Option<TokenHash>
  readonly limits: RegistryLimits
  /**
   * By which a repetition is found: without a token, an open client is refused while an unused open client, not yet parked,
   * has the same, also before the limits refuse it.
   */
  readonly fingerprint: TokenHash | undefined
  /** Stored in the same step; while another one is stored under its key, the client is refused. */
  readonly keyed: KeyedRegistration | undefined
  readonly audit: AuditRow | undefined
}

/** What is stored in place of the version that was read. */
export type Replacement<Thing> = {
  readonly next: Thing
  readonly replacing: Thing
  readonly audit: AuditRow | undefined
}

/** A client to be removed, in any version. */
export type ClientRemoval = {
  readonly client_id: ClientId
  /** If given, it must be the client's newest one, and the client must not be suspended. */
  readonly token: O.Option<TokenHash>
  /** If given, the stored version must be this one, as replaceClient has it. */
  readonly read: RegisteredClient | undefined
  /** Stored in the same step. */
  readonly tombstone: Tombstone | undefined
  readonly audit: AuditRow | undefined
}

export type ClientRegistry = ConfirmReads & {
  /** Stores the client with all that is decided with it, or nothing. */
  readonly addClient: (addition: Addition) => Answer<void, RefusedAddition>
  /** The registration that is stored under the key, expired ones included. It ends with its client. */
  readonly findKeyedRegistration: (key: TokenHash) => Answer<O.Option<KeyedRegistration>>
  /** For a client that cannot be read, Unavailable has an UnreadableClient as detail. */
  readonly findClient: (id: ClientId) => Answer<O.Option<RegisteredClient>>
  /**
   * Reads the registered clients among the ids together: each once, in the order of the first occurrence of its id. A
   * client that cannot be read is a Left.
   */
  readonly findClients: (
    ids: ReadonlyArray<ClientId>,
  ) => Answer<ReadonlyArray<E.Either<UnreadableClient, RegisteredClient>>>
  /**
   * The client of the id, if the hash is of its own registration access token, or of the one before it, whatever the time.
   * Another token takes the same look-up whether the client exists or not, and decrypts nothing.
   */
  readonly findClientByToken: (id: ClientId, token: TokenHash) => Answer<O.Option<RegisteredClient>>
  /** Whether any client has the registration access token of the hash, as its own or as the one before it. */
  readonly isRegistrationAccessToken: (token: TokenHash) => Answer<boolean>
  /**
   * Streams all clients in constant memory, in the order of registration; clients that are added concurrently may come in either
   * order, and a client that is added meanwhile may be missing. A client that cannot be read is a Left, and the stream
   * continues; if the store cannot continue, its failure is the last element.
   */
  readonly streamClients: () => AsyncIterable<StreamedClient>
  /** The same, each with its last use. */
  readonly streamClientsWithUse: () => AsyncIterable<StreamedClient<ClientWithUse>>
  /**
   * Succeeds only if the stored version is the one that was read, of the same registration, and no other operation ended
   * its preceding token meanwhile, which leaves the version as it is.
   */
  readonly replaceClient: (replacement: Replacement<RegisteredClient>) => Answer<void, ClientChanged>
  /**
   * Removes the client and everything that is recorded for it. Nothing of the client is decrypted, so that an unreadable
   * one is removed as well.
   */
  readonly removeClient: (removal: ClientRemoval) => Answer<void, UnknownClient | ClientSuspended | ClientChanged>
  /**
   * Stores the clients of an import together, without limits: all that are not refused, in one step, and the outcome of
   * each in their order. A new client is refused if its id is taken, and a replacement if the stored version is another
   * one. Each id stands once.
   */
  readonly importClients: (clients: ReadonlyArray<ClientImport>) => Answer<ReadonlyArray<E.Either<RefusedImport, void>>>
}

// Finding clients among very many. Each verb reads a limited number of them, so that other operations go on.

/** Clients and connections have increasing positions in the order in which they came, which never change. */
export type ListRange = {
  /** The position before the first. */
  readonly after: number
  /** The position of the last; left out for the last of all. */
  readonly until?: number
  readonly limit: number
}

export type FoundClients = {
  readonly clients: ReadonlyArray<ListedClient>
  /** Where the next page begins; left out after the last. A page may have fewer clients than the limit, also none. */
  readonly next?: number
}

export type ClientSearch = {
  /**
   * The clients that `matches` selects, in the order of registration, by pages: those of all pages together are those of
   * the whole list that were there all the time.
   */
  readonly searchClients: (filter: ClientFilter, facts: FilterFacts, range: ListRange) => Answer<FoundClients>
  readonly findListedClient: (id: ClientId) => Answer<O.Option<ListedClient>>
  /** The position of the last client; 0 where there is none. */
  readonly lastPosition: Answer<number>
  /**
   * Makes the texts of up to so many clients ready for fast search; a search finds the others as well. Returns their
   * number: 0 if all are.
   */
  readonly indexTexts: (max: number) => Answer<number>
}

// What a store has, counted for metrics: in steps, so that none takes long, and up to a maximum.

/** What the state of a client follows from. */
type CountedClient = LifeCycleFacts & { readonly last_use: EpochSeconds | undefined }

/** A step through the clients; `next` is the position for the step after it, left out after the last one. */
type CountedClients = { readonly clients: ReadonlyArray<CountedClient>; readonly next?: number }

export type StoredCounts = {
  /** In force at the time. */
  readonly initialAccessTokens: number
  /** Not over at the time. */
  readonly endUserSessions: number
  readonly notifications: { readonly waiting: number; readonly failed: number }
  /** When the oldest notification was written; undefined where there is none. */
  readonly oldestNotification: EpochSeconds | undefined
  /** Octets on disk: of the database, and of its log where that is a file beside it. Empty in memory. */
  readonly size: { readonly database?: number; readonly log?: number }
}

export type Census = {
  /** At most `max` clients after the position, in the order of registration; the first position is 0. */
  readonly countClients: (after: number, max: number) => Answer<CountedClients>
  /** Each number up to `max`. */
  readonly countOthers: (at: EpochSeconds, max: number) => Answer<StoredCounts>
}

// The authorizations that a provider records for a client. Removing the client removes them for good, even if its id is
// used again.

export type AuthorizationKind = 'refresh_token' | 'access_token' | 'sticky_grant'

export type ClientAuthorization = {
  readonly kind: AuthorizationKind
  readonly hash: TokenHash
  readonly client_id: ClientId
  /** The registration of the client; a later registration of the same client_id does not have the authorization. */
  readonly registration_id: RegistrationId
  /** Seconds since the epoch, or 0 when it does not expire. */
  readonly expires_at: EpochSeconds
  /** Any JSON that the provider needs later, for example subject and scope; nested 32 levels at most. */
  readonly details: JsonObject
  /**
   * The sid of the end-user session in which it was granted: it ends with the session, also when an ended session is
   * removed.
   */
  readonly session?: string
  /** Granted for offline access: it outlives its session, unless the policy says otherwise. Left out where false. */
  readonly offline?: boolean
}

export type ClientAuthorizations = {
  /**
   * Stores the authorization, or replaces one of the same kind and hash; the client counts as used from then on. It is
   * refused if the registration has ended, also if the client_id is registered again. One of a session is refused if the
   * store has no such session any more, unless it is for offline access. Authorizations that have expired at the given
   * time may be removed.
   */
  readonly recordAuthorization: (
    authorization: ClientAuthorization,
    at: EpochSeconds,
  ) => Answer<void, UnknownClient | UnknownSession>
  readonly findAuthorization: (kind: AuthorizationKind, hash: TokenHash) => Answer<O.Option<ClientAuthorization>>
  /** No effect if there is none. */
  readonly revokeAuthorization: (kind: AuthorizationKind, hash: TokenHash) => Answer<void>
}

// What end-users consented to, by client. Removing a client removes the consents to its registration in the same step.

/** Another consent is stored than the one that was read, or it was revoked. */
export type ConsentChanged = { readonly error: 'consent_changed' }
export const consentChanged: ConsentChanged = { error: 'consent_changed' }

export type Consents = {
  /**
   * Stores the consent in place of the earlier one of the same end-user and registration, if that is still the one that
   * findConsent answered: the first one begins a connection, and a revoked one of theirs is forgotten. Where it gives less than
   * the earlier one, the grants, codes and tokens of theirs end with it; an interaction that waits stays.
   */
  readonly recordConsent: (consent: Consent, earlier: O.Option<Consent>) => Answer<void, UnknownClient | ConsentChanged>
  readonly findConsent: (sub: Subject, client: Registration) => Answer<O.Option<Consent>>
}

// The connections of these consents. One that was revoked is kept aside, until it is forgotten.

export type FoundConnections = {
  readonly connections: ReadonlyArray<Connection>
  /** Where the next page begins; left out after the last. A page may have fewer connections than the limit, also none. */
  readonly next?: number
}

export type ConnectionRevocation = {
  /** As it was read: a later one of the same end-user and registration stays. */
  readonly connection: Pick<Connection, 'position' | 'sub' | 'client'>
  readonly revoked: Revocation
  readonly audit: AuditRow | undefined
}

export type Connections = {
  /**
   * The connections that `matchesConnection` selects, in the order of their positions, by pages, with the tokens that are in
   * force at the time.
   */
  readonly searchConnections: (filter: ConnectionFilter, at: EpochSeconds, range: ListRange) => Answer<FoundConnections>
  /** Live or revoked. */
  readonly findConnection: (position: number, at: EpochSeconds) => Answer<O.Option<Connection>>
  /** The position of the last live connection; 0 where there is none. */
  readonly lastConnection: Answer<number>
  /**
   * Removes the consent, and every artefact of that end-user at that client, in one step, and keeps what it was as revoked,
   * with the audit row. Whether it was live: `false` is as durable as `true`, so that a revocation by another
   * request, which it tells of, is on disk before.
   */
  readonly revokeConnection: (revocation: ConnectionRevocation) => Answer<boolean>
  /** Forgets connections that were revoked until that time, the earliest first, with a maximum. Returns their number. */
  readonly forgetConnections: (until: EpochSeconds, max: number) => Answer<number>
}

// The artefacts of the authorization server. Removing a client removes those of its registration for good, in the same
// step; the end of an end-user session removes those that name it, also when an ended session is removed.

/** The grant that the artefact names was removed, or never stored. */
type UnknownGrant = { readonly error: 'unknown_grant' }
export const unknownGrant: UnknownGrant = { error: 'unknown_grant' }

/** Why an artefact is not stored: that with which it would end has ended. */
export type RefusedArtefact = UnknownClient | UnknownSession | UnknownGrant

export type Artefacts = {
  /**
   * Stores the artefact, or replaces one of the same kind and hash, whose uses it keeps. Refused if the registration that
   * it names has ended, also if the client_id is registered again, or if the store has no such session or no such grant,
   * so that nothing outlives what it ends with. No use of the client: that its end-user sessions name it is one. It is a use
   * of its connection (isConnectionUse), of which the UTC day is stored: at most one write for each connection and day.
   * Artefacts that have expired at the time may be removed, at most maxForgotten of them; a grant and a predecessor are
   * stored for as long as what names them.
   * `use`: what the artefact is issued for is used in the same step (useArtefact), and neither is written if the other is
   * refused. An identifier that must not be used again is stored and used so (usesItself).
   */
  readonly storeArtefact: (
    artefact: Artefact,
    at: EpochSeconds,
    use?: ArtefactUse,
  ) => Answer<void, RefusedArtefact | AlreadyConsumed>
  /** The artefact, also if it has expired or was used. */
  readonly findArtefact: (kind: ArtefactKind, hash: TokenHash) => Answer<O.Option<StoredArtefact>>
  /** Of several with the same name, the one that expires last. */
  readonly findArtefactByName: (kind: ArtefactKind, name: TokenHash) => Answer<O.Option<StoredArtefact>>
  /**
   * Succeeds exactly once for each artefact, also if several call it at once, and also if it has expired. For a refresh
   * token, decideRefreshTokenUse decides on the token and its predecessor, in one step. A refusal writes nothing; the caller
   * removes the grant then.
   */
  readonly useArtefact: (use: ArtefactUse) => Answer<void, AlreadyConsumed>
  /** No effect if there is none; of a grant, the same as removeGrant. */
  readonly removeArtefact: (kind: ArtefactKind, hash: TokenHash) => Answer<void>
  /** Removes the grant and all that ends with it; nothing that names it is stored afterwards. */
  readonly removeGrant: (grant: TokenHash) => Answer<void>
}

// The issued initial access tokens by hash. ClientRegistry.addClient removes the one that it consumes.

export type InitialAccessTokens = {
  /**
   * Stores the token; tokens that have expired at the given time may be removed. Refused if the registration of its owner
   * has ended, also if the client_id is registered again; the removal of the owner removes it in the same step.
   */
  readonly addInitialAccessToken: (
    token: InitialAccessToken,
    at: EpochSeconds,
    audit: AuditRow | undefined,
  ) => Answer<void, UnknownClient>
  readonly findInitialAccessToken: (hash: TokenHash) => Answer<O.Option<InitialAccessToken>>
  /** Tokens that have not expired at the given time, the first to expire first, at most `max`. */
  readonly listInitialAccessTokens: (at: EpochSeconds, most: number) => Answer<ReadonlyArray<InitialAccessToken>>
  /** Whether the token was stored; it can register no client any more. */
  readonly removeInitialAccessToken: (hash: TokenHash, audit: AuditRow | undefined) => Answer<boolean>
}

// The operator tokens by hash. A token that was removed authorizes no request that comes later, at any instance.

export type OperatorTokens = {
  /**
   * Stores the token; tokens that have expired at the given time may be removed. One that replaces another one is stored in
   * the step that removes the other one: false if there is no other one, and then nothing changes.
   */
  readonly addOperatorToken: (
    token: OperatorToken,
    at: EpochSeconds,
    audit: AuditRow | undefined,
    replaced?: TokenHash,
  ) => Answer<boolean>
  readonly findOperatorToken: (hash: TokenHash) => Answer<O.Option<OperatorToken>>
  /** Tokens that have not expired at the given time, the first to expire first, at most `max`. */
  readonly listOperatorTokens: (at: EpochSeconds, most: number) => Answer<ReadonlyArray<OperatorToken>>
  /** Whether the token was stored. */
  readonly removeOperatorToken: (hash: TokenHash, audit: AuditRow | undefined) => Answer<boolean>
}

// The sessions of end-users by browser. The store also returns sessions that are over: the domain decides whether one
// is live.

/** Another operation replaced or ended the session that was read. */
export type SessionChanged = { readonly error: 'session_changed' }
export const sessionChanged: SessionChanged = { error: 'session_changed' }

export type EndUserSessions = {
  /**
   * Stores the session, to be found by the hash of its cookie; its clients count as used from then on. Sessions that
   * were over at the time (sessionEnd) may be removed, at most maxForgotten of them, and their authorizations are revoked.
   * The audit row is written with the session.
   */
  readonly addSession: (
    session: EndUserSession,
    cookie: TokenHash,
    at: EpochSeconds,
    audit: AuditRow | undefined,
  ) => Answer<void>
  readonly findSession: (cookie: TokenHash) => Answer<O.Option<EndUserSession>>
  readonly findSessionById: (sid: string) => Answer<O.Option<EndUserSession>>
  /** All sessions of an end-user, the oldest first. */
  readonly listSessions: (sub: string) => Answer<ReadonlyArray<EndUserSession>>
  /**
   * Succeeds only if the stored version is the one that was read. Clients of which the registration has ended are left
   * out of it, also if their client_id is registered again; the others count as used from then on.
   * The audit row is written on success.
   */
  readonly replaceSession: (replacement: Replacement<EndUserSession>) => Answer<void, SessionChanged>
}

// The end of sessions: one step, on disk before it answers.

/** The ended session in the version that was read, and what is written with its end. */
export type EndedSession = {
  readonly session: EndUserSession
  readonly notifications: ReadonlyArray<LogoutNotification>
  readonly notificationLimits: NotificationLimits
  /**
   * Whether authorizations of the session for offline access are revoked as well; its other authorizations always are.
   */
  readonly revokesOfflineAccess: boolean
  /** The confirmation page by which the end-user ended the session; left out where the operator ended it. */
  readonly by?: EndingConfirmation
}

/** Stored until it expires, so that the page ends no other session; one for each session that ends. */
export type EndingConfirmation = {
  readonly confirmation: TokenHash
  readonly answered_at: EpochSeconds
  readonly expires_at: EpochSeconds
}

/** The number of older notifications that were removed because of the limits. */
export type WrittenNotifications = { readonly gaveWay: number }

export type SessionTermination = {
  /**
   * Ends the session and writes all that belongs to its end, or neither; refused if the stored version is not the one
   * that was read. Notifications to clients of which the registration has ended are left out. Confirmation pages that had
   * expired at the time of this answer may be removed. The audit row is written with the end.
   */
  readonly endSession: (
    ended: EndedSession,
    audit: AuditRow | undefined,
  ) => Answer<WrittenNotifications, SessionChanged>
  /** Whether an answer to the confirmation page has ended a session. */
  readonly hasEnded: (confirmation: TokenHash) => Answer<boolean>
}

// The pending logout notifications: written in the step that ended the session, and stored until they are delivered.
// Each instance claims those that it attempts.

export type NotificationClaim = {
  /** The claiming instance. */
  readonly holder: string
  /** The end of the claim. */
  readonly until: EpochSeconds
}

export type PendingNotifications = {
  /**
   * Claims notifications that are due at the time and have not failed, the longest due first. A receiver has one holder
   * at a time: until a claim ends, no other holder gets a notification to the same receiver. The holder can claim its
   * own notifications again, with the new end.
   */
  readonly claimDue: (
    at: EpochSeconds,
    claim: NotificationClaim,
    max: number,
  ) => Answer<ReadonlyArray<PendingNotification>>
  /**
   * The time at which the holder has to claim again: the next due time of a notification that has not failed and whose
   * receiver no other holder has claimed, or the end of a claim of another holder.
   */
  readonly nextDue: (at: EpochSeconds, holder: string) => Answer<O.Option<EpochSeconds>>
  /**
   * Removes delivered notifications, stores the result of the others, and ends the claim on each. Removed notifications
   * and those that the holder does not claim are skipped; an ended claim counts until another holder has claimed the
   * notification.
   */
  readonly recordTries: (holder: string, tries: ReadonlyArray<AttemptedNotification>) => Answer<void>
  /** The oldest first, claimed or not. */
  readonly listNotifications: (max: number) => Answer<ReadonlyArray<PendingNotification>>
  /**
   * Makes the failed notifications, or the named one, due at the time, as if never attempted. Returns their number.
   * None of them is claimed, because the failed attempt ended the claim. The audit row is written if there are any.
   */
  readonly retryNotifications: (id: O.Option<string>, at: EpochSeconds, audit: AuditRow | undefined) => Answer<number>
  /** Removes the notifications from before the time, claimed or not. Returns their number. */
  readonly purgeNotifications: (before: EpochSeconds) => Answer<number>
}

// The key rings, one for each algorithm. A ring is read and replaced as a whole, on disk before the answer.

/** Another operation replaced the ring that was read, or too much time has passed since the change was decided. */
export type KeyRingChanged = { readonly error: 'key_ring_changed' }
/** A ring cannot be decrypted or decoded; the usual cause is another encryption key. */
export type UnreadableKeyRing = { readonly error: 'unreadable_key_ring'; readonly alg: string }

export const keyRingChanged: KeyRingChanged = { error: 'key_ring_changed' }
export const unreadableKeyRing = (alg: string): UnreadableKeyRing => ({ error: 'unreadable_key_ring', alg })

/** A ring that replaces the version that was read, or the first ring of its name. */
export type KeyRingChange = { readonly next: KeyRing; readonly replacing: O.Option<KeyRing> }

export type KeyRings = ConfirmReads & {
  /**
   * The time by the store's clock, in whole seconds. All decisions on keys and their lease are by this time, so that the
   * clocks of the instances need not agree. It does not go back, except where that clock is set back.
   */
  readonly readStoreTime: Answer<EpochSeconds>
  /** The versions of all rings. Instances poll them every few seconds; no ring is decrypted for it. */
  readonly readKeyRingVersions: Answer<ReadonlyArray<KeyRingVersion>>
  /** All of them, or a failure if one cannot be read. */
  readonly readKeyRings: Answer<ReadonlyArray<KeyRing>, UnreadableKeyRing>
  /**
   * Stores all changes, or none if one of the rings has another version than the one that was read, if a key of another
   * signer has a kid of their keys, or if the store's time is no longer `isInTime` after the one at which the changes were
   * decided. The audit row is written with them.
   */
  readonly replaceKeyRings: (
    changes: ReadonlyArray<KeyRingChange>,
    decidedAt: EpochSeconds,
    audit: AuditRow | undefined,
  ) => Answer<void, KeyRingChanged>
}

// The public keys of other signers that the set publishes.

export type ForeignKeys = {
  /** All of them, or a failure if one cannot be read; the oldest first. */
  readonly readForeignKeys: Answer<ReadonlyArray<ForeignKey>>
  /**
   * Stores all of them, or none if one of their kids is stored already, if they were more than maxForeignKeys with those that
   * are, or if the rings have other versions than those that were read. The audit row is written with them.
   */
  readonly addForeignKeys: (
    keys: ReadonlyArray<ForeignKey>,
    rings: ReadonlyArray<KeyRingVersion>,
    audit: AuditRow | undefined,
  ) => Answer<void, KeyRingChanged>
  /** Whether a key of this kid was stored; the audit row is written if it was. */
  readonly removeForeignKey: (kid: string, audit: AuditRow | undefined) => Answer<boolean>
}

// The audit log. Rows of changes are written by the other ports, each with its change; these verbs read and link them.

/** The position of a row in a list: by its time, and by its ordinal among those of one second. */
export type AuditPlace = { readonly at: number; readonly ordinal: number }

/** The rows from the latest to the earliest. */
export type AuditQuery = {
  /** Only rows before this position. */
  readonly before?: AuditPlace | undefined
  readonly client_id?: string | undefined
  /** A fingerprint, the kind of an actor, or the name of an operator token. */
  readonly actor?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: EpochSeconds | undefined
  /** Only rows of before this time. */
  readonly until?: EpochSeconds | undefined
  readonly max: number
}

/** Rows, and the position up to which was looked for them; without one, up to the beginning of the log. */
export type AuditPage = { readonly rows: ReadonlyArray<StoredAuditRow>; readonly reached?: AuditPlace }

export type AuditLog = {
  /** Writes the row of what changes nothing in the store: of a reading, or of a change elsewhere. */
  readonly addAuditRow: (row: AuditRow) => Answer<void>
  /** At most `max` rows. It looks at a bounded number of rows, so that it may return fewer, also none, before the end. */
  readonly listAudit: (query: AuditQuery) => Answer<AuditPage>
  /** The rows that have a greater ordinal, in the order of their ordinals, at most `max`. */
  readonly listRows: (after: number, max: number) => Answer<ReadonlyArray<StoredAuditRow>>
  /** Those of them that are above the rows of all checkpoints. No row appears below one of them later. */
  readonly listUnlinked: (after: number, max: number) => Answer<ReadonlyArray<UnlinkedAuditRow>>
  readonly lastCheckpoint: Answer<O.Option<StoredCheckpoint>>
  /** The checkpoints with a greater number, in their order, at most `max`. */
  readonly checkpointsAfter: (number: number, max: number) => Answer<ReadonlyArray<StoredCheckpoint>>
  /** Stores the checkpoint of the rows up to its highest; false, and without effect, where another one has its number. */
  readonly addCheckpoint: (checkpoint: StoredCheckpoint) => Answer<boolean>
  /** Removes the rows up to the highest of the checkpoint, and the checkpoints before it. The checkpoint itself stays. */
  readonly forgetAudit: (checkpoint: StoredCheckpoint) => Answer<void>
}

// What was refused lately, by all instances together: for people, so that no decision and no answer depends on it.

export type Refusals = {
  /**
   * Adds what an instance has observed: each group of counts is as `addCounts` makes it of what is stored, and the refusals are
   * those that `latestRefusals` keeps. What was refused last before `refusalsSince` is forgotten.
   */
  readonly recordRefusals: (observed: ObservedRefusals, at: EpochSeconds) => Answer<void>
  /** All that are kept; the refusals in their order. */
  readonly listRefusals: Answer<ObservedRefusals>
}

// The budgets of anonymous work and failed credentials, which all instances share. Only what was drawn here is spent, so
// that several instances together spend no more than one.

export type BudgetDraw = {
  readonly kind: BudgetKind
  /** The keyed digests of the source and of its network, so that the store has no address. */
  readonly source: TokenHash
  readonly network: TokenHash
  readonly limits: BudgetLimits
  /** The greatest number of units. */
  readonly most: number
}

export type Budgets = {
  /**
   * Spends units of the source, of its network and of all sources of the kind (`draw`), at the time in milliseconds since
   * 1970: of all three or of none. A refusal stores nothing. Sources and networks whose budget is whole at that time may
   * be removed, at most maxForgotten of them.
   */
  readonly drawFromBudget: (draw: BudgetDraw, now: number) => Answer<number, ExhaustedBudget>
}

// Work that only one instance does at a time. A lease ends by itself, so that a crashed instance does not block the
// others.

export type Lease = {
  readonly name: string
  /** The instance that has the lease. */
  readonly holder: string
  /** The end of the lease. */
  readonly until: EpochSeconds
}

export type Leases = {
  /**
   * Takes the lease, or sets another end where the holder has it already; false while another holder has it. Leases
   * that have ended at the given time may be removed.
   */
  readonly acquireLease: (lease: Lease, at: EpochSeconds) => Answer<boolean>
  /** Ends the lease of this holder now; no effect where the holder does not have it. */
  readonly releaseLease: (name: string, holder: string) => Answer<void>
}

// The running instances of a service that share one store.

export type Announcement = {
  /** By the store's clock, in milliseconds since 1970. */
  readonly announced_at: number
  readonly differences: ReadonlyArray<SettingDifference>
}

export type Instances = {
  /**
   * Stores that the instance runs now, unless `permitInstance` refuses it beside the running ones, or the schema of the
   * store excludes its version: then the store takes no writes from it until a later announcement finds otherwise. Announcements are made
   * one after the other: of two instances that start at once and refuse each other, one is refused.
   */
  readonly announceInstance: (instance: Instance) => Answer<Announcement, InstanceRefusal>
  /** The instance has stopped. */
  readonly withdrawInstance: (id: string) => Answer<void>
  /** The instances that were seen within `maxUnseen`, the first that started first. */
  readonly listInstances: Answer<ReadonlyArray<AnnouncedInstance>>
}

// Events for an OpenID provider beside the registry, from all instances. The store writes an event in the step that
// causes it.

/** RFC 7592 §2.3: a client was deleted. Back-Channel Logout §2: the end-user or the operator ended a session. */
export type ProviderEvent =
  | { readonly event: 'client_deleted'; readonly client_id: string; readonly registration_id: string }
  | { readonly event: 'session_ended'; readonly sid: string }

/** An event with its position in the order of all events; positions increase. */
export type StoredProviderEvent = { readonly position: number; readonly event: ProviderEvent }

/** A page of events. Unreadable events are left out. */
export type ProviderEventPage = {
  readonly events: ReadonlyArray<StoredProviderEvent>
  /** The position from which the next page is read. */
  readonly position: number
  /** Whether events between the reader's position and this page are no longer stored. */
  readonly forgotten: boolean
}

/** The minimum number of latest events that are stored. */
export const minStoredEvents = 10_000

export type ProviderEvents = {
  /** The position of the latest event; 0 without events. */
  readonly latestPosition: Answer<number>
  /** The events after the position, the oldest first, at most `max`. */
  readonly listEvents: (position: number, max: number) => Answer<ProviderEventPage>
}

// A store implements one port for each concern. The contracts of @clientele/testing check every promise.

/** The maximum number of expired entries of each kind that one write removes, so that no write takes long. */
export const maxForgotten = {
  sessions: 20,
  authorizations: 20,
  artefacts: 20,
  endingConfirmations: 100,
  budgets: 20,
  keyedRegistrations: 20,
} as const

export type StoragePorts = {
  readonly registry: ClientRegistry
  readonly clientUses: ClientUses
  readonly clientSearch: ClientSearch
  readonly initialAccessTokens: InitialAccessTokens
  readonly operatorTokens: OperatorTokens
  readonly authorizations: ClientAuthorizations
  readonly artefacts: Artefacts
  readonly consents: Consents
  readonly connections: Connections
  readonly keyRings: KeyRings
  readonly foreignKeys: ForeignKeys
  readonly endUserSessions: EndUserSessions
  readonly sessionTermination: SessionTermination
  readonly pendingNotifications: PendingNotifications
  readonly leases: Leases
  readonly budgets: Budgets
  readonly providerEvents: ProviderEvents
  readonly census: Census
  readonly auditLog: AuditLog
  readonly refusals: Refusals
  readonly secretUses: SecretUses
}

/** A step through the sealed values of a store, so that each operation ends soon. */
export type SealingStep = {
  /** `next` of the step before; undefined for the first one. */
  readonly after: string | undefined
  /** Whether values are only counted, and nothing is written. */
  readonly dryRun: boolean
}

/**
 * What a step found: how many values it read, how many of them another key had sealed, which are sealed anew unless it
 * is a dry run, and how many no key decrypts, which stay as they are.
 */
export type SealedAnew = {
  readonly values: number
  readonly sealed: number
  readonly unreadable: number
  /** Where the next step begins; left out after the last value. */
  readonly next?: string
}

export type Sealing = {
  /**
   * Seals the values of one step with the present key, the values of all steps from the first to the last are all that
   * are stored meanwhile. After an interruption, the first step begins anew: what the present key sealed is not written.
   */
  readonly sealAnew: ForOperator<'keys', (step: SealingStep) => Answer<SealedAnew, InvalidRequest>>
  /** The number of sealed values. */
  readonly countSealed: Answer<number>
}

/** An open store; several services may have one store open at the same time if the store allows it. */
export type Store = StoragePorts &
  Sealing & {
    /** The key of all token digests: generated with the store, and the same for every service that opens it. */
    readonly digestKey: string
    /** None where one process owns the store. */
    readonly instances?: Instances
    /**
     * Whether the store can read and write now, and else the reason with its remedy. It changes nothing: whether there is room
     * is known by the last writes, of which a running service makes one every few seconds.
     */
    readonly check: Answer<void>
    /** Completes pending operations and closes the store. */
    readonly close: T.Task<void>
  }

/** Why a store is not opened. The message is for people. */
export type StoreRefusal = {
  readonly refusal:
    | 'in-use'
    | 'not-a-database'
    | 'newer-schema'
    | 'earlier-schema'
    | 'foreign-schema'
    | 'wrong-encryption-key'
    | 'other-instances'
    | 'encryption-unavailable'
    | 'unusable'
  readonly message: string
}

/** The inputs that every store needs from the service that opens it. */
export type StoreNeeds = {
  readonly encryption: Encryption
  /** 32 random octets in base64url: the digest key of a new store. */
  readonly generateKey: IO.IO<string>
  /** Called when the outcome of a write is unknown: the process must end, and the next start reads the outcome. */
  readonly onFatal: (reason: unknown) => void
  /** Called after each commit, where the store itself commits the writes of several requests together. */
  readonly onCommit?: ((commit: Commit) => void) | undefined
  /** The clock for keys, in place of that of the database. */
  readonly now?: (() => EpochSeconds) | undefined
}

/** The number of writes of a commit, and the seconds of its synchronization with the disk. */
export type Commit = { readonly writes: number; readonly seconds: number }

/** Opens a store, and creates it where there is none. */
export type StoreOpener = (needs: StoreNeeds) => TE.TaskEither<StoreRefusal, Store>
