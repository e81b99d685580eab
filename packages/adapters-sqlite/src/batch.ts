import type { Commit } from '@clientele/domain'
import { type WriteHealth, createWriteHealth } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { codeOf } from './store-refusal.js'

/** Why no write succeeds, by the codes of SQLite; undefined for a reason that passes, or of one write alone. */
const reasonOfFailure = (error: unknown): string | undefined => {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_FULL')) return 'the disk of the database is full: free some space'
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code))
    return 'the database cannot be written: mount its file system for writing, and run the service as the user of its files'
  return code.startsWith('SQLITE_IOERR') ? 'the disk of the database fails: see the log' : undefined
}

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
const runOne = (
  db: Database.Database,
  statements: Statements,
  write: Write,
  failed: (error: unknown) => void,
): ReadonlyArray<Write> => {
  statements.savepoint.run()
  try {
    write.run()
    return [write]
  } catch (error) {
    // A full disk undoes the whole transaction, savepoints included.
    if (!db.inTransaction) throw error
    statements.undo.run()
    failed(error)
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
  failed: (error: unknown) => void,
): ReadonlyArray<Write> | undefined => {
  if (runTogether(db, statements, writes)) return writes
  return E.isLeft(begin(statements)) ? undefined : writes.flatMap((write) => runOne(db, statements, write, failed))
}

/** Calls onFatal when the outcome of a commit is unknown: the process must end then. */
export const createBatches = (
  db: Database.Database,
  onFatal: (reason: unknown) => void,
  onCommit: (commit: Commit) => void = () => undefined,
  health: WriteHealth = createWriteHealth(),
): Batches => {
  // SQLite must not wait for a lock, because that blocks the event loop; the write queue tries again.
  db.pragma('busy_timeout = 0')
  const statements = prepare(db)
  const rowsChanged = db.prepare('SELECT total_changes()').pluck()
  const noted = { changes: rowsChanged.get() }
  const failed = (error: unknown): void => {
    const reason = reasonOfFailure(error)
    if (reason !== undefined) health.failed(reason, error)
  }
  // A commit that changed nothing says nothing of the disk.
  const committed = (): void => {
    const changes = rowsChanged.get()
    if (changes !== noted.changes) health.succeeded()
    noted.changes = changes
  }
  return {
    begin: () => {
      const begun = begin(statements)
      if (E.isLeft(begun)) failed(begun.left)
      return begun
    },
    commit: (writes) => {
      let committing = false
      try {
        const done = runAll(db, statements, writes, failed)
        if (done === undefined) return writes
        committing = true
        const beganAt = performance.now()
        statements.commit.run()
        const seconds = (performance.now() - beganAt) / 1000
        committed()
        for (const write of done) write.settle()
        onCommit({ writes: done.length, seconds })
      } catch (error) {
        if (db.inTransaction) statements.rollback.run()
        failed(error)
        for (const write of writes) write.fail(error)
        if (committing && isUnknownOutcome(error)) onFatal(error)
      }
      return []
    },
  }
}
