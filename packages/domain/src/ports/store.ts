// What a store holds: one port for each concern. Every promise is held by the contracts of @clientele/testing.
import type { IO } from 'fp-ts/lib/IO.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ForOperator } from '../authorization/operator.js'
import type { Unavailable } from '../errors.js'
import type { ClientAuthorizations } from './client-authorizations.js'
import type { ClientRegistry } from './client-registry.js'
import type { Encryption } from './encryption.js'
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

/** How many values were sealed anew, and how many no key opens: those stay as they are. */
export type SealedAnew = { readonly sealed: number; readonly unreadable: number }

/** A store that is open: several services may have one store open at the same time, where the store says so. */
export type Store = StoragePorts & {
  /** The key of all token digests: made with the store, and the same for every service that opens it. */
  readonly digestKey: string
  /** Whether the store can read and write now; nothing is changed. */
  readonly check: TaskEither<Unavailable, void>
  /** Seals everything with the present key. Asked again, it goes on where it was ended. */
  readonly sealAnew: ForOperator<TaskEither<Unavailable, SealedAnew>>
  /** Finishes what was asked, and gives the store up. */
  readonly close: Task<void>
}

/** Why a store is not opened. The message is for people. */
export type StoreRefusal = {
  readonly refusal:
    | 'in-use'
    | 'not-a-database'
    | 'newer-schema'
    | 'foreign-schema'
    | 'wrong-encryption-key'
    | 'encryption-unavailable'
    | 'unusable'
  readonly message: string
}

/** What a store needs from the service that opens it, whichever store it is. */
export type StoreNeeds = {
  readonly encryption: Encryption
  /** 32 random octets in base64url: the digest key, where the store is new. */
  readonly freshKey: IO<string>
  /** Told when the outcome of a write is unknown: the process must end, and the next start will know. */
  readonly onFatal: (reason: unknown) => void
}

/** Opens a store, and makes it where there is none. */
export type StoreOpener = (needs: StoreNeeds) => TaskEither<StoreRefusal, Store>
