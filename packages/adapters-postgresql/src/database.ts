// A database: the engine of the store, and what its opening asks. Verbs that arrive together run in one transaction, and are
// answered when it is committed; what failed for a reason that passes is run again.
import {
  type Engine,
  type Names,
  type ParameterTypes,
  type Statement,
  type Values,
  type Verb,
  createOperations,
  createWriteHealth,
  rowOf,
} from '@clientele/adapters-sql'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
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
  isStorable,
  repeat,
} from './connections.js'
import { isAborted } from './failures.js'
import { nameOf } from './hosts.js'
import { type Row, rowsOfCalls, textsOf } from './loader.js'
import { commit, createTransact, rollback, settle } from './transact.js'

// Requests that arrive together go to the database together: those that arrive while a batch is under way form the next.

const maxWaiting = 10_000
/**
 * Milliseconds: after a batch to which the database did not answer, those that have waited for longer are refused with
 * it, so that their wait and that of their own batch do not add up.
 */
const maxWaitForNothing = 1_000

/** Which items run together, and how many batches at the same time. */
type Batching<Item> = {
  readonly maxBatches: number
  /** Whether each of these items is of the next batch. */
  readonly take: (waiting: ReadonlyArray<Item>) => ReadonlyArray<boolean>
  /** The items of a batch that is over. */
  readonly release: (batch: ReadonlyArray<Item>) => void
}

/** One batch at a time, of the items that arrived first. */
const inTurn = (maxTogether: number): Batching<unknown> => ({
  maxBatches: 1,
  take: (waiting) => waiting.map((_, place) => place < maxTogether),
  release: () => undefined,
})

const isUnavailable = (outcome: E.Either<unknown, unknown>): boolean =>
  E.isLeft(outcome) &&
  typeof outcome.left === 'object' &&
  outcome.left !== null &&
  'error' in outcome.left &&
  outcome.left.error === 'unavailable'

/** `run` returns one outcome for each item of a batch. */
const createQueue = <Item, Failure, Result>(
  run: (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<E.Either<Failure | Unavailable, Result>>>,
  { maxBatches, take, release }: Batching<Item>,
): ((item: Item) => TE.TaskEither<Failure | Unavailable, Result>) => {
  type Outcome = E.Either<Failure | Unavailable, Result>
  type Waiting = { readonly item: Item; readonly since: number; readonly resolve: (outcome: Outcome) => void }
  let waiting: Array<Waiting> = []
  let batches = 0
  let isScheduled = false

  const refuseLongWaiting = (outcome: Outcome): void => {
    const latest = performance.now() - maxWaitForNothing
    for (const { since, resolve } of waiting) if (since < latest) resolve(outcome)
    waiting = waiting.filter(({ since }) => since >= latest)
  }
  const work = async (): Promise<void> => {
    isScheduled = false
    const isTaken = take(waiting.map(({ item }) => item))
    const batch = waiting.filter((_, place) => isTaken[place])
    if (batch.length === 0) return
    waiting = waiting.filter((_, place) => !isTaken[place])
    batches += 1
    schedule()
    const items = batch.map(({ item }) => item)
    const outcomes = await run(items).catch((error: unknown) => items.map(() => E.left(unavailable(error))))
    batches -= 1
    release(items)
    batch.forEach(({ resolve }, place) =>
      resolve(outcomes[place] ?? E.left(unavailable('a batch returned no outcome'))),
    )
    const [first] = outcomes
    if (first !== undefined && outcomes.every(isUnavailable)) refuseLongWaiting(first)
    schedule()
  }
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || batches >= maxBatches) return
    isScheduled = true
    setImmediate(() => void work())
  }
  return (item) => () =>
    new Promise((resolve) => {
      if (waiting.length >= maxWaiting) return resolve(E.left(unavailable('too many requests wait for the database')))
      waiting.push({ item, since: performance.now(), resolve })
      schedule()
    })
}

type Ask = <Result>(work: (query: Query) => Promise<Result>) => TE.TaskEither<Unavailable, Result>
type Look = (values: Row) => TE.TaskEither<Unavailable, ReadonlyArray<Row>>

/** Reads of one turn that have one statement go to the database together. */
const createReads = (ask: Ask, maxTogether: number): Engine['all'] => {
  const looks = new Map<Statement['texts'], Look>()
  const lookOf = (statement: Statement): Look => {
    const rowsOf = (calls: ReadonlyArray<Row>) => ask((query) => rowsOfCalls(query, statement, calls))
    if (textsOf(statement).together === undefined)
      return (values) =>
        pipe(
          rowsOf([values]),
          TE.map(([rows = []]) => rows),
        )
    return createQueue<Row, never, ReadonlyArray<Row>>(async (calls) => {
      const rows = await rowsOf(calls)()
      return E.isLeft(rows) ? calls.map(() => rows) : rows.right.map((each) => E.right(each))
    }, inTurn(maxTogether))
  }
  return <Types extends ParameterTypes, Row>(statement: Statement<Types, Row>, values: Values<Types>) => {
    // Nothing is found by text that cannot be stored.
    if (!Object.keys(statement.types).every((name) => isStorable(values[name]))) return TE.right([])
    const look = looks.get(statement.texts) ?? lookOf(statement)
    looks.set(statement.texts, look)
    return pipe(
      look({ ...values }),
      TE.flatMapEither((rows) => E.tryCatch(() => rows.map((row) => rowOf(statement, row)), unavailable)),
    )
  }
}

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
  ) => TE.TaskEither<Unavailable, E.Either<Refusal, Result>>
  /** Whether the last writes succeeded. */
  readonly checkWrites: () => E.Either<Unavailable, void>
  readonly close: () => Promise<void>
}

// As the transactions of verbs begin.
const begin = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' }

const transact = async <Refusal, Result>(
  connections: Connections,
  work: (query: Query) => Promise<E.Either<Refusal, Result>>,
): Promise<Outcome<E.Either<Refusal, Result>>> => {
  const progress = { commits: false }
  const outcome = await connections.run(async (query) => {
    await query(begin)
    const result = await work(query).catch(async (error: unknown) => {
      if (isAborted(error)) await query(rollback)
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
    transaction: (work, limit) => track(() => repeat(() => transact(connections, work), deadlinesFromNow(limit))),
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
