import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  noLimits,
  receiverOf,
  type NotificationClaim,
  type PendingNotification,
  type AttemptedNotification,
} from '@clientele/domain'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { exampleClient } from '../examples/examples.js'
import { propertyRuns, runParameters } from '../property-runs.js'
import { anyClaimHistory, liveClaimHistory } from './claim-histories.js'
import { type StoreHandle, type OpenStore, done } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { at, owe, owedEntry, type Owing } from './owed-notifications.js'

type PendingNotifications = Pick<StoreHandle, 'pendingNotifications'>

/** Notifications to one receiver, in several spellings, and to others at the same host. */
const shop = ['https://shop.example/logout?of=a', 'https://SHOP.example/', 'https://shop.example:443/other']
const others = ['https://shop.example:8443/', 'https://mail.example/']
const entryAt = (uri: string): PendingNotification => owedEntry(`to ${uri}`, 0, { uri })
const toShop = shop.map(entryAt)
const toOthers = others.map(entryAt)

const claimOf = (holder: string, until: number): NotificationClaim => ({ holder, until: at(until) })
const claim = ({ pendingNotifications }: PendingNotifications, now: number, holder: string, until: number, max = 100) =>
  done(pendingNotifications.claimDue(at(now), claimOf(holder, until), max))
const record = (
  { pendingNotifications }: PendingNotifications,
  holder: string,
  ...tries: ReadonlyArray<AttemptedNotification>
): Promise<void> => done(pendingNotifications.recordTries(holder, tries))
const later = ({ id }: PendingNotification, due: number): AttemptedNotification => ({
  id,
  kind: 'later',
  attempts: 1,
  due_at: at(due),
  note: 'in vain',
})
const delivered = ({ id }: PendingNotification): AttemptedNotification => ({ id, kind: 'delivered' })
const failed = ({ id }: PendingNotification): AttemptedNotification => ({
  id,
  kind: 'failed',
  attempts: 9,
  due_at: at(5),
  note: 'in vain',
})

/** The promises of PendingNotifications about several instances, each of which claims the notifications that it attempts. */
export const notificationClaimsContract = (name: string, open: OpenStore<Owing>): Contract => {
  const { test, tests } = collect(`PendingNotifications, claimed, ${name}`)
  const prepare = async ({ registry }: Pick<StoreHandle, Owing>): Promise<void> => {
    await done(registry.addClient(exampleClient('a'), O.none, noLimits))
  }
  const it = onNewStore(test, open, prepare)

  it('what is claimed goes to no other holder until the claim ends, and to its own holder again', async (ports) => {
    await owe(ports, ...toShop)
    assert.equal(await claim(ports, 0, 'one', 10), toShop)
    assert.equal(await claim(ports.other, 9, 'other', 60), [])
    assert.equal(await claim(ports.other, 9, 'one', 20), toShop)
    assert.equal(await claim(ports, 19, 'other', 60), [])
    assert.equal(await claim(ports, 20, 'other', 60), toShop)
    assert.equal(await claim(ports, 21, 'one', 60), [])
  })

  it('a receiver has one holder, whatever of it was claimed, and others are free', async (ports) => {
    await owe(ports, ...toShop, ...toOthers)
    assert.equal(await claim(ports, 0, 'one', 10, 1), toShop.slice(0, 1))
    assert.equal(await claim(ports.other, 0, 'other', 10), toOthers)
    assert.equal(await claim(ports, 0, 'one', 10), toShop)
    await owe(ports.other, owedEntry('new', 1, { uri: shop[0] ?? '' }))
    assert.equal(await claim(ports.other, 1, 'other', 10, 1), toOthers.slice(0, 1))
    assert.equal(
      (await claim(ports, 1, 'one', 10)).map(({ id }) => id),
      [...toShop.map(({ id }) => id), 'new'],
    )
  })

  it('a try ends the claim on its notice, and the receiver is free when none is claimed', async (ports) => {
    await owe(ports, ...toShop)
    const [first, second, third] = toShop
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three')
    await claim(ports, 0, 'one', 10)
    await record(ports, 'one', delivered(first), later(second, 5))
    assert.equal(await claim(ports.other, 5, 'other', 20), [])
    await record(ports, 'one', failed(third))
    assert.equal(
      (await claim(ports.other, 5, 'other', 20)).map(({ id }) => id),
      [second.id],
    )
  })

  it('tries of a holder that does not claim the notice, or does no more, change nothing', async (ports) => {
    await owe(ports, ...toShop)
    for (const [index, entry] of toShop.entries()) {
      const tries = [delivered(entry), later(entry, 60), failed(entry)]
      const tried = tries[index]
      if (tried === undefined) throw new Error('there are as many')
      await record(ports, 'one', tried)
      await claim(ports, 10 * index, 'one', 10 * index + 5)
      await record(ports, 'other', tried)
      await claim(ports.other, 10 * index + 5, 'other', 10 * index + 10)
      await record(ports, 'one', tried)
      assert.equal(await done(ports.pendingNotifications.listNotifications(100)), toShop)
    }
    assert.equal(await claim(ports, 29, 'one', 60), [])
  })

  it('a claim that has ended counts until another holder has claimed the notice', async (ports) => {
    await owe(ports, ...toShop)
    await claim(ports, 0, 'one', 10)
    await record(ports.other, 'one', ...toShop.map(delivered))
    assert.equal(await claim(ports, 20, 'other', 30), [])
  })

  it('a retry leaves claims alone, and what is retried is anybody’s', async (ports) => {
    await owe(ports, ...toShop, ...toOthers)
    const [first, ...left] = toShop
    const [elsewhere] = toOthers
    if (first === undefined || elsewhere === undefined) throw new Error('there are some')
    await claim(ports, 0, 'one', 60)
    await record(ports, 'one', failed(first), failed(elsewhere))
    assert.is(await done(ports.other.pendingNotifications.retryNotifications(O.none, at(1))), 2)
    assert.equal(await claim(ports.other, 1, 'other', 60), [{ ...elsewhere, due_at: at(1) }])
    assert.equal(await claim(ports, 1, 'one', 60), [...left, ...toOthers.slice(1), { ...first, due_at: at(1) }])
  })

  it('what is claimed is given up as well when it is too old, and its try is passed over', async (ports) => {
    await owe(ports, ...toShop)
    await claim(ports, 0, 'one', 60)
    assert.is(await done(ports.other.pendingNotifications.purgeNotifications(at(1))), 3)
    await record(ports, 'one', ...toShop.map((entry) => later(entry, 2)))
    assert.equal(await done(ports.pendingNotifications.listNotifications(100)), [])
    assert.equal(await done(ports.pendingNotifications.nextDue(at(5), 'other')), O.none)
  })

  it('a holder asks again when something is due that is free, or when a claim of another ends', async (ports) => {
    await owe(ports, ...toShop, owedEntry('later', 50, { uri: others[0] ?? '' }))
    const next = (now: number, holder: string) => done(ports.pendingNotifications.nextDue(at(now), holder))
    assert.equal([await next(0, 'one'), await next(0, 'other')], [O.some(at(0)), O.some(at(0))])
    await claim(ports, 1, 'one', 30)
    assert.equal([await next(2, 'one'), await next(2, 'other')], [O.some(at(0)), O.some(at(30))])
    assert.equal(await next(30, 'other'), O.some(at(0)))
    await claim(ports, 2, 'one', 80)
    assert.equal(await next(2, 'other'), O.some(at(50)))
    await record(ports, 'one', ...toShop.map((entry) => later(entry, 40)))
    assert.equal([await next(3, 'one'), await next(3, 'other')], [O.some(at(40)), O.some(at(40))])
    await claim(ports, 90, 'one', 100)
    assert.equal(await next(95, 'other'), O.some(at(100)))
  })

  it('of 20 that claim at once, by two handles, each notice has one holder, and so has each receiver', async (ports) => {
    const entries = Array.from({ length: 60 }, (_, index) =>
      owedEntry(`notice ${index}`, 0, { uri: `https://rp${index % 30}.example/` }),
    )
    await owe(ports, ...entries)
    const holders = Array.from({ length: 20 }, (_, index) => `holder ${index}`)
    const outcomes = await race(ports, holders, ({ pendingNotifications }, holder) =>
      pendingNotifications.claimDue(at(0), claimOf(holder, 60), 7),
    )
    const atOnce = outcomes.map((outcome) => (E.isRight(outcome) ? outcome.right : []))
    const claimed = [...atOnce, await claim(ports, 0, 'the last', 60)]
    const ids = claimed.flat().map(({ id }) => id)
    assert.is(new Set(ids).size, ids.length)
    const receivers = claimed.flatMap((some) => [...new Set(some.map(receiverOf))])
    assert.is(receivers.length, 30)
    assert.is(new Set(receivers).size, 30)
  })

  test('whatever is claimed and tried, by whom and at once, claims hold, and what is free is given', () =>
    fc.assert(
      fc.asyncProperty(anyClaimHistory(), async (history) => {
        const { one, other, close } = await open()
        try {
          await prepare(one)
          await liveClaimHistory({ ...one, other }, history)
        } finally {
          await close()
        }
      }),
      { ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) },
    ))

  return tests
}
