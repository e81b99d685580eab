// Opening a database: it answers, takes writes, and loses nothing that was answered.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { StoreRefusal } from '@clientele/domain/ports'
import { Refused, orRefuse, refuse, refusing } from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Query } from './connections.js'
import { type Database, type DatabaseOptions, createDatabase } from './database.js'
import { absent, readOnly, reasonOfFailure } from './failures.js'
import { hostsOf } from './hosts.js'

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

const durable = ['fsync', 'full_page_writes'] as const

// PostgreSQL, "synchronous_commit": with local, a commit is answered before the synchronous standby has it, and with
// remote_write before it is on the standby's disk. A standby may be named at any time, so that its absence now is no reason.
const whatIsLost = new Map([
  ['off', 'a crash'],
  ['local', 'a failover'],
  ['remote_write', 'a failover to a standby whose host crashed as well'],
])

const faultsOfCommit = ({ synchronous_commit }: Settings): ReadonlyArray<string> => {
  const loser = whatIsLost.get(synchronous_commit)
  return loser === undefined
    ? []
    : [`synchronous_commit is ${synchronous_commit}, so that ${loser} loses answered writes: set it to on`]
}

const faultsOf = (settings: Settings): ReadonlyArray<string> => [
  ...(settings.server < oldestServer
    ? [`it is PostgreSQL ${settings.server}: use ${oldestServer} or a later version`]
    : []),
  ...durable
    .filter((name) => settings[name] === 'off')
    .map((name) => `${name} is off, so that a crash loses answered writes: switch it on`),
  ...faultsOfCommit(settings),
  ...(settings.encoding === 'UTF8' ? [] : [`its encoding is ${settings.encoding}: create it with ENCODING 'UTF8'`]),
]

const unreadable = unavailable('the settings of the database cannot be read')

export type OpeningOptions = DatabaseOptions & {
  /** Milliseconds to wait for a database that does not answer. */
  readonly waitForDatabase: number
}

const isDatabaseUrl = (url: string): boolean => {
  const { urls, target } = hostsOf(url)
  return target !== undefined && urls.every((each) => URL.canParse(each)) && /^postgres(ql)?:/.test(url)
}

/** Waits for the database; refuses one that would lose answered writes, with all reasons. */
export const openDatabase = async (options: OpeningOptions): Promise<Database> => {
  if (!isDatabaseUrl(options.url))
    refuse(
      'unusable',
      'the URL of the database is not valid: postgresql://USER:PASSWORD@HOST/DATABASE, or several hosts with commas',
    )
  const db = createDatabase(options)
  try {
    const [settings] = await orRefuse(
      db.ask((query) => query(selectSettings), options.waitForDatabase),
      absent(db.name),
    )
    if (!Settings.is(settings)) throw new Refused(absent(db.name)(unreadable))
    const faults = faultsOf(settings)
    if (faults.length > 0) refuse('unusable', `${db.name} cannot be used: ${faults.join('; ')}`)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** The same for one task, after which it is closed. */
export const onDatabase = <Result>(
  options: OpeningOptions,
  use: (db: Database) => Promise<Result>,
): TaskEither<StoreRefusal, Result> =>
  refusing(async () => {
    const db = await openDatabase(options)
    try {
      return await use(db)
    } finally {
      await db.close()
    }
  })

const check = async (query: Query): Promise<E.Either<Unavailable, void>> => {
  const [settings] = await query(selectSettings)
  if (!Settings.is(settings)) return E.left(unreadable)
  // As an error of PostgreSQL, so that the connection to a database that does not write is closed.
  if (settings.read_only !== 'off') throw Object.assign(new Error('the database is read-only'), { code: readOnly })
  const faults = faultsOf(settings)
  const reason = faults.join('; ')
  return faults.length === 0 ? E.right(undefined) : E.left({ ...unavailable(reason), reason })
}

/** Whether the database answers, takes writes and is durable now. It begins when it is called: a store that closes awaits it. */
export const checkWritable =
  (db: Database): TaskEither<Unavailable, void> =>
  async () => {
    const checked = E.flattenW(await db.ask(check)())
    if (E.isRight(checked)) return db.checkWrites()
    const { detail } = checked.left
    return E.left({ reason: reasonOfFailure(detail) ?? 'the database does not answer', ...checked.left })
  }
