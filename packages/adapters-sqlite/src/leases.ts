import type { Leases } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { WriteQueue } from './write-queue.js'

const acquire = `
INSERT INTO leases (name, holder, until) VALUES (@name, @holder, @until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= @at`
const release = 'DELETE FROM leases WHERE name = ? AND holder = ?'
const forgetEnded = 'DELETE FROM leases WHERE name IN (SELECT name FROM leases WHERE until <= ? LIMIT 20)'

/** For a process that owns the file alone: existing leases belong to processes that have ended. */
export const endLeases = (db: Database.Database): void => {
  // Without the condition, SQLite writes to the file even if there is no row.
  db.exec('DELETE FROM leases WHERE true')
}

export const createLeases = (db: Database.Database, queue: WriteQueue): Leases => {
  const acquiring = db.prepare(acquire)
  const releasing = db.prepare(release)
  const dropExpired = db.prepare(forgetEnded)
  return {
    acquireLease: (lease, at) =>
      queue.write(() => {
        const { changes } = acquiring.run({ ...lease, at })
        dropExpired.run(at)
        return E.right(changes === 1)
      }),
    releaseLease: (name, holder) => queue.write(() => E.right(void releasing.run(name, holder))),
  }
}
