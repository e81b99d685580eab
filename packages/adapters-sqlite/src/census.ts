import type { Census, StoredCounts } from '@clientele/domain'
import { fromCountedRows, fromCountsRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { statSync } from 'node:fs'
import type { Connection } from './connection.js'

const selectClients = `
SELECT ordinal, suspended_at, used_at, unused_open FROM clients
WHERE ordinal > ? ORDER BY ordinal LIMIT ?`
const upTo = (from: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT @max))`
const selectCounts = `
SELECT ${upTo('initial_access_tokens WHERE expires_at > @at')} AS tokens,
  ${upTo('end_user_sessions WHERE over_at > @at')} AS sessions,
  ${upTo('logout_notices WHERE failed = 0')} AS waiting,
  ${upTo('logout_notices WHERE failed = 1')} AS failed,
  (SELECT min(created_at) FROM logout_notices) AS oldest`

// The log is there while the database is open; a file that is gone has no octets.
const sizeOf = (db: Database.Database): StoredCounts['size'] => ({
  database: Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
  log: statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
})

export const createCensus = ({ db, read }: Connection): Census => {
  const clients = db.prepare<[number, number]>(selectClients)
  const counts = db.prepare(selectCounts)
  return {
    countClients: (after, max) =>
      pipe(
        read(() => clients.all(after, max)),
        TE.flatMapEither(fromCountedRows(max)),
      ),
    countOthers: (at, max) =>
      pipe(
        read(() => ({ row: counts.get({ at, max }), size: sizeOf(db) })),
        TE.flatMapEither(({ row, size }) =>
          pipe(
            fromCountsRow(row),
            E.map((counted) => ({ ...counted, size })),
          ),
        ),
      ),
  }
}
