import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { codeOf } from './store-refusal.js'

/** A write that waits: run within the transaction, then told that it is on disk, or that it is not. */
export type Write = {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (detail: unknown) => void
}

export type Batches = {
  /** Takes the write lock, or tells why not. */
  readonly begin: () => E.Either<unknown, void>
  /** Runs the writes and commits them together; each is settled or failed once. */
  readonly commit: (writes: ReadonlyArray<Write>) => void
}

// A commit whose sync failed may have happened all the same: only a new start can tell.
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

// What one write throws is undone, and hurts nobody else.
const runOne = (db: Database.Database, statements: Statements, write: Write): ReadonlyArray<Write> => {
  statements.savepoint.run()
  try {
    write.run()
    return [write]
  } catch (error) {
    // Because a full disk undoes the whole transaction, there may be no savepoint left to go back to.
    if (!db.inTransaction) throw error
    statements.undo.run()
    write.fail(error)
    return []
  } finally {
    if (db.inTransaction) statements.release.run()
  }
}

/** Calls onFatal when a commit has an unknown outcome: the process must end then. */
export const createBatches = (db: Database.Database, onFatal: (reason: unknown) => void): Batches => {
  // So that no wait blocks the event loop, SQLite does not wait; the write queue tries again.
  db.pragma('busy_timeout = 0')
  const statements = prepare(db)
  return {
    begin: () =>
      E.tryCatch(
        () => void statements.begin.run(),
        (error) => error,
      ),
    commit: (writes) => {
      let committing = false
      try {
        const done = writes.flatMap((write) => runOne(db, statements, write))
        committing = true
        statements.commit.run()
        for (const write of done) write.settle()
      } catch (error) {
        if (db.inTransaction) statements.rollback.run()
        for (const write of writes) write.fail(error)
        if (committing && isUnknownOutcome(error)) onFatal(error)
      }
    },
  }
}
