// What the database must promise: answered writes survive a crash, and it takes writes now.
import { type StoreRefusal, type Unavailable, unavailable } from '@clientele/domain'
import { storeRefusal } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database } from './database.js'
import { unusable } from './refusals.js'

const oldestServer = 14

const selectSettings = {
  name: 'select_server_settings',
  text: `
SELECT current_setting('server_version_num')::bigint / 10000 AS server, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('transaction_read_only') AS read_only, current_setting('server_encoding') AS encoding`,
}

const Settings = t.type({
  server: t.number,
  fsync: t.string,
  full_page_writes: t.string,
  synchronous_commit: t.string,
  read_only: t.string,
  encoding: t.string,
})
type Settings = t.TypeOf<typeof Settings>

const durable = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

const faultsOf = (settings: Settings): ReadonlyArray<string> => [
  ...(settings.server < oldestServer
    ? [`it is PostgreSQL ${settings.server}: use ${oldestServer} or a later version`]
    : []),
  ...durable
    .filter((name) => settings[name] === 'off')
    .map((name) => `${name} is off, so that a crash loses answered writes: switch it on`),
  ...(settings.encoding === 'UTF8' ? [] : [`its encoding is ${settings.encoding}: create it with ENCODING 'UTF8'`]),
]

const readSettings = (db: Database): TE.TaskEither<Unavailable, Settings> =>
  pipe(
    db.run(selectSettings),
    TE.map(([row]) => row),
    TE.filterOrElse(Settings.is, () => unavailable('the settings of the database cannot be read')),
  )

/** Refuses a database that would lose answered writes, with all reasons. */
export const requireDurable = (db: Database): TE.TaskEither<StoreRefusal, void> =>
  pipe(
    readSettings(db),
    TE.mapLeft(unusable(db.name)),
    TE.map(faultsOf),
    TE.filterOrElse(
      (faults) => faults.length === 0,
      (faults) => storeRefusal('unusable', `${db.name} cannot be used: ${faults.join('; ')}`),
    ),
    TE.map(() => undefined),
  )

/** Whether the database answers, takes writes and is durable now. */
export const checkWritable = (db: Database): TE.TaskEither<Unavailable, void> =>
  pipe(
    readSettings(db),
    TE.filterOrElse(
      (settings) => settings.read_only === 'off' && faultsOf(settings).length === 0,
      (settings) =>
        unavailable(settings.read_only === 'off' ? faultsOf(settings).join('; ') : 'the database is read-only'),
    ),
    TE.map(() => undefined),
  )
