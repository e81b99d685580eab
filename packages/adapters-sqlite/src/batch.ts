import type { Commit } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { codeOf } from './store-refusal.js'

/** A pending write: run in the transaction, then notified whether it is on disk. */
export type Write = {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (detail: unknown) => void
}

export type Batches = {
  /** Takes the write lock, or returns the error. */
  readonly begin: () => E.Either<unknown, void>
  /**
   * Runs the writes and commits them together; each is settled or failed once, except for the returned ones: nothing of
   * them is written, because another process has the write lock. A write may run twice.
   */
  readonly commit: (writes: ReadonlyArray<Write>) => ReadonlyArray<Write>
}

// After a failed sync, the commit may or may not be on disk: the next start reads which.
const isUnknownOutcome = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_IOERR')

type Statements = Readonly<
  Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'undo', Database.Statement>
>

const prepare = (db: Database.Database): Statements => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
  savepoint: db.prepare('SAVEPOINT one'),
  release: db.prepare('RELEASE one'),
  undo: db.prepare('ROLLBACK TO one'),
})

// Without a savepoint for each write, in which SQLite copies every page that the write changes. If a write throws, all of
// them are undone.
const runTogether = (db: Database.Database, { rollback }: Statements, writes: ReadonlyArray<Write>): boolean => {
  try {
    for (const write of writes) write.run()
    return true
  } catch {
    if (db.inTransaction) rollback.run()
    return false
  }
}

// A write that throws is undone, without effect on the others.
const runOne = (db: Database.Database, statements: Statements, write: Write): ReadonlyArray<Write> => {
  statements.savepoint.run()
  try {
    write.run()
    return [write]
  } catch (error) {
    // A full disk undoes the whole transaction, savepoints included.
    if (!db.inTransaction) throw error
    statements.undo.run()
    write.fail(error)
    return []
  } finally {
    if (db.inTransaction) statements.release.run()
  }
}

const begin = (statements: Statements): E.Either<unknown, void> =>
  E.tryCatch(
    () => void statements.begin.run(),
    (error) => error,
  )

/** The writes that ran and are to be committed; undefined if another process took the write lock in between. */
const runAll = (
  db: Database.Database,
  statements: Statements,
  writes: ReadonlyArray<Write>,
): ReadonlyArray<Write> | undefined => {
  if (runTogether(db, statements, writes)) return writes
  return E.isLeft(begin(statements)) ? undefined : writes.flatMap((write) => runOne(db, statements, write))
}

/** Calls onFatal when the outcome of a commit is unknown: the process must end then. */
export const createBatches = (
  db: Database.Database,
  onFatal: (reason: unknown) => void,
  onCommit: (commit: Commit) => void = () => undefined,
): Batches => {
  // SQLite must not wait for a lock, because that blocks the event loop; the write queue tries again.
  db.pragma('busy_timeout = 0')
  const statements = prepare(db)
  return {
    begin: () => begin(statements),
    commit: (writes) => {
      let committing = false
      try {
        const done = runAll(db, statements, writes)
        if (done === undefined) return writes
        committing = true
        const beganAt = performance.now()
        statements.commit.run()
        const seconds = (performance.now() - beganAt) / 1000
        for (const write of done) write.settle()
        onCommit({ writes: done.length, seconds })
      } catch (error) {
        if (db.inTransaction) statements.rollback.run()
        for (const write of writes) write.fail(error)
        if (committing && isUnknownOutcome(error)) onFatal(error)
      }
      return []
    },
  }
}
