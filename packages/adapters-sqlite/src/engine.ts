// The engine of SQLite: group commit, and reads of one turn together.
import {
  type Engine,
  type Verb,
  type WriteHealth,
  createOperations,
  createWriteHealth,
  rowOf,
} from '@clientele/adapters-sql'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { Commit } from '@clientele/domain/ports'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { codeOf, isBusy, reasonOfFailure } from './failures.js'
import { type CountingTx, createTx, prepareOnce } from './tx.js'

const maxWaiting = 10_000
const maxTogether = 512
/** Milliseconds to wait for the write lock; the pause between two tries. */
const patience = 2_000
const pause = 20

type EngineOptions = {
  /** Called when the outcome of a commit is unknown: the process must end then. */
  readonly onFatal: (reason: unknown) => void
  readonly onCommit?: ((commit: Commit) => void) | undefined
  readonly health?: WriteHealth
}

/** A write until it is answered: `run` throws to be undone, and may run again. */
type Write = {
  readonly run: (tx: CountingTx) => Promise<void> | void
  readonly settle: () => void
  readonly fail: (detail: unknown) => void
}

/**
 * Writes that arrive during a commit share the next one, and are answered when it is on disk. If one of them throws, nothing
 * of its commit stays, and they are run again in two halves, so that it fails alone in the end.
 */
const createWrites = (
  db: Database.Database,
  newTx: () => CountingTx,
  { onFatal, onCommit = () => undefined, health = createWriteHealth() }: EngineOptions,
): ((write: Write) => void) => {
  // SQLite must not wait for a lock, because that blocks the event loop: the writes wait here.
  db.pragma('busy_timeout = 0')
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const rowsChanged = db.prepare('SELECT total_changes()').pluck()
  const waiting: Array<Write> = []
  /** Writes that are run again, which come first. */
  const again: Array<ReadonlyArray<Write>> = []
  let isWorking: boolean = false
  let busySince: number | undefined = undefined
  let changes = rowsChanged.get()

  const fail = (writes: ReadonlyArray<Write>, error: unknown): void => {
    const reason = reasonOfFailure(error)
    if (reason !== undefined) health.failed(reason, error)
    for (const write of writes) write.fail(error)
  }

  const hasBegun = (): boolean => {
    try {
      begin.run()
      busySince = undefined
      return true
    } catch (error) {
      busySince ??= performance.now()
      if (!isBusy(error) || performance.now() - busySince > patience) {
        busySince = undefined
        fail([...again.splice(0).flat(), ...waiting.splice(0)], error)
      }
      return false
    }
  }

  const runTogether = async (writes: ReadonlyArray<Write>): Promise<void> => {
    let isCommitting: boolean = false
    try {
      const tx = newTx()
      for (const write of writes) await write.run(tx)
      isCommitting = true
      const beganAt = performance.now()
      commit.run()
      const seconds = (performance.now() - beganAt) / 1000
      // A commit that changed nothing says nothing of the disk.
      if (changes !== rowsChanged.get()) health.succeeded()
      changes = rowsChanged.get()
      for (const write of writes) write.settle()
      onCommit({ writes: writes.length, seconds })
    } catch (error) {
      if (db.inTransaction) rollback.run()
      if (!isCommitting && writes.length > 1) {
        const half = Math.ceil(writes.length / 2)
        return void again.unshift(writes.slice(0, half), writes.slice(half))
      }
      fail(writes, error)
      // After a failed sync, the commit may or may not be on disk: the next start reads which.
      if (isCommitting && codeOf(error).startsWith('SQLITE_IOERR')) onFatal(error)
    }
  }

  const workLater = (): void => void work()
  const work = async (): Promise<void> => {
    if (hasBegun()) await runTogether(again.shift() ?? waiting.splice(0, maxTogether))
    isWorking = waiting.length > 0 || again.length > 0
    if (isWorking && busySince === undefined) setImmediate(workLater)
    else if (isWorking) setTimeout(workLater, pause)
  }

  return (write) => {
    if (waiting.length >= maxWaiting) return write.fail('too many writes wait already')
    waiting.push(write)
    if (!isWorking) setImmediate(workLater)
    isWorking = true
  }
}

/** Errors of SQLite become values. */
type ReadTogether = <Result>(read: () => Result) => TaskEither<Unavailable, Result>

/**
 * Reads of one turn of the event loop share a transaction, because SQLite locks and unlocks its log for each transaction: this
 * takes longer than most reads. It begins after they were called, so that each sees every earlier commit.
 */
export const createReadTogether = (db: Database.Database): ReadTogether => {
  type Waiting = { readonly run: () => void; readonly fail: (error: unknown) => void }
  let waiting: Array<Waiting> = []
  const inTransaction = db.transaction((reads: ReadonlyArray<Waiting>) => {
    for (const read of reads) read.run()
  })

  const work = (): void => {
    // A batch of writes is still open.
    if (db.inTransaction) return void setImmediate(work)
    const reads = waiting
    waiting = []
    if (reads.length === 1) return reads[0]?.run()
    try {
      inTransaction(reads)
    } catch (error) {
      // The transaction did not begin. After a commit that failed, all are answered already.
      for (const read of reads) read.fail(error)
    }
  }

  return (read) => () =>
    new Promise((resolve) => {
      const fail = (error: unknown): void => resolve(E.left(unavailable(error)))
      waiting.push({ run: () => resolve(E.tryCatch(read, unavailable)), fail })
      if (waiting.length === 1) setImmediate(work)
    })
}

/** A verb that refused after it had written. */
class Undone extends Error {}

/** An opened database, and the ways to its rows. */
export type Connection = Engine & {
  readonly db: Database.Database
  readonly read: ReadTogether
  /** Runs with the verbs of a commit, and again if another one throws: it changes nothing but the store. */
  readonly writeNow: <Refusal, Result>(run: RunInTx<Refusal, Result>) => TaskEither<Refusal | Unavailable, Result>
  /** Resolves when all writes are answered; later ones are refused. */
  readonly end: () => Promise<void>
}

type RunInTx<Refusal, Result> = (tx: CountingTx) => E.Either<Refusal, Result> | Promise<E.Either<Refusal, Result>>

export const connectionTo = (db: Database.Database, options: EngineOptions): Connection => {
  const ofWrites = prepareOnce(db)
  const add = createWrites(db, () => createTx(ofWrites), options)
  const read = createReadTogether(db)
  const { reading } = prepareOnce(db)
  const { track, end } = createOperations()
  const write =
    <Refusal, Result>(run: RunInTx<Refusal, Result>): TaskEither<Refusal | Unavailable, Result> =>
    () =>
      new Promise<E.Either<Refusal | Unavailable, Result>>((resolve) => {
        const ran: { outcome?: E.Either<Refusal, Result> } = {}
        const fail = (detail: unknown): void =>
          resolve(detail instanceof Undone && ran.outcome !== undefined ? ran.outcome : E.left(unavailable(detail)))
        add({
          run: async (tx) => {
            const before = tx.written()
            ran.outcome = await run(tx)
            if (E.isLeft(ran.outcome) && tx.written() !== before)
              throw new Undone('the verb refused after it had written')
          },
          settle: () => (ran.outcome === undefined ? fail('the write did not run') : resolve(ran.outcome)),
          fail,
        })
      })
  return {
    db,
    read,
    end,
    writeNow: (run) => track(write(run)),
    // A commit is on disk before anything reads it: by this connection, or by the checkpoint of its opening.
    confirmReads: TE.right(undefined),
    write: <Failure, Refusal, Result>(made: TaskEither<Failure, Verb<Refusal, Result>>) =>
      track(async (): Promise<E.Either<Failure | Refusal | Unavailable, Result>> => {
        const verb = await made()
        return E.isLeft(verb) ? verb : write(verb.right.run)()
      }),
    // Its one writer writes the ordinals in their order.
    settle: TE.right(undefined),
    get: (statement, values) =>
      read(() => {
        const row = reading(statement).get(values)
        return row === undefined ? undefined : rowOf(statement, row)
      }),
    all: (statement, values) =>
      read(() =>
        reading(statement)
          .all(values)
          .map((row) => rowOf(statement, row)),
      ),
  }
}
