// A store implements one port for each concern. The contracts of @clientele/testing check every promise.
import type { IO } from 'fp-ts/lib/IO.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ForOperator } from '../authorization/operator.js'
import type { InvalidRequest, Unavailable } from '../errors.js'
import type { Artefacts } from './artefacts.js'
import type { Budgets } from './budgets.js'
import type { Census } from './census.js'
import type { AuditLog } from './audit-log.js'
import type { ClientAuthorizations } from './client-authorizations.js'
import type { ClientRegistry } from './client-registry.js'
import type { ClientSearch } from './client-search.js'
import type { ClientUses } from './client-uses.js'
import type { Consents } from './consents.js'
import type { Encryption } from './encryption.js'
import type { EndUserSessions } from './end-user-sessions.js'
import type { ForeignKeys } from './foreign-keys.js'
import type { InitialAccessTokens } from './initial-access-tokens.js'
import type { Instances } from './instances.js'
import type { KeyRings } from './key-rings.js'
import type { OperatorTokens } from './operator-tokens.js'
import type { Leases } from './leases.js'
import type { PendingNotifications } from './pending-notifications.js'
import type { SessionTermination } from './session-termination.js'
import type { ProviderEvents } from './provider-events.js'

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

/** An open store; several services may have one store open at the same time if the store allows it. */
export type Store = StoragePorts & {
  /** The key of all token digests: generated with the store, and the same for every service that opens it. */
  readonly digestKey: string
  /** None where one process owns the store. */
  readonly instances?: Instances
  /**
   * Whether the store can read and write now, and else the reason with its remedy. It changes nothing: whether there is room
   * is known by the last writes, of which a running service makes one every few seconds.
   */
  readonly check: TaskEither<Unavailable, void>
  /**
   * Seals the values of one step with the present key, the values of all steps from the first to the last are all that
   * are stored meanwhile. After an interruption, the first step begins anew: what the present key sealed is not written.
   */
  readonly sealAnew: ForOperator<'keys', (step: SealingStep) => TaskEither<InvalidRequest | Unavailable, SealedAnew>>
  /** The number of sealed values. */
  readonly countSealed: TaskEither<Unavailable, number>
  /** Completes pending operations and closes the store. */
  readonly close: Task<void>
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
  readonly generateKey: IO<string>
  /** Called when the outcome of a write is unknown: the process must end, and the next start reads the outcome. */
  readonly onFatal: (reason: unknown) => void
  /** Called after each commit, where the store itself commits the writes of several requests together. */
  readonly onCommit?: ((commit: Commit) => void) | undefined
}

/** The number of writes of a commit, and the seconds of its synchronization with the disk. */
export type Commit = { readonly writes: number; readonly seconds: number }

/** Opens a store, and creates it where there is none. */
export type StoreOpener = (needs: StoreNeeds) => TaskEither<StoreRefusal, Store>
