// The registered clients. Each verb is one atomic step, on disk before it answers. An audit row is written with the
// change: both are stored, or neither.
import type * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { TokenHash } from '../authorization/credential.js'
import type { ClientId } from '../client/client-id.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { KeyedRegistration } from '../registration/idempotency.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ClientIdTaken, RegistryFull, Unavailable, UnknownClient } from '../errors.js'
import type { Tombstone } from './client-uses.js'
import type { ConfirmReads } from './confirm-reads.js'

export type InitialAccessTokenConsumed = { readonly error: 'initial_access_token_spent' }
/** An unused open client has the same fingerprint: ClientUses.findUnused finds it. */
export type RegisteredBefore = { readonly error: 'registered_before' }
/** A registration is stored under the same key: findKeyedRegistration finds it. */
export type RequestedBefore = { readonly error: 'requested_before' }
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
  readonly audit?: AuditRow | undefined
}

/** Why one client of an import was not stored. */
export type RefusedImport = ClientIdTaken | ClientChanged

/** A client, and the UTC day of its last use; undefined before the first. */
export type ClientWithUse = { readonly client: RegisteredClient; readonly last_use: EpochSeconds | undefined }

/** A client of a stream, or one that is unreadable, or the failure that ends the stream. */
export type StreamedClient<Client = RegisteredClient> = E.Either<UnreadableClient | Unavailable, Client>

export type ClientRegistry = ConfirmReads & {
  /**
   * Stores the client and consumes the initial access token, both or neither, within the limits. With a fingerprint and
   * without a token, an open client is refused while an unused open client, not yet parked, has the same: also before the limits are.
   * With a keyed registration, it is stored in the same step; while another one is stored under its key, the client is refused.
   */
  readonly addClient: (
    client: RegisteredClient,
    consumedToken: O.Option<TokenHash>,
    limits: RegistryLimits,
    fingerprint?: TokenHash,
    audit?: AuditRow,
    keyed?: KeyedRegistration,
  ) => TE.TaskEither<RefusedAddition | Unavailable, void>
  /** The registration that is stored under the key, expired ones included. It ends with its client. */
  readonly findKeyedRegistration: (key: TokenHash) => TE.TaskEither<Unavailable, O.Option<KeyedRegistration>>
  /** For a client that cannot be read, Unavailable has an UnreadableClient as detail. */
  readonly findClient: (id: ClientId) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /**
   * Reads the registered clients among the ids together: each once, in the order of the first occurrence of its id. A
   * client that cannot be read is a Left.
   */
  readonly findClients: (
    ids: ReadonlyArray<ClientId>,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<E.Either<UnreadableClient, RegisteredClient>>>
  /**
   * The client of the id, if the hash is of its own registration access token, or of the one before it, whatever the time.
   * Another token takes the same look-up whether the client exists or not, and decrypts nothing.
   */
  readonly findClientByToken: (id: ClientId, token: TokenHash) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /** Whether any client has the registration access token of the hash, as its own or as the one before it. */
  readonly isRegistrationAccessToken: (token: TokenHash) => TE.TaskEither<Unavailable, boolean>
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
  readonly replaceClient: (
    next: RegisteredClient,
    replacing: RegisteredClient,
    audit?: AuditRow,
  ) => TE.TaskEither<ClientChanged | Unavailable, void>
  /**
   * Removes the client of the id in any version, and everything that is recorded for it; where a token is given, only
   * if it is the client's newest one and the client is not suspended. Nothing of the client is decrypted, so that an unreadable one is removed as well. The
   * tombstone, if given, is stored in the same step. Where the read client is given, the stored version must be that one, as replaceClient has it.
   */
  readonly removeClient: (
    id: ClientId,
    token: O.Option<TokenHash>,
    tombstone?: Tombstone,
    audit?: AuditRow,
    read?: RegisteredClient,
  ) => TE.TaskEither<UnknownClient | ClientSuspended | ClientChanged | Unavailable, void>
  /**
   * Stores the clients of an import together, without limits: all that are not refused, in one step, and the outcome of
   * each in their order. A new client is refused if its id is taken, and a replacement if the stored version is another
   * one. Each id stands once.
   */
  readonly importClients: (
    clients: ReadonlyArray<ClientImport>,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<E.Either<RefusedImport, void>>>
}
