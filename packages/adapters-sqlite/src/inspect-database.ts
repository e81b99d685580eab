import type { StoreRefusal } from '@clientele/domain/ports'
import Database from 'better-sqlite3'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { statSync } from 'node:fs'
import { schemaDifferences } from './schema-differences.js'
import { onFile } from './failures.js'

export type InspectedDatabase = {
  readonly journal_mode: string
  /** The size of the write-ahead log. */
  readonly log_bytes: number
  /** What its schema has, lacks or has otherwise than that of this version, in words. */
  readonly differences: ReadonlyArray<string>
}

/** What another process can tell of a database, beside a running service. */
export const inspectDatabase = (file: string): TE.TaskEither<StoreRefusal, InspectedDatabase> =>
  onFile(file)(() => {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      return {
        journal_mode: String(db.pragma('journal_mode', { simple: true })),
        log_bytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        differences: schemaDifferences(db),
      }
    } finally {
      db.close()
    }
  })
