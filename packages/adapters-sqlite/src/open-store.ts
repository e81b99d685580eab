import type {
  ClientAuthorizations,
  ClientRegistry,
  EndUserSessions,
  ForOperator,
  ForeignKeys,
  InitialAccessTokens,
  KeyRings,
  Leases,
  LogoutOutbox,
  Logouts,
  Unavailable,
} from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createBatches } from './batch.js'
import { createClientAuthorizations } from './client-authorizations.js'
import { createClientRegistry } from './client-registry.js'
import { digestKeyOf } from './digest-key.js'
import { createEndUserSessions } from './end-user-sessions.js'
import { createForeignKeys } from './foreign-keys.js'
import { createInitialAccessTokens } from './initial-access-tokens.js'
import { createKeyRings } from './key-rings.js'
import { createLeases, endLeases } from './leases.js'
import { createLogoutOutbox } from './logout-outbox.js'
import { createLogouts } from './logouts.js'
import { openDatabase } from './open-database.js'
import type { SealedAnew } from './seal-anew.js'
import { createSealAnew } from './seal-anew.js'
import type { Sealing } from '@clientele/domain'
import type { ServiceLock } from './service-lock.js'
import { lockService, noLock } from './service-lock.js'
import type { StoreRefusal } from './store-refusal.js'
import { reasonOf, storeRefusal } from './store-refusal.js'
import { createWriteQueue } from './write-queue.js'

export type StoreOptions = {
  readonly file: string
  readonly sealing: Sealing
  /** 32 random bytes, base64url: becomes the key of all digests when the database is made. */
  readonly freshKey: () => string
  /** A commit has an unknown outcome: the process must end, and the next start will know. */
  readonly onFatal: (reason: unknown) => void
  /** Told as soon as the file is this process's, before anything else is done. */
  readonly onLocked?: () => void
  /** Others may have the file open at the same time: without this, one service at a time owns it. */
  readonly shared?: boolean
  /** Refuse to make a database where there is none. */
  readonly expectExisting?: boolean
}

export type Store = {
  readonly digestKey: string
  readonly registry: ClientRegistry
  readonly initialAccessTokens: InitialAccessTokens
  readonly authorizations: ClientAuthorizations
  readonly keyRings: KeyRings
  readonly foreignKeys: ForeignKeys
  readonly endUserSessions: EndUserSessions
  readonly logouts: Logouts
  readonly logoutOutbox: LogoutOutbox
  readonly leases: Leases
  /** Seals everything with the key that seals now; what cannot be opened stays as it is and is counted. */
  readonly sealAnew: ForOperator<TaskEither<Unavailable, SealedAnew>>
  /** Whether the store can read and write now; nothing is changed. */
  readonly check: () => TaskEither<Unavailable, void>
  /** Finishes what was asked, moves the log into the file, and gives the file up. */
  readonly close: () => Promise<void>
}

const storeOn = (db: Database.Database, lock: ServiceLock, options: StoreOptions, digestKey: string): Store => {
  const queue = createWriteQueue(createBatches(db, options.onFatal))
  const sealAnew = createSealAnew(db, queue, options.sealing)
  return {
    digestKey,
    registry: createClientRegistry(db, queue, options.sealing),
    initialAccessTokens: createInitialAccessTokens(db, queue, options.sealing),
    authorizations: createClientAuthorizations(db, queue, options.sealing),
    keyRings: createKeyRings(db, queue, options.sealing),
    foreignKeys: createForeignKeys(db, queue, options.sealing),
    endUserSessions: createEndUserSessions(db, queue, options.sealing),
    logouts: createLogouts(db, queue),
    logoutOutbox: createLogoutOutbox(db, queue),
    leases: createLeases(db, queue),
    sealAnew: () => sealAnew,
    check: () => queue.write(() => E.right(void db.pragma('schema_version'))),
    close: async () => {
      await queue.drained()
      db.close()
      lock.release()
    },
  }
}

const openLocked =
  (options: StoreOptions) =>
  (lock: ServiceLock): E.Either<StoreRefusal, Store> =>
    pipe(
      openDatabase(options.file, options.expectExisting ?? false, options.sealing),
      E.flatMap((db) =>
        pipe(
          E.tryCatch(
            () => digestKeyOf(db, options.sealing, options.freshKey),
            (error) => storeRefusal('unusable', `${options.file} cannot be written: ${reasonOf(error)}`),
          ),
          E.flatten,
          E.map((digestKey) => {
            if (options.shared !== true) endLeases(db)
            return storeOn(db, lock, options, digestKey)
          }),
          E.mapLeft((refusal) => {
            db.close()
            return refusal
          }),
        ),
      ),
      E.mapLeft((refusal) => {
        lock.release()
        return refusal
      }),
    )

/** Locks and opens the store, or says why not, in words for people; a refused file stays as it is. */
export const openStore = (options: StoreOptions): E.Either<StoreRefusal, Store> =>
  pipe(
    options.shared === true ? E.right(noLock) : lockService(options.file),
    E.tap(() => E.right(options.onLocked?.())),
    E.flatMap(openLocked(options)),
  )
