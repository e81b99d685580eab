// Claims on due notifications, of which the store reads no more than it needs.
import { secondsAfter } from '@clientele/domain/kernel'
import type { Store } from '@clientele/domain/ports'
import {
  done,
  endOf,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleTime,
  addition,
  noRow,
} from '@clientele/testing'
import { Client } from 'pg'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { numbers } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

/** Until a statement on the database waits for a lock. */
const untilWaiting = async (url: string): Promise<void> => {
  const count = `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  for (const deadline = Date.now() + 2_000; Date.now() < deadline; await setTimeout(10)) {
    const [row] = await query(url, count)
    if (row?.['waiting'] !== 0) return
  }
  throw new Error('no statement waits for a lock')
}

const tests = postgresqlSuite('claims on due notifications')

/** A store on the database, with notifications to `to-0`, `to-1` and so on, due at the time of the examples. */
const notified = async (url: string, count: number): Promise<Store> => {
  const store = await opened(url)
  await done(store.registry.addClient(addition(exampleClient('a'))))
  const session = exampleSession('one', ['a'])
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
  const notifications = numbers(count).map((index) => exampleNotification(`to-${index}`, 'a'))
  await done(store.sessionTermination.endSession(endOf(session, { notifications }), noRow))
  return store
}

tests('unreadable notifications do not block the readable ones after them', async (server) => {
  const url = await newStore(server)
  const store = await notified(url, 9)
  await query(url, `UPDATE notifications SET note = 'not JSON' WHERE id = ANY ($1)`, [['to-0', 'to-1', 'to-2', 'to-4']])
  const at = secondsAfter(exampleTime, 1)
  const claim = { holder: 'one', until: secondsAfter(exampleTime, 60) }
  const claimed = async (max: number) =>
    (await done(store.pendingNotifications.claimDue(at, claim, max))).map(({ id }) => id)
  assert.equal(await claimed(2), ['to-3', 'to-5'])
  assert.equal(await claimed(0), [])
  assert.equal(await claimed(20), ['to-3', 'to-5', 'to-6', 'to-7', 'to-8'])
  await store.close()
})

// The claim of the earlier holder has ended, and its attempt is recorded just before another one claims.
tests('a notification is not claimed that an attempt has made due later at the same moment', async (server) => {
  const url = await newStore(server)
  const store = await notified(url, 2)
  const { claimDue, listNotifications } = store.pendingNotifications
  const recording = new Client({ connectionString: url })
  await recording.connect()
  await recording.query(
    `BEGIN; UPDATE notifications SET attempts = 1, due_at = due_at + 100, claimed_by = NULL WHERE id = 'to-0'`,
  )
  const claiming = claimDue(exampleTime, { holder: 'other', until: secondsAfter(exampleTime, 60) }, 5)()
  await untilWaiting(url)
  await recording.query('COMMIT')
  await recording.end()
  const claimed = await done(() => claiming)
  assert.equal(
    claimed.map(({ id }) => id),
    ['to-1'],
  )
  assert.equal(await query(url, 'SELECT id, claimed_by FROM notifications ORDER BY id'), [
    { id: 'to-0', claimed_by: null },
    { id: 'to-1', claimed_by: 'other' },
  ])
  assert.is((await done(listNotifications(5))).length, 2)
  await store.close()
})

tests.run()
