import type { Instances, Store, StoreNeeds, StoreRefusal } from '@clientele/domain'
import { digestKeyOf } from '@clientele/stored-rows'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createArtefacts } from './artefacts.js'
import { createBudgets } from './budgets.js'
import { createCensus } from './census.js'
import { createAuditLog } from './audit-log.js'
import { createClientAuthorizations } from './client-authorizations.js'
import { createClientRegistry } from './client-registry.js'
import { createClientSearch } from './client-search.js'
import { createClientUses } from './client-uses.js'
import { createConsents } from './consents.js'
import type { Database, DatabaseOptions } from './database.js'
import { digestKeyRow } from './digest-key.js'
import { createEndUserSessions } from './end-user-sessions.js'
import { createForeignKeys } from './foreign-keys.js'
import { createInitialAccessTokens } from './initial-access-tokens.js'
import { guardWrites } from './guard-writes.js'
import { createInstances } from './instances.js'
import { createKeyRings } from './key-rings.js'
import { createLeases } from './leases.js'
import { openDatabase } from './migrate-database.js'
import { migrate, requireMigrated } from './migrations/migrate.js'
import { type Migrations, migrations } from './migrations/migrations.js'
import { lastOf } from './migrations/schema-version.js'
import { createOperatorTokens } from './operator-tokens.js'
import { createPendingNotifications } from './pending-notifications.js'
import { createProviderEvents } from './provider-events.js'
import { createSealAnew } from './seal-anew.js'
import { checkWritable } from './server-settings.js'
import { createSessionTermination } from './session-termination.js'

export type StoreOptions = Pick<StoreNeeds, 'encryption' | 'generateKey'> &
  DatabaseOptions & {
    /** Milliseconds that the opening waits for a database that does not answer. */
    readonly waitForDatabase: number
    /** Whether the opening runs the migrations that are due; if not, it refuses a database that needs one. */
    readonly migrates: boolean
    /** Called with the digest key before the opening seals anything; a refusal ends the opening. */
    readonly admit?: (instances: Instances, digestKey: string) => TE.TaskEither<StoreRefusal, unknown>
    /** Called when the opening fails, before it closes the database: takes back what `admit` has announced. */
    readonly withdraw?: T.Task<unknown> | undefined
  }

const storeOn = (
  db: Database,
  guarded: Database,
  instances: Instances,
  { encryption }: StoreOptions,
  digestKey: string,
): Store => ({
  digestKey,
  instances,
  registry: createClientRegistry(guarded, encryption),
  clientUses: createClientUses(guarded, encryption),
  clientSearch: createClientSearch(guarded),
  initialAccessTokens: createInitialAccessTokens(guarded, encryption),
  operatorTokens: createOperatorTokens(guarded, encryption),
  authorizations: createClientAuthorizations(guarded, encryption),
  artefacts: createArtefacts(guarded, encryption),
  consents: createConsents(guarded, encryption),
  keyRings: createKeyRings(guarded, encryption),
  foreignKeys: createForeignKeys(guarded, encryption),
  endUserSessions: createEndUserSessions(guarded, encryption),
  sessionTermination: createSessionTermination(guarded),
  pendingNotifications: createPendingNotifications(guarded),
  leases: createLeases(guarded),
  budgets: createBudgets(guarded),
  providerEvents: createProviderEvents(guarded),
  census: createCensus(db),
  auditLog: createAuditLog(guarded),
  ...createSealAnew(guarded, encryption),
  check: checkWritable(db),
  close: () => db.close(),
})

const prepareSchema = (
  db: Database,
  migrations: Migrations,
  options: StoreOptions,
): TE.TaskEither<StoreRefusal, unknown> =>
  options.migrates ? migrate(db, migrations, options) : requireMigrated(db, migrations)

/** The digest key, for an admitted process. */
const findDigestKey = (
  db: Database,
  instances: Instances,
  { admit, ...options }: StoreOptions,
): TE.TaskEither<StoreRefusal, string> => {
  const beforeSealing = admit === undefined ? undefined : (digestKey: string) => admit(instances, digestKey)
  return digestKeyOf(db.name, digestKeyRow(db), { ...options, beforeSealing })
}

const nothing: T.Task<void> = () => Promise.resolve()

export const openStoreBy =
  (migrations: Migrations) =>
  (options: StoreOptions): TE.TaskEither<StoreRefusal, Store> =>
    pipe(
      openDatabase(options),
      TE.flatMap((db) => {
        const { guarded, look } = guardWrites(db, lastOf(migrations))
        const instances = createInstances(db, look)
        return pipe(
          prepareSchema(db, migrations, options),
          TE.flatMap(() => findDigestKey(db, instances, options)),
          TE.map((digestKey) => storeOn(db, guarded, instances, options, digestKey)),
          TE.tapError(() => TE.fromTask(options.withdraw ?? nothing)),
          TE.tapError(() => TE.fromTask(() => db.close())),
        )
      }),
    )

/** Opens the store of the database, and creates it where the database is empty; or returns a refusal for people. */
export const openStore = openStoreBy(migrations)
