import type { AnnouncedInstance, StoreRefusal } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { guardWrites } from './guard-writes.js'
import { createInstances } from './instances.js'
import { type MigrationOptions, openDatabase } from './migrate-database.js'
import { requireMigrated } from './migrations/migrate.js'
import { migrations } from './migrations/migrations.js'
import { lastOf } from './migrations/schema-version.js'
import { unusable } from './refusals.js'

/** The running instances on the database, for an operator with any encryption keys: nothing is opened or sealed. */
export const listInstances = (
  options: MigrationOptions,
): TE.TaskEither<StoreRefusal, ReadonlyArray<AnnouncedInstance>> =>
  pipe(
    openDatabase(options),
    TE.flatMap((db) => async () => {
      const listed = await pipe(
        requireMigrated(db, migrations),
        TE.flatMap(() =>
          pipe(
            createInstances(db, guardWrites(db, lastOf(migrations)).look).listInstances,
            TE.mapLeft(unusable(db.name)),
          ),
        ),
      )()
      await db.close()
      return listed
    }),
  )
