// Reads and writes of the store: each is one statement or one transaction, and is run again where that is right.
import type { ConfirmReads, Unavailable } from '@clientele/domain'
import { type WriteHealth, createOperations, createWriteHealth } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type ConnectionOptions,
  type Connections,
  type Outcome,
  type Query,
  type Rows,
  type Statement,
  type Values,
  createConnections,
} from './connections.js'
import { reasonOfDisk, verdictOf } from './failures.js'
import { createLane } from './lane.js'
import { type Ask, deadlinesFromNow, repeat } from './repeat.js'
import { findable } from './storable-text.js'

export type { Query, Rows, Statement, Values } from './connections.js'

export type Write<Refusal, Result> = {
  /** A Left undoes the transaction. */
  readonly run: (query: Query) => Promise<E.Either<Refusal, Result>>
  /**
   * The result, if the write is in the database: asked where a commit may have been lost with its connection. Left out
   * where running the write again has the same result.
   */
  readonly isDone?: (query: Query) => Promise<O.Option<Result>>
  /** Whether it writes nothing, so that its success does not say that there is room. */
  readonly isRead?: boolean
  /** The refusal of which an error is the sign, for example a violated constraint. */
  readonly refusalOf?: (error: unknown) => Refusal | undefined
}

export type DatabaseOptions = ConnectionOptions & {
  /** The maximum number of registrations, or look-ups, that share a statement; 256 by default. */
  readonly maxTogether?: number
}

export type Database = ConfirmReads & {
  /** The maximum number of registrations, or look-ups, that share a statement. */
  readonly maxTogether: number
  /** For messages: without user and password. */
  readonly name: string
  /**
   * One statement, which may be run again after an error of the connection, for the milliseconds of the limit: a read, or
   * a write of the same effect. Nothing is found by text that cannot be stored.
   */
  readonly run: (statement: Statement, values?: Values, limit?: number) => TE.TaskEither<Unavailable, Rows>
  /** The first row of such a statement, if there is one. */
  readonly first: (statement: Statement, values: Values) => TE.TaskEither<Unavailable, unknown>
  /** A write of one statement, which commits by itself. */
  readonly writeOnce: <Refusal, Result>(write: Write<Refusal, Result>) => TE.TaskEither<Refusal | Unavailable, Result>
  /** A write of several statements, committed together; it may be run again for the milliseconds of the limit. */
  readonly transaction: <Refusal, Result>(
    write: Write<Refusal, Result>,
    limit?: number,
  ) => TE.TaskEither<Refusal | Unavailable, Result>
  /** Whether the last writes succeeded. */
  readonly checkWrites: () => E.Either<Unavailable, void>
  readonly close: () => Promise<void>
}

// Each statement sees what was committed before it, after the locks that it waited for; the default of a database may
// be stricter.
const begin: Statement = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' }
const commit: Statement = { name: 'commit', text: 'COMMIT' }
const rollback: Statement = { name: 'rollback', text: 'ROLLBACK' }

type Attempt<Refusal, Result> = Promise<Outcome<E.Either<Refusal, Result>>>

const transact = async <Refusal, Result>(
  connections: Connections,
  { run }: Write<Refusal, Result>,
): Attempt<Refusal, Result> => {
  const progress = { commits: false }
  const outcome = await connections.run(async (query) => {
    await query(begin)
    const result = await run(query).catch(async (error: unknown) => {
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

const neverDone = (): Promise<O.Option<never>> => Promise.resolve(O.none)

const nothingToAsk: Ask<never> = () => Promise.resolve(E.right(O.none))

// PostgreSQL, "Synchronous Replication": a server that crashes while a commit waits for the standby shows that commit
// afterwards, whether the standby has it or not. The commit of this record waits for the standby, which then has both.
// Without a synchronous standby, what is shown is on disk: crash recovery synchronizes what it reads.
const record = `
CASE WHEN current_setting('synchronous_standby_names') <> '' THEN pg_logical_emit_message(true, 'clientele', '') END`
const confirm: Statement = { name: 'confirm', text: `SELECT ${record}` }

/**
 * A removal by one statement. Where there is nothing to remove, it may have been removed before by a commit that the
 * standby lacks: that is confirmed.
 */
export const removing = (name: string, deletion: string): Statement => ({
  name,
  text: `WITH removed AS (${deletion} RETURNING 1) SELECT ${record} WHERE NOT EXISTS (SELECT 1 FROM removed)`,
})

const confirmBy = (connections: Connections, deadline: number): Promise<E.Either<Unavailable, unknown>> =>
  repeat(() => connections.run((query) => query(confirm)), nothingToAsk, deadline)

const perform =
  <Refusal, Result>(
    connections: Connections,
    health: WriteHealth,
    { isDone = neverDone, refusalOf, isRead = false }: Write<Refusal, Result>,
    attempt: () => Attempt<Refusal, Result>,
    limit?: number,
  ): TE.TaskEither<Refusal | Unavailable, Result> =>
  async () => {
    const deadlines = deadlinesFromNow(limit)
    const doubt = { arose: false, isOpen: false }
    const ask: Ask<E.Either<Refusal, Result>> = async () => {
      doubt.arose = true
      const done = await repeat(() => connections.run(isDone), nothingToAsk, deadlines.inDoubt)
      return E.map(O.map((result: Result) => E.right(result)))(done)
    }
    const refusing = async (): Attempt<Refusal, Result> => {
      const outcome = await attempt()
      const reason = E.isLeft(outcome) ? reasonOfDisk(outcome.left.error) : undefined
      if (E.isLeft(outcome) && reason !== undefined) health.failed(reason, outcome.left.error)
      if (E.isRight(outcome) && E.isRight(outcome.right) && !isRead) health.succeeded()
      doubt.isOpen = doubt.arose && !(E.isLeft(outcome) && outcome.left.verdict === 'in_doubt')
      const refusal = E.isLeft(outcome) ? refusalOf?.(outcome.left.error) : undefined
      return refusal === undefined ? outcome : E.right(E.left(refusal))
    }
    const outcome = await repeat(refusing, ask, deadlines.ofRequest)
    const answer: E.Either<Refusal | Unavailable, Result> = E.flattenW(outcome)
    if (!doubt.arose) return answer
    // A commit that took effect after it was asked for refuses its own repetition, or lets it fail.
    const asked = E.isLeft(answer) && doubt.isOpen ? await ask() : E.right(O.none)
    if (E.isLeft(asked)) return asked
    const known = O.getOrElseW(() => answer)(asked.right)
    if (E.isLeft(known)) return known
    const confirmed = await confirmBy(connections, deadlines.inDoubt)
    return E.isLeft(confirmed) ? confirmed : known
  }

/** The host, port and database of a URL. */
const nameOf = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}

const defaultMaxTogether = 256

export const createDatabase = (options: DatabaseOptions): Database => {
  const connections = createConnections(options)
  const { track, end } = createOperations()
  const health = createWriteHealth()
  const confirmTogether = createLane<undefined, never, undefined>(
    async (all) => {
      const confirmed = await confirmBy(connections, deadlinesFromNow().ofRequest)
      return all.map(() => E.map(() => undefined)(confirmed))
    },
    () => [],
    Infinity,
  )
  const run: Database['run'] = (statement, values = [], limit) => {
    const sought = findable(values)
    if (sought === undefined) return TE.right([])
    return track(() =>
      repeat(
        () => connections.run((query) => query(statement, sought)),
        nothingToAsk,
        deadlinesFromNow(limit).ofRequest,
      ),
    )
  }
  return {
    name: nameOf(options.url),
    maxTogether: options.maxTogether ?? defaultMaxTogether,
    run,
    checkWrites: health.check,
    confirmReads: track(confirmTogether(undefined)),
    first: (statement, values) =>
      pipe(
        run(statement, values),
        TE.map(([row]) => row),
      ),
    writeOnce: (write) => track(perform(connections, health, write, () => connections.run(write.run))),
    transaction: (write, limit) =>
      track(perform(connections, health, write, () => transact(connections, write), limit)),
    close: async () => {
      await end()
      await connections.close()
    },
  }
}
