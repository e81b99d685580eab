// The logout notifications that the end of a session owes to its clients: which of them are due, which instance has claimed
// them, and what becomes of them.
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type AttemptedNotification, type PendingNotification, receiverOf } from '@clientele/domain/logout'
import type { StoragePorts } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { exampleNotification, exampleSession, exampleTime, unstorableTexts, noRow, endOf } from '../examples.js'
import { contract, contracts, done, numbers, race } from './contract.js'
import { registerAnew, removeClient, beginSession, registerExamples } from './steps.js'

const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

/** A notification to `a` before the first attempt, created so many seconds after the example's time. */
const owedEntry = (id: string, created = 0, changes: Partial<PendingNotification> = {}): PendingNotification => ({
  ...exampleNotification(id, 'a'),
  created_at: at(created),
  attempts: 0,
  due_at: at(created),
  failed: false,
  note: '',
  ...changes,
})

/** Ends a session with these notifications, in the given order. Their clients must be registered. */
const owe = async (ports: StoragePorts, ...entries: ReadonlyArray<PendingNotification>): Promise<void> => {
  const session = exampleSession('ending', ['a'])
  await done(beginSession(ports, session))
  await done(ports.sessionTermination.endSession(endOf(session, { notifications: entries }), noRow))
}

const claim = ({ pendingNotifications }: StoragePorts, now: number, holder = 'one', until = 2_000, max = 100) =>
  done(pendingNotifications.claimDue(at(now), { holder, until: at(until) }, max))
const record = (
  { pendingNotifications }: StoragePorts,
  holder: string,
  ...tries: ReadonlyArray<AttemptedNotification>
): Promise<void> => done(pendingNotifications.recordTries(holder, tries))
const list = ({ pendingNotifications }: StoragePorts, max = 100) => done(pendingNotifications.listNotifications(max))
const nextDue = async ({ pendingNotifications }: StoragePorts, now: number, holder = 'one') => {
  const due = O.toUndefined(await done(pendingNotifications.nextDue(at(now), holder)))
  return due === undefined ? undefined : due - exampleTime
}
const retry = ({ pendingNotifications }: StoragePorts, now: number, id?: string) =>
  done(pendingNotifications.retryNotifications(O.fromNullable(id), at(now), noRow))
const purge = ({ pendingNotifications }: StoragePorts, before: number) =>
  done(pendingNotifications.purgeNotifications(at(before)))

type Tried = Exclude<AttemptedNotification, { readonly kind: 'delivered' }>
const tried = (kind: Tried['kind'], id: string, due: number, attempts = 1): Tried => ({
  id,
  kind,
  attempts,
  due_at: at(due),
  note: 'kein Anschluß: "ECONNREFUSED" \u0000',
})
const after = (before: PendingNotification, { attempts, due_at, note, kind }: Tried): PendingNotification => ({
  ...before,
  attempts,
  due_at,
  note,
  failed: kind === 'failed',
})
const idsOf = (entries: ReadonlyArray<PendingNotification>): ReadonlyArray<string> => entries.map(({ id }) => id)

const prepare = (ports: StoragePorts): Promise<void> => registerExamples(ports, 'a')

const first = owedEntry('first', 1)
const second = owedEntry('second', 2)
const third = owedEntry('third', 3)

const pending = contract(
  'Pending notifications',
  (it) => {
    it('nothing is owed at first, nor by an id that no store can hold; tasks look when they are run', async (ports) => {
      const next = ports.pendingNotifications.nextDue(at(0), 'one')
      const all = ports.other.pendingNotifications.listNotifications(100)
      assert.equal([await claim(ports, 1_000), await done(all), await done(next)], [[], [], O.none])
      for (const id of [undefined, ...unstorableTexts]) assert.is(await retry(ports, 1, id), 0)
      assert.is(await purge(ports, 1_000), 0)
      await record(ports, 'one')
      await owe(ports, first)
      assert.equal([await done(all), await done(next)], [[first], O.some(at(1))])
    })

    it('notices are due from the time on, the longest due first, and listed by age, no more than asked for', async (ports) => {
      await owe(ports, third, first, second)
      assert.equal([await nextDue(ports, 0), await claim(ports, 0)], [1, []])
      for (const [now, max, expected] of [
        [2, 100, [first, second]],
        [1_000, 100, [first, second, third]],
        [1_000, 2, [first, second]],
        [1_000, 0, []],
      ] as const)
        assert.equal(await claim(ports.other, now, 'one', 2_000, max), expected)
      assert.is(await nextDue(ports, 1_000), 1)
      assert.equal(
        [await list(ports), await list(ports, 2)],
        [
          [first, second, third],
          [first, second],
        ],
      )
    })

    it('notices of one time are due and listed in the order in which they were written', async (ports) => {
      const ids = numbers(20).map((nth) => `notice ${(nth * 7) % 20}`)
      await owe(ports, ...ids.map((id) => owedEntry(id)))
      assert.equal(
        [idsOf(await claim(ports, 0)), idsOf(await list(ports)), idsOf(await list(ports, 3))],
        [ids, ids, ids.slice(0, 3)],
      )
    })

    it('every member of a notice is kept; ids are apart: letter case, and names that all objects have', async (ports) => {
      const whole = owedEntry('Zoë "1"', 5, { uri: "https://rp.example/ab?c='d'&e=%C3%AB", alg: 'PS512' })
      const others = ['zoë "1"', '__proto__', 'constructor', '🦊'.repeat(50)].map((id) => owedEntry(id, 6))
      await owe(ports, whole, ...others)
      await claim(ports, 5)
      await record(ports, 'one', tried('failed', whole.id, 7, 9))
      assert.equal(await list(ports.other), [after(whole, tried('failed', whole.id, 7, 9)), ...others])
    })

    it('what was delivered is gone, and what is tried later is due then; another holder records nothing', async (ports) => {
      await owe(ports, first, second, third)
      await claim(ports, 3)
      const later = tried('later', 'second', 60)
      await record(ports, 'other', { id: 'third', kind: 'delivered' })
      await record(ports, 'one', { id: 'first', kind: 'delivered' }, later, { id: 'gone', kind: 'delivered' })
      assert.equal(await list(ports.other), [after(second, later), third])
      assert.equal([await claim(ports, 59), await claim(ports.other, 60)], [[third], [third, after(second, later)]])
    })

    it('what has failed is due again as if never tried, all or one by its id, and the others stay as they are', async (ports) => {
      await owe(ports, first, second, third)
      await claim(ports, 3)
      const waits = tried('later', 'second', 60)
      await record(ports, 'one', tried('failed', 'first', 7), waits, tried('failed', 'third', 7))
      for (const id of ['second', 'gone', 'First', '']) assert.is(await retry(ports, 30, id), 0)
      assert.is(await retry(ports.other, 30, 'third'), 1)
      const again = [first, third].map((each) => ({ ...each, due_at: at(30) }))
      assert.equal(await claim(ports, 30), again.slice(1))
      assert.equal([await retry(ports, 30), await retry(ports, 40)], [1, 0])
      assert.equal(await claim(ports, 30), again)
      assert.equal(await list(ports), [again[0], after(second, waits), again[1]])
      assert.equal([await purge(ports, 1), await purge(ports.other, 3)], [0, 2])
      assert.equal(await list(ports), again.slice(1))
    })
  },
  prepare,
)

/** Notifications to one receiver, in several spellings, and to others at the same host. */
const shop = ['https://shop.example/logout?of=a', 'https://SHOP.example/', 'https://shop.example:443/other']
const elsewhere = ['https://shop.example:8443/', 'https://mail.example/']
const [shopFirst, shopSecond, shopThird] = shop.map((uri) => owedEntry(`to ${uri}`, 0, { uri })) as [
  PendingNotification,
  PendingNotification,
  PendingNotification,
]
const toShop = [shopFirst, shopSecond, shopThird]
const toOthers = elsewhere.map((uri) => owedEntry(`to ${uri}`, 0, { uri }))

const claiming = contract(
  'Claims on notifications',
  (it) => {
    it('what is claimed goes to no other holder until the claim ends, and to its own holder again', async (ports) => {
      await owe(ports, ...toShop)
      for (const [handle, now, holder, until, expected] of [
        [ports, 0, 'one', 10, toShop],
        [ports.other, 9, 'other', 60, []],
        [ports.other, 9, 'one', 20, toShop],
        [ports, 19, 'other', 60, []],
        [ports, 20, 'other', 60, toShop],
        [ports, 21, 'one', 60, []],
      ] as const)
        assert.equal(await claim(handle, now, holder, until), expected)
    })

    it('a receiver has one holder, whatever of it was claimed, and others are free', async (ports) => {
      await owe(ports, ...toShop, ...toOthers)
      assert.equal(await claim(ports, 0, 'one', 10, 1), [shopFirst])
      assert.equal(await claim(ports.other, 0, 'other', 10), toOthers)
      assert.equal(await claim(ports, 0, 'one', 10), toShop)
      await owe(ports.other, owedEntry('new', 1, { uri: shopFirst.uri }))
      assert.equal(await claim(ports.other, 1, 'other', 10, 1), toOthers.slice(0, 1))
      assert.equal(idsOf(await claim(ports, 1, 'one', 10)), [...idsOf(toShop), 'new'])
    })

    it('a holder asks again when something is due that is free, or when a claim of another ends', async (ports) => {
      await owe(ports, ...toShop, owedEntry('later', 50, { uri: elsewhere[0] ?? '' }))
      const next = (now: number) => Promise.all([nextDue(ports, now, 'one'), nextDue(ports.other, now, 'other')])
      assert.equal(await next(0), [0, 0])
      await claim(ports, 1, 'one', 30)
      assert.equal(
        [await next(2), await next(30)],
        [
          [0, 30],
          [0, 0],
        ],
      )
      await claim(ports, 2, 'one', 80)
      assert.equal(await next(2), [0, 50])
      await record(ports, 'one', ...idsOf(toShop).map((id) => tried('later', id, 40)))
      assert.equal(await next(3), [40, 40])
      await claim(ports, 90, 'one', 100)
      assert.equal(await next(95), [40, 100])
    })

    it('of 20 that claim at once, by two handles, each notice has one holder, and so has each receiver', async (ports) => {
      await owe(ports, ...numbers(60).map((nth) => owedEntry(`${nth}`, 0, { uri: `https://rp${nth % 30}.example/` })))
      const holders = numbers(20).map((nth) => `holder ${nth}`)
      const outcomes = await race(ports, holders, ({ pendingNotifications }, holder) =>
        pendingNotifications.claimDue(at(0), { holder, until: at(60) }, 7),
      )
      const atOnce = outcomes.map((outcome) => (E.isRight(outcome) ? outcome.right : []))
      const claimed = [...atOnce, await claim(ports, 0, 'the last', 60)]
      const ids = claimed.flatMap(idsOf)
      assert.is(new Set(ids).size, ids.length)
      const receivers = claimed.flatMap((some) => [...new Set(some.map(receiverOf))])
      assert.equal([receivers.length, new Set(receivers).size], [30, 30])
    })
  },
  prepare,
)

const limiting = contract(
  'Notifications that give way',
  (it) => {
    const endNext = async (ports: StoragePorts, nth: number, ids: ReadonlyArray<string>, limits: [number, number]) => {
      const session = exampleSession(`more-${nth}`, ['a', 'b'])
      await done(beginSession(ports, session, `cookie-${nth}`))
      const notifications = ids.map((id) => exampleNotification(`to-${id}-${nth}`, id))
      const notificationLimits = { maxPerClient: limits[0], maxInAll: limits[1] }
      const { gaveWay } = await done(
        ports.sessionTermination.endSession(endOf(session, { notifications, notificationLimits }), noRow),
      )
      return gaveWay
    }

    it('beyond the limit of a client its notices that were written first give way, whatever became of them', async (ports) => {
      for (const [nth, gaveWay] of [0, 0, 1, 1].entries()) {
        assert.is(await endNext(ports, nth, nth === 0 ? ['a', 'b'] : ['a'], [2, 100]), gaveWay)
        if (nth !== 1) continue
        await claim(ports, 0)
        await record(ports, 'one', tried('failed', 'to-a-1', 0))
      }
      assert.equal(idsOf(await list(ports.other)), ['to-b-0', 'to-a-2', 'to-a-3'])
    })

    it('beyond the limit of all, those of any client that were written first give way', async (ports) => {
      for (const [nth, gaveWay] of [0, 1, 2].entries())
        assert.is(await endNext(ports, nth, ['a', 'b'], [100, 3]), gaveWay)
      assert.equal(idsOf(await list(ports.other)), ['to-b-1', 'to-a-2', 'to-b-2'])
    })

    it('a removed client is owed nothing any more, even if its id is used again', async (ports) => {
      await endNext(ports, 0, ['a', 'b', 'c'], [100, 100])
      await claim(ports, 0)
      await record(ports, 'one', tried('failed', 'to-c-0', 60))
      for (const id of ['b', 'c']) await registerAnew(ports.other, id)
      assert.equal(
        [idsOf(await list(ports)), await retry(ports, 60), idsOf(await claim(ports, 60))],
        [['to-a-0'], 0, ['to-a-0']],
      )
      await removeClient(ports, 'a')
      assert.is(await nextDue(ports.other, 60), undefined)
    })

    it('notices to clients that were removed since the session was read are passed over', async (ports) => {
      await removeClient(ports, 'a')
      await registerAnew(ports, 'b')
      assert.is(await endNext(ports, 0, ['a', 'b', 'c', 'never-registered'], [100, 100]), 0)
      assert.equal(idsOf(await list(ports.other)), ['to-c-0'])
      assert.equal(await done(ports.endUserSessions.findSessionById('more-0')), O.none)
    })
  },
  (ports) => registerExamples(ports, 'a', 'b', 'c'),
)

/** The promises of PendingNotifications, and of the ends that write them. */
export const notificationsContract = contracts(pending, claiming, limiting)
