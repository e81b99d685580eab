// Histories of several instances with pending notifications, and the invariants of claims.
import * as fc from 'fast-check'
import {
  receiverOf,
  type NotificationClaim,
  type PendingNotification,
  type AttemptedNotification,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import { race } from './contract.js'
import { type StoreHandles, done } from './open-store.js'
import { at, owe, owedEntry, type Owing } from './owed-notifications.js'

type Claiming = { readonly holder: string; readonly length: number; readonly max: number }
type Trying = {
  readonly holder: string
  readonly nth: number
  readonly kind: AttemptedNotification['kind']
  readonly wait: number
}

/** Concurrent claims, and the attempts that are recorded after them. */
type Round = {
  readonly wait: number
  readonly claims: ReadonlyArray<Claiming>
  readonly tries: ReadonlyArray<Trying>
}

export type ClaimHistory = {
  /** The receiver and the due time of each notification. */
  readonly owed: ReadonlyArray<readonly [number, number]>
  readonly rounds: ReadonlyArray<Round>
}

const holders = ['one', 'other', 'third']
const holder = fc.constantFrom(...holders)
const round: fc.Arbitrary<Round> = fc.record({
  wait: fc.nat(20),
  claims: fc.uniqueArray(
    fc.record({ holder, length: fc.integer({ min: 1, max: 40 }), max: fc.integer({ min: 1, max: 6 }) }),
    { selector: (claiming) => claiming.holder, maxLength: 3 },
  ),
  tries: fc.array(
    fc.record({
      holder,
      nth: fc.nat(11),
      kind: fc.constantFrom<AttemptedNotification['kind']>('delivered', 'later', 'failed'),
      wait: fc.nat(30),
    }),
    { maxLength: 6 },
  ),
})

export const anyClaimHistory = (): fc.Arbitrary<ClaimHistory> =>
  fc.record({
    owed: fc.array(fc.tuple(fc.nat(3), fc.nat(30)), { minLength: 1, maxLength: 12 }),
    rounds: fc.array(round, { minLength: 1, maxLength: 8 }),
  })

type Owed = { readonly entry: PendingNotification; readonly claim?: NotificationClaim }
type Model = Map<string, Owed>

const others = (model: Model, now: number, { receiver, holder: own }: { receiver: string; holder: string }) =>
  [...model.values()].filter(
    ({ entry, claim }) =>
      receiverOf(entry) === receiver && claim !== undefined && claim.holder !== own && claim.until > at(now),
  )

/** Asserts the invariants of a claim's result against the model before the claim. */
const assertGiven = (
  model: Model,
  now: number,
  { holder: own, max }: Claiming,
  given: ReadonlyArray<PendingNotification>,
) => {
  assert.ok(given.length <= max, 'no more than asked for')
  for (const entry of given) {
    assert.equal(entry, model.get(entry.id)?.entry)
    assert.ok(!entry.failed && entry.due_at <= at(now), 'what is due')
    assert.equal(others(model, now, { receiver: receiverOf(entry), holder: own }), [], 'of a receiver without a holder')
  }
}

/** A claim without competition receives all unclaimed notifications, the longest due first. */
const assertWhole = (
  model: Model,
  now: number,
  { holder: own, max }: Claiming,
  given: ReadonlyArray<PendingNotification>,
) => {
  const free = [...model.values()]
    .map(({ entry }) => entry)
    .filter((entry) => !entry.failed && entry.due_at <= at(now))
    .filter((entry) => others(model, now, { receiver: receiverOf(entry), holder: own }).length === 0)
    .sort((one, other) => one.due_at - other.due_at)
  assert.equal(given, free.slice(0, max))
}

const claimAll = async (ports: StoreHandles<Owing>, model: Model, now: number, claims: ReadonlyArray<Claiming>) => {
  const outcomes = await race(ports, claims, ({ pendingNotifications }, { holder: own, length, max }) =>
    pendingNotifications.claimDue(at(now), { holder: own, until: at(now + length) }, max),
  )
  const given = await Promise.all(outcomes.map((outcome) => done(async () => outcome)))
  const taken: Array<readonly [string, string]> = []
  for (const [index, claiming] of claims.entries()) {
    const own = given[index] ?? []
    assertGiven(model, now, claiming, own)
    if (claims.length === 1) assertWhole(model, now, claiming, own)
    for (const receiver of new Set(own.map(receiverOf))) taken.push([receiver, claiming.holder])
  }
  assert.is(new Set(taken.map(([receiver]) => receiver)).size, taken.length, 'a receiver has one holder')
  for (const [index, { holder: own, length }] of claims.entries())
    for (const entry of given[index] ?? [])
      model.set(entry.id, { entry, claim: { holder: own, until: at(now + length) } })
}

const tried = (id: string, now: number, { kind, wait }: Trying): AttemptedNotification =>
  kind === 'delivered' ? { id, kind } : { id, kind, attempts: 1, due_at: at(now + wait), note: 'in vain' }

const recordInModel = (model: Model, by: string, each: AttemptedNotification): void => {
  const owed = model.get(each.id)
  if (owed?.claim?.holder !== by) return
  if (each.kind === 'delivered') return void model.delete(each.id)
  const { attempts, due_at, note } = each
  model.set(each.id, { entry: { ...owed.entry, attempts, due_at, note, failed: each.kind === 'failed' } })
}

/** Runs the history on two handles in alternation, and asserts the invariants after each step. */
export const liveClaimHistory = async (ports: StoreHandles<Owing>, { owed, rounds }: ClaimHistory): Promise<void> => {
  const entries = owed.map(([receiver, due], index) =>
    owedEntry(`notice ${index}`, due, { uri: `https://rp${receiver}.example/${index}` }),
  )
  await owe(ports, ...entries)
  const model: Model = new Map(entries.map((entry) => [entry.id, { entry }]))
  let now = 0
  for (const [nth, { wait, claims, tries }] of rounds.entries()) {
    now += wait
    const [first, second] = nth % 2 === 0 ? [ports, ports.other] : [ports.other, ports]
    await claimAll({ ...first, other: second }, model, now, claims)
    for (const trying of tries) {
      const each = tried(`notice ${trying.nth}`, now, trying)
      await done(second.pendingNotifications.recordTries(trying.holder, [each]))
      recordInModel(model, trying.holder, each)
    }
    const left = [...model.values()].map(({ entry }) => entry).sort((one, other) => one.created_at - other.created_at)
    assert.equal(await done(first.pendingNotifications.listNotifications(100)), left)
  }
}
