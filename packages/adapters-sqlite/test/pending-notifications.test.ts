import { secondsAfter } from '@clientele/domain/kernel'
import { done, exampleNotification, exampleTime, refused, noRow } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { ended, signIn } from './support/signed-in.js'
import { inFolder, opened } from './support/temporary-store.js'

const pendingNotifications = suite('the pending notifications in SQLite')

const at = (seconds: number) => secondsAfter(exampleTime, seconds)
const notifications = ['first', 'spoilt', 'last'].map((id, index) => ({
  ...exampleNotification(id, id === 'spoilt' ? 'b' : 'a'),
  created_at: at(index),
}))
const entries = notifications.map((notification) => ({
  ...notification,
  attempts: 0,
  due_at: notification.created_at,
  failed: false,
  note: '',
}))
const [first, , last] = entries
const endedLate = { ...ended, notifications }
const holder = 'instance'
const claim = { holder, until: at(1_000) }

const spoilt: Readonly<Record<string, string>> = {
  'a sub that is none': "UPDATE notifications SET sub = 'Zoë' WHERE id = 'spoilt'",
  'an empty sid': "UPDATE notifications SET sid = '' WHERE id = 'spoilt'",
  'a time before time': "UPDATE notifications SET due_at = -1 WHERE id = 'spoilt'",
  'a beginning before time': "UPDATE notifications SET created_at = -1 WHERE id = 'spoilt'",
  'a time beyond all times': "UPDATE notifications SET created_at = 9007199254740993 WHERE id = 'spoilt'",
  'a client of no id': "UPDATE clients SET client_id = 'no id, Zoë' WHERE client_id = 'b'",
}

for (const [what, statement] of Object.entries(spoilt))
  pendingNotifications(
    `a notice with ${what} is left out, and the others are due, listed and tried`,
    inFolder(async (file) => {
      const store = await opened(file)
      await signIn(store)
      await done(store.sessionTermination.endSession(endedLate, noRow))
      const { claimDue, listNotifications, nextDue, recordTries, retryNotifications, purgeNotifications } =
        store.pendingNotifications
      assert.equal(await done(listNotifications(100)), entries)
      assert.is(
        beside(file, (db) => db.prepare(statement).run().changes),
        1,
      )
      for (const each of [
        claimDue(at(100), claim, 100),
        claimDue(at(100), claim, 2),
        listNotifications(100),
        listNotifications(2),
      ])
        assert.equal(await done(each), [first, last])
      for (const each of [claimDue(at(100), claim, 1), listNotifications(1)]) assert.equal(await done(each), [first])
      await done(recordTries(holder, [{ id: 'first', kind: 'delivered' }]))
      assert.equal(await done(nextDue(at(100), holder)), O.some(at(2)))
      assert.equal(await done(listNotifications(100)), [last])
      await done(recordTries(holder, [{ id: 'last', kind: 'delivered' }]))
      assert.equal(await done(nextDue(at(100), holder)), O.none)
      assert.equal(await done(claimDue(at(100), claim, 1)), [])
      assert.is(await done(retryNotifications(O.none, at(100), noRow)), 0)
      if (!what.includes('beyond')) assert.is(await done(purgeNotifications(at(100))), 1)
      await store.close()
    }),
  )

pendingNotifications(
  'many that cannot be read never fill the room of one that can be',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    const many = Array.from({ length: 500 }, (_, index) => exampleNotification(`spoilt ${index}`, 'b'))
    const good = { ...exampleNotification('good', 'a'), created_at: at(1) }
    await done(store.sessionTermination.endSession({ ...ended, notifications: [...many, good] }, noRow))
    beside(file, (db) => db.exec("UPDATE notifications SET sub = '' WHERE id <> 'good'"))
    const entry = { ...good, attempts: 0, due_at: at(1), failed: false, note: '' }
    assert.equal(await done(store.pendingNotifications.claimDue(at(1), claim, 10)), [entry])
    assert.equal(await done(store.pendingNotifications.listNotifications(10)), [entry])
    assert.equal(await done(store.pendingNotifications.nextDue(at(1), holder)), O.some(at(1)))
    await store.close()
  }),
)

pendingNotifications(
  'what is owed, with what has become of it, is there after the store was closed and opened again',
  inFolder(async (file) => {
    const before = await opened(file)
    await signIn(before)
    await done(before.sessionTermination.endSession(endedLate, noRow))
    const tried = { id: 'first', kind: 'failed', attempts: 9, due_at: at(5), note: 'the status was 400' } as const
    await done(before.pendingNotifications.claimDue(at(0), claim, 1))
    await done(before.pendingNotifications.recordTries(holder, [tried]))
    const listed = await done(before.pendingNotifications.listNotifications(100))
    await before.close()
    const store = await opened(file)
    assert.equal(await done(store.pendingNotifications.listNotifications(100)), listed)
    assert.equal(await done(store.pendingNotifications.nextDue(at(1), holder)), O.some(at(1)))
    await store.close()
  }),
)

pendingNotifications(
  'of tries of which one cannot be written none is, and the notices are as they were',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    await done(store.sessionTermination.endSession(endedLate, noRow))
    const { claimDue, recordTries, listNotifications } = store.pendingNotifications
    await done(claimDue(at(100), claim, 3))
    beside(file, (db) =>
      db.exec("CREATE TRIGGER no BEFORE UPDATE ON notifications BEGIN SELECT RAISE(FAIL, 'no'); END"),
    )
    const later = { id: 'last', kind: 'later', attempts: 1, due_at: at(60), note: 'no answer' } as const
    const refusal = await refused(recordTries(holder, [{ id: 'first', kind: 'delivered' }, later]))
    assert.is(refusal.error, 'unavailable')
    assert.equal(await done(listNotifications(100)), entries)
    await store.close()
  }),
)

pendingNotifications.run()
