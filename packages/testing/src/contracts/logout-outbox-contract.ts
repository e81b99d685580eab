import * as O from 'fp-ts/lib/Option.js'
import {
  noLimits,
  secondsAfter,
  usualNoticeLimits,
  type EpochSeconds,
  type LogoutNotice,
  type OutboxEntry,
  type TriedNotice,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import { exampleClient, exampleHash, exampleNotice, exampleSession, exampleTime } from '../examples/examples.js'
import type { StoreHandles, OpenStore } from './open-store.js'
import type { Contract } from './contract.js'
import { collect, onNewStore } from './contract.js'
import { done } from './open-store.js'

const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

const entry = (id: string, created = 0): OutboxEntry => ({
  ...exampleNotice(id, 'a'),
  created_at: at(created),
  attempts: 0,
  due_at: at(created),
  failed: false,
  note: '',
})

const noticeOf = ({ id, client_id, uri, alg, sub, sid, created_at }: OutboxEntry): LogoutNotice => ({
  id,
  client_id,
  uri,
  alg,
  sub,
  sid,
  created_at,
})

type Used = 'registry' | 'endUserSessions' | 'logouts' | 'logoutOutbox'

/** Ends a session that owes these, in the order in which they are given. */
const owe = async (ports: StoreHandles<Used>, ...entries: ReadonlyArray<OutboxEntry>): Promise<void> => {
  const session = exampleSession('one', ['a'])
  await done(ports.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  await done(
    ports.logouts.endSession({
      session,
      notices: entries.map(noticeOf),
      noticeLimits: usualNoticeLimits,
      revokesOfflineAccess: false,
    }),
  )
}

const triedLater = (id: string, due: number, attempts = 1): TriedNotice => ({
  id,
  kind: 'later',
  attempts,
  due_at: at(due),
  note: 'the status was 503',
})
const triedInVain = (id: string, attempts = 9): TriedNotice => ({
  id,
  kind: 'failed',
  attempts,
  due_at: at(7),
  note: 'kein Anschluß: "ECONNREFUSED" \u0000',
})
const after = (before: OutboxEntry, tried: TriedNotice): OutboxEntry => {
  if (tried.kind === 'delivered') throw new Error('nothing is left of it')
  const { attempts, due_at, note } = tried
  return { ...before, attempts, due_at, note, failed: tried.kind === 'failed' }
}

const [first, second, third] = [entry('first', 1), entry('second', 2), entry('third', 3)]

/** The promises of LogoutOutbox; what becomes of it when a client is removed is promised elsewhere. */
export const logoutOutboxContract = (name: string, open: OpenStore<Used>): Contract => {
  const { test, tests } = collect(`LogoutOutbox ${name}`)
  const it = onNewStore(test, open, async (ports) => {
    await done(ports.registry.addClient(exampleClient('a'), O.none, noLimits))
  })

  it('nothing is owed at first', async ({ logoutOutbox }) => {
    assert.equal(await done(logoutOutbox.dueNotices(at(1000), 100)), [])
    assert.equal(await done(logoutOutbox.listNotices(100)), [])
    assert.equal(await done(logoutOutbox.nextDue), O.none)
    assert.is(await done(logoutOutbox.retryNotices(O.none, at(1))), 0)
    assert.is(await done(logoutOutbox.forgetNotices(at(1000))), 0)
    await done(logoutOutbox.recordTries([]))
  })

  it('notices are due from the time on, the longest due first, and listed by age, no more than asked for', async (ports) => {
    await owe(ports, third, first, second)
    const { dueNotices, nextDue, listNotices } = ports.logoutOutbox
    assert.equal(await done(dueNotices(at(0), 100)), [])
    assert.equal(await done(dueNotices(at(2), 100)), [first, second])
    assert.equal(await done(dueNotices(at(1000), 100)), [first, second, third])
    assert.equal(await done(dueNotices(at(1000), 2)), [first, second])
    assert.equal(await done(dueNotices(at(1000), 0)), [])
    assert.equal(await done(nextDue), O.some(at(1)))
    assert.equal(await done(listNotices(100)), [first, second, third])
    assert.equal(await done(listNotices(2)), [first, second])
  })

  it('notices of one time are due and listed in the order in which they were written', async (ports) => {
    const ids = Array.from({ length: 20 }, (_, index) => `notice ${(index * 7) % 20}`)
    await owe(ports, ...ids.map((id) => entry(id)))
    assert.equal(
      (await done(ports.logoutOutbox.dueNotices(at(0), 100))).map(({ id }) => id),
      ids,
    )
    assert.equal(
      (await done(ports.logoutOutbox.listNotices(100))).map(({ id }) => id),
      ids,
    )
    assert.equal(
      (await done(ports.logoutOutbox.listNotices(3))).map(({ id }) => id),
      ids.slice(0, 3),
    )
  })

  it('every member of a notice is kept', async (ports) => {
    const whole: OutboxEntry = { ...entry('Zoë "1"', 5), uri: "https://rp.example/ab?c='d'&e=%C3%AB", alg: 'PS512' }
    await owe(ports, whole)
    const tried = triedInVain(whole.id)
    await done(ports.logoutOutbox.recordTries([tried]))
    assert.equal(await done(ports.logoutOutbox.listNotices(100)), [after(whole, tried)])
  })

  it('what was delivered is gone, what is tried later is due then, and what has failed is listed alone', async (ports) => {
    await owe(ports, first, second, third)
    const [later, failed] = [triedLater('first', 60), triedInVain('third')]
    const { recordTries, dueNotices, listNotices, nextDue } = ports.logoutOutbox
    await done(recordTries([later, { id: 'second', kind: 'delivered' }, failed]))
    assert.equal(await done(dueNotices(at(59), 100)), [])
    assert.equal(await done(dueNotices(at(60), 100)), [after(first, later)])
    assert.equal(await done(nextDue), O.some(at(60)))
    assert.equal(await done(listNotices(100)), [after(first, later), after(third, failed)])
    await done(recordTries([triedInVain('first', 2)]))
    assert.equal(await done(nextDue), O.none)
    assert.equal(await done(dueNotices(at(1000), 100)), [])
  })

  it('a later time of one notice lets the others come first', async (ports) => {
    await owe(ports, first, second, third)
    await done(ports.logoutOutbox.recordTries([triedLater('first', 3), triedLater('second', 2)]))
    const ids = (await done(ports.logoutOutbox.dueNotices(at(3), 100))).map(({ id }) => id)
    assert.equal(ids, ['second', 'first', 'third'])
  })

  it('tries of notices that are gone are passed over, and the others are kept', async (ports) => {
    await owe(ports, first)
    const { recordTries, listNotices } = ports.logoutOutbox
    const tried = triedLater('first', 60)
    await done(recordTries([triedLater('gone', 1), { id: 'unknown', kind: 'delivered' }, tried, triedInVain('lost')]))
    assert.equal(await done(listNotices(100)), [after(first, tried)])
    await done(recordTries([{ id: 'first', kind: 'delivered' }]))
    await done(recordTries([triedLater('first', 60)]))
    assert.equal(await done(listNotices(100)), [])
  })

  it('of tries of one notice the last holds', async (ports) => {
    await owe(ports, first)
    const [one, two] = [triedLater('first', 60), triedLater('first', 120, 2)]
    await done(ports.logoutOutbox.recordTries([one, two]))
    assert.equal(await done(ports.logoutOutbox.listNotices(100)), [after(first, two)])
  })

  it('what has failed is due again as if never tried, and the others stay as they are', async (ports) => {
    await owe(ports, first, second, third)
    const { recordTries, retryNotices, listNotices, dueNotices } = ports.logoutOutbox
    const waits = triedLater('second', 60)
    await done(recordTries([triedInVain('first'), waits, triedInVain('third')]))
    assert.is(await done(retryNotices(O.none, at(30))), 2)
    const again = [first, third].map((each) => ({ ...each, due_at: at(30) }))
    assert.equal(await done(dueNotices(at(30), 100)), again)
    assert.equal(await done(listNotices(100)), [again[0], after(second, waits), again[1]])
    assert.is(await done(retryNotices(O.none, at(40))), 0)
  })

  it('one that has failed is retried by its id, and one that has not or is gone is not', async (ports) => {
    await owe(ports, first, second, third)
    const { recordTries, retryNotices, listNotices } = ports.logoutOutbox
    await done(recordTries([triedInVain('first'), triedInVain('third')]))
    for (const id of ['second', 'gone', 'First', '']) assert.is(await done(retryNotices(O.some(id), at(30))), 0)
    assert.is(await done(retryNotices(O.some('third'), at(30))), 1)
    assert.equal(await done(listNotices(100)), [
      after(first, triedInVain('first')),
      second,
      { ...third, due_at: at(30) },
    ])
  })

  it('notices from before the time are given up, whatever has become of them', async (ports) => {
    await owe(ports, first, second, third, entry('fourth', 4))
    const { recordTries, forgetNotices, listNotices, nextDue } = ports.logoutOutbox
    await done(recordTries([triedInVain('first'), triedLater('second', 60), triedInVain('third')]))
    assert.is(await done(forgetNotices(at(1))), 0)
    assert.is(await done(forgetNotices(at(3))), 2)
    assert.equal(await done(listNotices(100)), [after(third, triedInVain('third')), entry('fourth', 4)])
    assert.is(await done(forgetNotices(at(1000))), 2)
    assert.equal(await done(listNotices(100)), [])
    assert.equal(await done(nextDue), O.none)
  })

  it('tasks look at what is there when they are run', async (ports) => {
    const { nextDue, listNotices } = ports.logoutOutbox
    const list = listNotices(100)
    assert.equal([await done(nextDue), await done(list)], [O.none, []])
    await owe(ports, first)
    assert.equal([await done(nextDue), await done(list)], [O.some(at(1)), [first]])
  })

  return tests
}
