// The clients that are registered. Each verb is one atomic step, on disk before it answers.
import type * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { ClientId } from '../client/client-id.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { RegistryFull, Unavailable, UnknownClient } from '../errors.js'

export type ClientIdTaken = { readonly error: 'client_id_taken' }
export type InitialAccessTokenSpent = { readonly error: 'initial_access_token_spent' }
export type RefusedAddition = ClientIdTaken | InitialAccessTokenSpent | RegistryFull

/** How many clients there may be; Infinity where there is no limit. */
export type RegistryLimits = {
  readonly clients: number
  /** Open clients (isOpenClient) that took part in no session yet, and for which no authorization was recorded. */
  readonly unusedOpenClients: number
}

export const noLimits: RegistryLimits = { clients: Infinity, unusedOpenClients: Infinity }

/** Somebody else replaced or removed the version that was read. */
export type ClientChanged = { readonly error: 'client_changed' }

/** The stored client of this id cannot be read; detail is for the log only. The id is as it is stored: any string. */
export type UnreadableClient = {
  readonly error: 'unreadable_client'
  readonly client_id: string
  readonly detail: unknown
}

export const clientIdTaken: ClientIdTaken = { error: 'client_id_taken' }
export const initialAccessTokenSpent: InitialAccessTokenSpent = { error: 'initial_access_token_spent' }
export const clientChanged: ClientChanged = { error: 'client_changed' }
export const unreadableClient = (client_id: string, detail: unknown): UnreadableClient => ({
  error: 'unreadable_client',
  client_id,
  detail,
})

export type ClientRegistry = {
  /** Stores the client and spends the initial access token, both or neither, and within the limits. */
  readonly addClient: (
    client: RegisteredClient,
    spending: O.Option<TokenHash>,
    limits: RegistryLimits,
  ) => TE.TaskEither<RefusedAddition | Unavailable, void>
  /** A client that cannot be read is unavailable, and UnreadableClient the detail of that. */
  readonly findClient: (id: ClientId) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /**
   * Those of the clients that are registered, read together: each once, in the order in which the ids name them first. One that
   * cannot be read is a Left.
   */
  readonly findClients: (
    ids: ReadonlyArray<ClientId>,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<E.Either<UnreadableClient, RegisteredClient>>>
  /**
   * The client of the id, if the registration access token of the hash is its own. A token that is not is looked up in the
   * same way whether the client exists or not, and nothing of a client is opened for it.
   */
  readonly findClientByToken: (id: ClientId, token: TokenHash) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /** Whether the hash is of the registration access token of any client. */
  readonly isRegistrationAccessToken: (token: TokenHash) => TE.TaskEither<Unavailable, boolean>
  /**
   * Every client in constant memory, in the order of registration: clients that are added at the same time may stand in either
   * order, and one that is added while the list runs may be missing. One that cannot be read is a Left and not the end; when
   * the store cannot go on, that is the last element.
   */
  readonly streamClients: () => AsyncIterable<E.Either<UnreadableClient | Unavailable, RegisteredClient>>
  /** Succeeds only against the very version that was read. */
  readonly replaceClient: (
    next: RegisteredClient,
    replacing: RegisteredClient,
  ) => TE.TaskEither<ClientChanged | Unavailable, void>
  /**
   * Removes the client of the id, of whatever version, and everything that is recorded for it; where a token is given, only
   * if it is the client's own. Nothing of the client is read, so that one that cannot be read is removed as well.
   */
  readonly removeClient: (id: ClientId, token: O.Option<TokenHash>) => TE.TaskEither<UnknownClient | Unavailable, void>
}
