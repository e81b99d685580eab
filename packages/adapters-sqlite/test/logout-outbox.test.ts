import { secondsAfter } from '@clientele/domain'
import { done, exampleNotice, exampleTime, refused } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { ended, signIn } from './support/signed-in.js'
import { inFolder, opened } from './support/temporary-store.js'

const outbox = suite('the logout outbox in SQLite')

const at = (seconds: number) => secondsAfter(exampleTime, seconds)
const notices = ['first', 'spoilt', 'last'].map((id, index) => ({
  ...exampleNotice(id, id === 'spoilt' ? 'b' : 'a'),
  created_at: at(index),
}))
const entries = notices.map((notice) => ({
  ...notice,
  attempts: 0,
  due_at: notice.created_at,
  failed: false,
  note: '',
}))
const [first, , last] = entries
const endedLate = { ...ended, notices }
const holder = 'instance'
const claim = { holder, until: at(1_000) }

const spoilt: Readonly<Record<string, string>> = {
  'a sub that is none': "UPDATE logout_notices SET sub = 'Zoë' WHERE id = 'spoilt'",
  'an empty sid': "UPDATE logout_notices SET sid = '' WHERE id = 'spoilt'",
  'a time before time': "UPDATE logout_notices SET due_at = -1 WHERE id = 'spoilt'",
  'a beginning before time': "UPDATE logout_notices SET created_at = -1 WHERE id = 'spoilt'",
  'a time beyond all times': "UPDATE logout_notices SET created_at = 9007199254740993 WHERE id = 'spoilt'",
  'a client of no id': "UPDATE clients SET client_id = 'no id, Zoë' WHERE client_id = 'b'",
}

for (const [what, statement] of Object.entries(spoilt))
  outbox(
    `a notice with ${what} is left out, and the others are due, listed and tried`,
    inFolder(async (file) => {
      const store = await opened(file)
      await signIn(store)
      await done(store.logouts.endSession(endedLate))
      const { claimDue, listNotices, nextDue, recordTries, retryNotices, forgetNotices } = store.logoutOutbox
      assert.equal(await done(listNotices(100)), entries)
      assert.is(
        beside(file, (db) => db.prepare(statement).run().changes),
        1,
      )
      for (const each of [claimDue(at(100), claim, 100), claimDue(at(100), claim, 2), listNotices(100), listNotices(2)])
        assert.equal(await done(each), [first, last])
      for (const each of [claimDue(at(100), claim, 1), listNotices(1)]) assert.equal(await done(each), [first])
      await done(recordTries(holder, [{ id: 'first', kind: 'delivered' }]))
      assert.equal(await done(nextDue(at(100), holder)), O.some(at(2)))
      assert.equal(await done(listNotices(100)), [last])
      await done(recordTries(holder, [{ id: 'last', kind: 'delivered' }]))
      assert.equal(await done(nextDue(at(100), holder)), O.none)
      assert.equal(await done(claimDue(at(100), claim, 1)), [])
      assert.is(await done(retryNotices(O.none, at(100))), 0)
      if (!what.includes('beyond')) assert.is(await done(forgetNotices(at(100))), 1)
      await store.close()
    }),
  )

outbox(
  'many that cannot be read never fill the room of one that can be',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    const many = Array.from({ length: 500 }, (_, index) => exampleNotice(`spoilt ${index}`, 'b'))
    const good = { ...exampleNotice('good', 'a'), created_at: at(1) }
    await done(store.logouts.endSession({ ...ended, notices: [...many, good] }))
    beside(file, (db) => db.exec("UPDATE logout_notices SET sub = '' WHERE id <> 'good'"))
    const entry = { ...good, attempts: 0, due_at: at(1), failed: false, note: '' }
    assert.equal(await done(store.logoutOutbox.claimDue(at(1), claim, 10)), [entry])
    assert.equal(await done(store.logoutOutbox.listNotices(10)), [entry])
    assert.equal(await done(store.logoutOutbox.nextDue(at(1), holder)), O.some(at(1)))
    await store.close()
  }),
)

outbox(
  'what is owed, with what has become of it, is there after the store was closed and opened again',
  inFolder(async (file) => {
    const before = await opened(file)
    await signIn(before)
    await done(before.logouts.endSession(endedLate))
    const tried = { id: 'first', kind: 'failed', attempts: 9, due_at: at(5), note: 'the status was 400' } as const
    await done(before.logoutOutbox.claimDue(at(0), claim, 1))
    await done(before.logoutOutbox.recordTries(holder, [tried]))
    const listed = await done(before.logoutOutbox.listNotices(100))
    await before.close()
    const store = await opened(file)
    assert.equal(await done(store.logoutOutbox.listNotices(100)), listed)
    assert.equal(await done(store.logoutOutbox.nextDue(at(1), holder)), O.some(at(1)))
    await store.close()
  }),
)

outbox(
  'of tries of which one cannot be written none is, and the notices are as they were',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    await done(store.logouts.endSession(endedLate))
    const { claimDue, recordTries, listNotices } = store.logoutOutbox
    await done(claimDue(at(100), claim, 3))
    beside(file, (db) =>
      db.exec("CREATE TRIGGER no BEFORE UPDATE ON logout_notices BEGIN SELECT RAISE(FAIL, 'no'); END"),
    )
    const later = { id: 'last', kind: 'later', attempts: 1, due_at: at(60), note: 'no answer' } as const
    const refusal = await refused(recordTries(holder, [{ id: 'first', kind: 'delivered' }, later]))
    assert.is(refusal.error, 'unavailable')
    assert.equal(await done(listNotices(100)), entries)
    await store.close()
  }),
)

outbox.run()
