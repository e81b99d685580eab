import * as O from 'fp-ts/lib/Option.js'
import { noLimits, type PendingNotification, type AttemptedNotification } from '@clientele/domain'
import * as assert from 'uvu/assert'
import { exampleClient, unstorableTexts } from '../examples/examples.js'
import { type StoreHandles, type OpenStore, done } from './open-store.js'
import { type Contract, collect, onNewStore } from './contract.js'
import { at, owe, owedEntry, type Owing as Used } from './owed-notifications.js'

const triedLater = (id: string, due: number, attempts = 1): AttemptedNotification => ({
  id,
  kind: 'later',
  attempts,
  due_at: at(due),
  note: 'the status was 503',
})
const triedInVain = (id: string, attempts = 9): AttemptedNotification => ({
  id,
  kind: 'failed',
  attempts,
  due_at: at(7),
  note: 'kein Anschluß: "ECONNREFUSED" \u0000',
})
const after = (before: PendingNotification, tried: AttemptedNotification): PendingNotification => {
  if (tried.kind === 'delivered') throw new Error('nothing is left of it')
  const { attempts, due_at, note } = tried
  return { ...before, attempts, due_at, note, failed: tried.kind === 'failed' }
}

const first = owedEntry('first', 1)
const second = owedEntry('second', 2)
const third = owedEntry('third', 3)

const holder = 'instance'
const claim = { holder, until: at(2_000) }

/** Claims all notifications that are due at the time, and records the attempts. */
const record = async (
  { pendingNotifications }: StoreHandles<Used>,
  seconds: number,
  tries: ReadonlyArray<AttemptedNotification>,
) => {
  await done(pendingNotifications.claimDue(at(seconds), claim, 100))
  await done(pendingNotifications.recordTries(holder, tries))
}

/** The promises of PendingNotifications; another contract covers the removal of a client. */
export const pendingNotificationsContract = (name: string, open: OpenStore<Used>): Contract => {
  const { test, tests } = collect(`PendingNotifications ${name}`)
  const it = onNewStore(test, open, async (ports) => {
    await done(ports.registry.addClient(exampleClient('a'), O.none, noLimits))
  })

  it('nothing is owed at first', async ({ pendingNotifications }) => {
    assert.equal(await done(pendingNotifications.claimDue(at(1000), claim, 100)), [])
    assert.equal(await done(pendingNotifications.listNotifications(100)), [])
    assert.equal(await done(pendingNotifications.nextDue(at(1000), holder)), O.none)
    for (const id of [O.none, ...unstorableTexts.map(O.some)])
      assert.is(await done(pendingNotifications.retryNotifications(id, at(1))), 0)
    assert.is(await done(pendingNotifications.purgeNotifications(at(1000))), 0)
    await done(pendingNotifications.recordTries(holder, []))
  })

  it('notices are due from the time on, the longest due first, and listed by age, no more than asked for', async (ports) => {
    await owe(ports, third, first, second)
    const { claimDue, nextDue, listNotifications } = ports.pendingNotifications
    assert.equal(await done(nextDue(at(0), holder)), O.some(at(1)))
    assert.equal(await done(claimDue(at(0), claim, 100)), [])
    assert.equal(await done(claimDue(at(2), claim, 100)), [first, second])
    assert.equal(await done(claimDue(at(1000), claim, 100)), [first, second, third])
    assert.equal(await done(claimDue(at(1000), claim, 2)), [first, second])
    assert.equal(await done(claimDue(at(1000), claim, 0)), [])
    assert.equal(await done(nextDue(at(1000), holder)), O.some(at(1)))
    assert.equal(await done(listNotifications(100)), [first, second, third])
    assert.equal(await done(listNotifications(2)), [first, second])
  })

  it('notices of one time are due and listed in the order in which they were written', async (ports) => {
    const ids = Array.from({ length: 20 }, (_, index) => `notice ${(index * 7) % 20}`)
    await owe(ports, ...ids.map((id) => owedEntry(id)))
    const { claimDue, listNotifications } = ports.pendingNotifications
    assert.equal(
      (await done(claimDue(at(0), claim, 100))).map(({ id }) => id),
      ids,
    )
    assert.equal(
      (await done(listNotifications(100))).map(({ id }) => id),
      ids,
    )
    assert.equal(
      (await done(listNotifications(3))).map(({ id }) => id),
      ids.slice(0, 3),
    )
  })

  it('every member of a notice is kept', async (ports) => {
    const whole: PendingNotification = {
      ...owedEntry('Zoë "1"', 5),
      uri: "https://rp.example/ab?c='d'&e=%C3%AB",
      alg: 'PS512',
    }
    await owe(ports, whole)
    const tried = triedInVain(whole.id)
    await record(ports, 5, [tried])
    assert.equal(await done(ports.pendingNotifications.listNotifications(100)), [after(whole, tried)])
  })

  it('what was delivered is gone, what is tried later is due then, and what has failed is listed alone', async (ports) => {
    await owe(ports, first, second, third)
    const later = triedLater('first', 60)
    const failed = triedInVain('third')
    const { claimDue, listNotifications, nextDue } = ports.pendingNotifications
    await record(ports, 3, [later, { id: 'second', kind: 'delivered' }, failed])
    assert.equal(await done(claimDue(at(59), claim, 100)), [])
    assert.equal(await done(claimDue(at(60), claim, 100)), [after(first, later)])
    assert.equal(await done(nextDue(at(60), holder)), O.some(at(60)))
    assert.equal(await done(listNotifications(100)), [after(first, later), after(third, failed)])
    await record(ports, 60, [triedInVain('first', 2)])
    assert.equal(await done(nextDue(at(60), holder)), O.none)
    assert.equal(await done(claimDue(at(1000), claim, 100)), [])
  })

  it('a later time of one notice lets the others come first', async (ports) => {
    await owe(ports, first, second, third)
    await record(ports, 3, [triedLater('first', 3), triedLater('second', 2)])
    const ids = (await done(ports.pendingNotifications.claimDue(at(3), claim, 100))).map(({ id }) => id)
    assert.equal(ids, ['second', 'first', 'third'])
  })

  it('tries of notices that are gone are passed over, and the others are kept', async (ports) => {
    await owe(ports, first)
    const { recordTries, listNotifications } = ports.pendingNotifications
    const tried = triedLater('first', 60)
    await record(ports, 1, [triedLater('gone', 1), { id: 'unknown', kind: 'delivered' }, tried, triedInVain('lost')])
    assert.equal(await done(listNotifications(100)), [after(first, tried)])
    await record(ports, 60, [{ id: 'first', kind: 'delivered' }])
    await done(recordTries(holder, [triedLater('first', 60)]))
    assert.equal(await done(listNotifications(100)), [])
  })

  it('of tries of one notice the first holds, because it ends the claim', async (ports) => {
    await owe(ports, first)
    const one = triedLater('first', 60)
    await record(ports, 1, [one, triedLater('first', 120, 2), { id: 'first', kind: 'delivered' }])
    assert.equal(await done(ports.pendingNotifications.listNotifications(100)), [after(first, one)])
  })

  it('what has failed is due again as if never tried, and the others stay as they are', async (ports) => {
    await owe(ports, first, second, third)
    const { retryNotifications, listNotifications, claimDue } = ports.pendingNotifications
    const waits = triedLater('second', 60)
    await record(ports, 3, [triedInVain('first'), waits, triedInVain('third')])
    assert.is(await done(retryNotifications(O.none, at(30))), 2)
    const again = [first, third].map((each) => ({ ...each, due_at: at(30) }))
    assert.equal(await done(claimDue(at(30), claim, 100)), again)
    assert.equal(await done(listNotifications(100)), [again[0], after(second, waits), again[1]])
    assert.is(await done(retryNotifications(O.none, at(40))), 0)
  })

  it('one that has failed is retried by its id, and one that has not or is gone is not', async (ports) => {
    await owe(ports, first, second, third)
    const { retryNotifications, listNotifications } = ports.pendingNotifications
    await record(ports, 3, [triedInVain('first'), triedInVain('third')])
    for (const id of ['second', 'gone', 'First', '']) assert.is(await done(retryNotifications(O.some(id), at(30))), 0)
    assert.is(await done(retryNotifications(O.some('third'), at(30))), 1)
    assert.equal(await done(listNotifications(100)), [
      after(first, triedInVain('first')),
      second,
      { ...third, due_at: at(30) },
    ])
  })

  it('notices from before the time are given up, whatever has become of them', async (ports) => {
    await owe(ports, first, second, third, owedEntry('fourth', 4))
    const { purgeNotifications, listNotifications, nextDue } = ports.pendingNotifications
    await record(ports, 3, [triedInVain('first'), triedLater('second', 60), triedInVain('third')])
    assert.is(await done(purgeNotifications(at(1))), 0)
    assert.is(await done(purgeNotifications(at(3))), 2)
    assert.equal(await done(listNotifications(100)), [after(third, triedInVain('third')), owedEntry('fourth', 4)])
    assert.is(await done(purgeNotifications(at(1000))), 2)
    assert.equal(await done(listNotifications(100)), [])
    assert.equal(await done(nextDue(at(1000), holder)), O.none)
  })

  it('tasks look at what is there when they are run', async ({ pendingNotifications, ...ports }) => {
    const next = pendingNotifications.nextDue(at(0), holder)
    const list = pendingNotifications.listNotifications(100)
    assert.equal([await done(next), await done(list)], [O.none, []])
    await owe({ pendingNotifications, ...ports }, first)
    assert.equal([await done(next), await done(list)], [O.some(at(1)), [first]])
  })

  return tests
}
