import type { EpochSeconds, Store, StoreNeeds, StoreRefusal } from '@clientele/domain'
import { createWriteHealth, digestKeyOf } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createAuditLog } from './audit-log.js'
import { createBatches } from './batch.js'
import { createBudgets } from './budgets.js'
import { connectionTo } from './connection.js'
import { createArtefacts } from './artefacts.js'
import { createCensus } from './census.js'
import { createClientAuthorizations } from './client-authorizations.js'
import { createClientRegistry } from './client-registry.js'
import { createClientSearch } from './client-search.js'
import { createClientUses } from './client-uses.js'
import { digestKeyRow } from './digest-key.js'
import { createConsents } from './consents.js'
import { createEndUserSessions } from './end-user-sessions.js'
import { createForeignKeys } from './foreign-keys.js'
import { createInitialAccessTokens } from './initial-access-tokens.js'
import { createOperatorTokens } from './operator-tokens.js'
import { createKeyRings } from './key-rings.js'
import { createLeases, endLeases } from './leases.js'
import { createPendingNotifications } from './pending-notifications.js'
import { createSessionTermination } from './session-termination.js'
import { openDatabase } from './open-database.js'
import { createProviderEvents } from './provider-events.js'
import { createSealAnew } from './seal-anew.js'
import { type ServiceLock, lockService, noLock } from './service-lock.js'
import { onFile } from './store-refusal.js'

export type StoreOptions = StoreNeeds & {
  readonly file: string
  /** Called when this process has locked the file, before anything else. */
  readonly onLocked?: () => void
  /** The clock for keys, in place of that of the host. */
  readonly now?: () => EpochSeconds
  /** Whether other processes may open the file at the same time; by default, one service owns it. */
  readonly shared?: boolean
  /** Whether a missing database is refused in place of created. */
  readonly expectExisting?: boolean
}

const storeOn = (
  db: Database.Database,
  lock: ServiceLock,
  { encryption, onFatal, onCommit, now }: StoreOptions,
  digestKey: string,
): Store => {
  const health = createWriteHealth()
  const connection = connectionTo(db, createBatches(db, onFatal, onCommit, health))
  const { queue, read } = connection
  return {
    digestKey,
    registry: createClientRegistry(connection, encryption),
    clientUses: createClientUses(connection, encryption),
    clientSearch: createClientSearch(connection),
    initialAccessTokens: createInitialAccessTokens(connection, encryption),
    operatorTokens: createOperatorTokens(connection, encryption),
    authorizations: createClientAuthorizations(connection, encryption),
    artefacts: createArtefacts(connection, encryption),
    consents: createConsents(connection, encryption),
    keyRings: createKeyRings(connection, encryption, now),
    foreignKeys: createForeignKeys(connection, encryption),
    endUserSessions: createEndUserSessions(connection, encryption),
    sessionTermination: createSessionTermination(connection),
    pendingNotifications: createPendingNotifications(connection),
    leases: createLeases(db, queue),
    budgets: createBudgets(db, queue),
    providerEvents: createProviderEvents(connection),
    census: createCensus(connection),
    auditLog: createAuditLog(connection),
    ...createSealAnew(connection, encryption),
    // It begins when it is called, so that a store that closes awaits it.
    check: async () => {
      const written = await queue.write(() => E.right(void db.pragma('schema_version')))()
      return E.isLeft(written) ? written : health.check()
    },
    close: async () => {
      await queue.drained()
      await read(() => undefined)()
      db.close()
      lock.release()
    },
  }
}

const openLocked =
  (options: StoreOptions) =>
  (lock: ServiceLock): TE.TaskEither<StoreRefusal, Store> =>
    pipe(
      openDatabase(options.file, options.expectExisting ?? false, options.encryption),
      TE.flatMap((db) =>
        pipe(
          digestKeyOf(db.name, digestKeyRow(db), options),
          TE.tap(() => onFile(db.name)(() => (options.shared === true ? undefined : endLeases(db)))),
          TE.map((digestKey) => storeOn(db, lock, options, digestKey)),
          TE.tapError(() => TE.fromIO(() => db.close())),
        ),
      ),
      TE.tapError(() => TE.fromIO(lock.release)),
    )

/** Locks and opens the store, or returns a refusal for people; a refused file is unchanged. */
export const openStore = (options: StoreOptions): TE.TaskEither<StoreRefusal, Store> =>
  pipe(
    TE.fromIOEither(() => (options.shared === true ? E.right(noLock) : lockService(options.file))),
    TE.tapIO(() => () => options.onLocked?.()),
    TE.flatMap(openLocked(options)),
  )
