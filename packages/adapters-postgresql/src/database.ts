// A database: the engine of the store, and what its opening asks. What failed for a reason that passes is run again.
import type { Unavailable } from '@clientele/domain/kernel'
import { type Engine, createOperations, createWriteHealth } from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ConnectionOptions, type Connections, type Outcome, type Query, createConnections } from './connections.js'
import { createWrites } from './engine.js'
import { verdictOf } from './failures.js'
import { nameOf } from './hosts.js'
import { createQueue, inTurn } from './queue.js'
import { createReads } from './reads.js'
import { deadlinesFromNow, repeat } from './repeat.js'
import { createTransact, settle } from './transact.js'

export type { Query } from './connections.js'

export type DatabaseOptions = ConnectionOptions & {
  /** The maximum number of verbs, or of readings, that share a statement; 256 by default. */
  readonly maxTogether?: number
}

export type Database = Engine & {
  /** For messages: without user and password. */
  readonly name: string
  /** Runs on one connection, and again after an error of the connection, for the milliseconds of the limit: for reading. */
  readonly ask: <Result>(work: (query: Query) => Promise<Result>, limit?: number) => TE.TaskEither<Unavailable, Result>
  /** The same in a transaction, which a Left undoes. It may run again although it was committed. */
  readonly transaction: <Refusal, Result>(
    work: (query: Query) => Promise<E.Either<Refusal, Result>>,
    limit?: number,
  ) => TE.TaskEither<Refusal | Unavailable, Result>
  /** Whether the last writes succeeded. */
  readonly checkWrites: () => E.Either<Unavailable, void>
  readonly close: () => Promise<void>
}

// Each statement sees what was committed before it, after the locks that it waited for; the default of a database may
// be stricter.
const begin = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' }
const commit = { name: 'commit', text: 'COMMIT' }
const rollback = { name: 'rollback', text: 'ROLLBACK' }

const transact = async <Refusal, Result>(
  connections: Connections,
  work: (query: Query) => Promise<E.Either<Refusal, Result>>,
): Promise<Outcome<E.Either<Refusal, Result>>> => {
  const progress = { commits: false }
  const outcome = await connections.run(async (query) => {
    await query(begin)
    const result = await work(query).catch(async (error: unknown) => {
      if (['again', 'undone'].includes(verdictOf(error))) await query(rollback)
      throw error
    })
    progress.commits = E.isRight(result)
    await query(progress.commits ? commit : rollback)
    return result
  })
  // Without a COMMIT, nothing was written.
  return E.isLeft(outcome) && outcome.left.verdict === 'in_doubt' && !progress.commits
    ? E.left({ ...outcome.left, verdict: 'elsewhere' })
    : outcome
}

// PostgreSQL, "Synchronous Replication": a server that crashes while a commit waits for the standby shows that commit
// afterwards, whether the standby has it or not. The commit of this record waits for the standby, which then has both.
// Without a synchronous standby, what is shown is on disk: crash recovery synchronizes what it reads.
const record = `
CASE WHEN current_setting('synchronous_standby_names') <> '' THEN pg_logical_emit_message(true, 'clientele', '') END`
const confirm = { name: 'confirm', text: `SELECT ${record}` }

const defaultMaxTogether = 256

export const createDatabase = (options: DatabaseOptions): Database => {
  const connections = createConnections(options)
  const { track, end } = createOperations()
  const health = createWriteHealth()
  const maxTogether = options.maxTogether ?? defaultMaxTogether
  const ask: Database['ask'] = (work, limit) =>
    track(() => repeat(() => connections.run(work), deadlinesFromNow(limit)))
  const confirmOnce = (deadline: number) =>
    repeat(() => connections.run((query) => query(confirm)), { ofRequest: deadline, inDoubt: deadline })
  const confirmTogether = createQueue<undefined, never, undefined>(async (all) => {
    const confirmed = await confirmOnce(deadlinesFromNow().ofRequest)
    return all.map(() => E.map(() => undefined)(confirmed))
  }, inTurn(Infinity))
  const writes = createWrites(createTransact(connections, health, confirmOnce), maxTogether)
  const all = createReads(ask, maxTogether)
  return {
    all,
    get: (statement, values) =>
      pipe(
        all(statement, values),
        TE.map(([row]) => row),
      ),
    name: nameOf(options.url),
    ask,
    transaction: (work, limit) =>
      pipe(
        track(() => repeat(() => transact(connections, work), deadlinesFromNow(limit))),
        TE.flatMapEither((answer) => answer),
      ),
    write: writes.write,
    settle: ask((query) => query(settle)),
    confirmReads: track(confirmTogether(undefined)),
    checkWrites: health.check,
    close: async () => {
      await end()
      await writes.end()
      await connections.close()
    },
  }
}
