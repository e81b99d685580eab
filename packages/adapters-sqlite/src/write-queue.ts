// Group commit: writes that arrive while one is under way share the next commit, and are answered once it is on disk.
import type { Unavailable } from '@clientele/domain'
import { unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { codeOf } from './store-refusal.js'

const mostWaiting = 10_000
const mostTogether = 512
const patience = 2_000
const pause = 20

type Waiting = {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (detail: unknown) => void
}

export type WriteQueue = {
  /** Runs in a transaction. A Left must come before anything is written; what throws is undone and hurts nobody else. */
  readonly write: <Refusal, Result>(
    run: () => E.Either<Refusal, Result>,
  ) => TaskEither<Refusal | Unavailable, Result>
  /** When all that was asked so far is answered. */
  readonly drained: () => Promise<void>
}

const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
// A sync that failed may have happened all the same: only a new start can tell.
const isUnknownOutcome = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_IOERR')

type Statements = Readonly<Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'undo', Database.Statement>>

const prepare = (db: Database.Database): Statements => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
  savepoint: db.prepare('SAVEPOINT one'),
  release: db.prepare('RELEASE one'),
  undo: db.prepare('ROLLBACK TO one'),
})

const runOne = (db: Database.Database, statements: Statements, one: Waiting): ReadonlyArray<Waiting> => {
  statements.savepoint.run()
  try {
    one.run()
    return [one]
  } catch (error) {
    // Because a full disk undoes the whole transaction, there may be no savepoint left to go back to.
    if (!db.inTransaction) throw error
    statements.undo.run()
    one.fail(error)
    return []
  } finally {
    if (db.inTransaction) statements.release.run()
  }
}

const rollBack = (db: Database.Database, statements: Statements): void => {
  if (db.inTransaction) statements.rollback.run()
}

const failAll = (batch: ReadonlyArray<Waiting>, error: unknown): void => {
  for (const one of batch) one.fail(error)
}

/** Calls onFatal when a commit has an unknown outcome: the process must end then. */
export const createWriteQueue = (db: Database.Database, onFatal: (reason: unknown) => void): WriteQueue => {
  const statements = prepare(db)
  const waiting: Array<Waiting> = []
  const idle: Array<() => void> = []
  let [working, busySince] = [false, 0]

  const commitTogether = (batch: ReadonlyArray<Waiting>): void => {
    try {
      const done = batch.flatMap((one) => runOne(db, statements, one))
      statements.commit.run()
      for (const one of done) one.settle()
    } catch (error) {
      rollBack(db, statements)
      failAll(batch, error)
      if (isUnknownOutcome(error)) onFatal(error)
    }
  }

  const begin = (): boolean => {
    try {
      statements.begin.run()
      busySince = 0
      return true
    } catch (error) {
      busySince ||= performance.now()
      if (isBusy(error) && performance.now() - busySince < patience) return false
      busySince = 0
      failAll(waiting.splice(0, mostTogether), error)
      return false
    }
  }

  const work = (): void => {
    if (begin()) commitTogether(waiting.splice(0, mostTogether))
    working = waiting.length > 0
    if (!working) for (const resolve of idle.splice(0)) resolve()
    else if (busySince > 0) setTimeout(work, pause)
    else setImmediate(work)
  }

  const enqueue = (one: Waiting): void => {
    waiting.push(one)
    if (working) return
    working = true
    setImmediate(work)
  }

  return {
    write: (run) => () =>
      new Promise((resolve) => {
        if (waiting.length >= mostWaiting) return resolve(E.left(unavailable('too many writes wait already')))
        const fail = (detail: unknown): void => resolve(E.left(unavailable(detail)))
        const ran: { outcome?: ReturnType<typeof run> } = {}
        enqueue({
          run: () => (ran.outcome = run()),
          settle: () => (ran.outcome === undefined ? fail('the write did not run') : resolve(ran.outcome)),
          fail,
        })
      }),
    drained: () => new Promise((resolve) => (working ? idle.push(resolve) : resolve())),
  }
}
