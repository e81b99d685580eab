import type { StoreRefusal } from '@clientele/domain/ports'
import { reasonOf, storeRefusal } from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { chmodSync } from 'node:fs'
import { codeOf, refusalOfReadOnly } from './failures.js'

export type ServiceLock = { readonly release: () => void }

export const noLock: ServiceLock = { release: () => undefined }

// References to the locks: garbage collection would release them.
const locks = new Set<Database.Database>()

const inUse = (file: string): StoreRefusal =>
  storeRefusal('in-use', `${file} is in use by another service: stop that one, or name another data directory`)

/**
 * One service per database, by an exclusive transaction on a second file for the lifetime of the process. The operating
 * system releases it when the process ends in any way; the database itself stays readable for backups and replicas.
 */
export const lockService = (file: string): E.Either<StoreRefusal, ServiceLock> =>
  E.tryCatch(
    () => {
      const lock = new Database(`${file}.lock`, { timeout: 0 })
      try {
        chmodSync(lock.name, 0o600)
        lock.pragma('journal_mode = MEMORY')
        lock.exec('BEGIN EXCLUSIVE')
      } catch (error) {
        lock.close()
        throw error
      }
      locks.add(lock)
      return {
        release: () => {
          locks.delete(lock)
          lock.close()
        },
      }
    },
    (error) =>
      codeOf(error).startsWith('SQLITE_BUSY')
        ? inUse(file)
        : (refusalOfReadOnly(file, error) ??
          storeRefusal('unusable', `${file}.lock cannot be locked: ${reasonOf(error)}`)),
  )
