// Reads of one turn of the event loop share a transaction, because SQLite locks and unlocks its log for each transaction:
// this takes longer than most reads.
import { type Unavailable, unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** Errors of SQLite become values. The transaction begins after its reads were called, so that each sees every earlier commit. */
export type ReadTogether = <Result>(read: () => Result) => TaskEither<Unavailable, Result>

type Waiting = { readonly run: () => void; readonly fail: (error: unknown) => void }

export const createReadTogether = (db: Database.Database): ReadTogether => {
  let waiting: Array<Waiting> = []
  const inTransaction = db.transaction((reads: ReadonlyArray<Waiting>) => {
    for (const read of reads) read.run()
  })

  const work = (): void => {
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
