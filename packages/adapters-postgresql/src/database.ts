// A database: the engine of the store, and what its opening asks. Verbs that arrive together run in one transaction, and are
// answered when it is committed; what failed for a reason that passes is run again.
import type { Unavailable } from '@clientele/domain/kernel'
import { type Engine, type Names, type Verb, createOperations, createWriteHealth } from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type ConnectionOptions,
  type Connections,
  type Outcome,
  type Query,
  createConnections,
  deadlinesFromNow,
  repeat,
} from './connections.js'
import { verdictOf } from './failures.js'
import { nameOf } from './hosts.js'
import { type Batching, createQueue, inTurn } from './queue.js'
import { createReads } from './loader.js'
import { createTransact, settle } from './transact.js'

/** Batches at the same time, each on a connection of its own. */
const maxBatches = 4

/** Names of verbs: one that is changed is of one verb; one that is relied on, of several. */
const createNamed = () => {
  const changed = new Set<string>()
  const relied = new Map<string, number>()
  return {
    /** Whether a verb with these names may run beside the others. */
    permits: ({ changes = [], relies = [] }: Names): boolean =>
      !changes.some((name) => changed.has(name) || relied.has(name)) && !relies.some((name) => changed.has(name)),
    add: ({ changes = [], relies = [] }: Names): void => {
      for (const name of changes) changed.add(name)
      for (const name of relies) relied.set(name, (relied.get(name) ?? 0) + 1)
    },
    remove: ({ changes = [], relies = [] }: Names): void => {
      for (const name of changes) changed.delete(name)
      for (const name of relies) {
        const others = (relied.get(name) ?? 0) - 1
        if (others > 0) relied.set(name, others)
        else relied.delete(name)
      }
    },
  }
}

/** Verbs that share no name run at the same time; what is counted is of one batch. */
const byNames = (maxTogether: number): Batching<Verb<unknown, unknown>> => {
  const running = createNamed()
  const counted = new Set<string>()
  return {
    maxBatches,
    take: (waiting) => {
      // One that is left comes before later ones that name the same, so that none waits for ever.
      const passedBy = createNamed()
      const counts: Array<string> = []
      let taken = 0
      const isTaken = waiting.map(({ names }) => {
        const isCounted = names.counts?.some((name) => counted.has(name)) ?? false
        if (taken >= maxTogether || isCounted || !running.permits(names) || !passedBy.permits(names)) {
          passedBy.add(names)
          return false
        }
        taken += 1
        running.add(names)
        counts.push(...(names.counts ?? []))
        return true
      })
      for (const name of counts) counted.add(name)
      return isTaken
    },
    release: (batch) => {
      for (const { names } of batch) {
        running.remove(names)
        for (const name of names.counts ?? []) counted.delete(name)
      }
    },
  }
}

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
  const runTogether = createQueue<Verb<unknown, unknown>, unknown, unknown>(
    createTransact(connections, health, confirmOnce),
    byNames(maxTogether),
  )
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
    write: <Failure, Refusal, Result>(made: TE.TaskEither<Failure, Verb<Refusal, Result>>) =>
      track(async (): Promise<E.Either<Failure | Refusal | Unavailable, Result>> => {
        const verb = await made()
        // The answer is that of this verb.
        return E.isLeft(verb) ? verb : ((await runTogether(verb.right)()) as E.Either<Refusal | Unavailable, Result>)
      }),
    settle: ask((query) => query(settle)),
    confirmReads: track(confirmTogether(undefined)),
    checkWrites: health.check,
    close: async () => {
      await end()
      await connections.close()
    },
  }
}
