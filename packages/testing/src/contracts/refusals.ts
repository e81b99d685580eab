// What was refused lately: what several instances observe is counted together, and is bounded.
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { secondsAfter } from '@clientele/domain/kernel'
import { useUnit } from '@clientele/domain/life-cycle'
import {
  type CountedRefusals,
  type Refused,
  addCounts,
  latestRefusals,
  maxRefusals,
  refusalSenders,
} from '@clientele/domain/managing'
import { exampleClient, exampleTime } from '../examples.js'
import { runParameters } from '../property-runs.js'
import { contract, done, numbers } from './contract.js'

const { client_id } = exampleClient('a')

const group = {
  door: fc.constantFrom('registration' as const, 'configuration' as const),
  rule: fc.constantFrom('redirect-uri-https', 'invalid_token'),
  sender: fc.constantFrom(...refusalSenders),
}
const software = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('', 'urn:app', '(others)') },
  { weight: 1, arbitrary: fc.nat(99).map((nth) => `app-${nth}`) },
)
const at = fc.nat(1_000).map((seconds) => secondsAfter(exampleTime, seconds))
const counted: fc.Arbitrary<CountedRefusals> = fc
  .record({ ...group, software, times: fc.integer({ min: 1, max: 99 }), first_at: at, lasts: fc.nat(99) })
  .map(({ lasts, ...each }) => ({ ...each, last_at: secondsAfter(each.first_at, lasts) }))
const refused: fc.Arbitrary<Refused> = fc.record(
  { ...group, software, at, rules: fc.subarray(['one-rule', 'other_rule']), client_id: fc.constant(client_id) },
  { requiredKeys: ['door', 'rule', 'sender', 'software', 'at', 'rules'], noNullPrototype: true },
)
const observed = fc.record({
  // An instance counts each software of a group once.
  counts: fc.array(counted, { maxLength: 30 }).map(addCounts),
  refusals: fc.array(refused, { maxLength: 10 }),
})

const inOrder = (counts: ReadonlyArray<CountedRefusals>) =>
  counts.map(({ door, rule, sender, ...each }) => JSON.stringify({ door, rule, sender, ...each })).sort()

const flood = (count: number, changes: Partial<Refused>): ReadonlyArray<Refused> =>
  numbers(count).map((nth) => ({
    door: 'registration',
    rule: 'redirect-uri-https',
    sender: 'anonymous',
    at: secondsAfter(exampleTime, nth),
    software: '',
    rules: ['redirect-uri-https'],
    ...changes,
  }))

/** What a store keeps of refusals. */
export const refusalsContract = contract('Refusals', (it) => {
  it('what both handles observe is kept as one would have observed it', async (ports) => {
    const kept: { counts: ReadonlyArray<CountedRefusals>; refusals: ReadonlyArray<Refused> } = {
      counts: [],
      refusals: [],
    }
    const step = fc.asyncProperty(observed, fc.boolean(), async (each, atOther) => {
      await done((atOther ? ports.other : ports).refusals.recordRefusals(each, exampleTime))
      kept.counts = addCounts([...kept.counts, ...each.counts])
      kept.refusals = latestRefusals([...kept.refusals, ...each.refusals])
      for (const handle of [ports, ports.other]) {
        const { counts, refusals } = await done(handle.refusals.listRefusals)
        assert.equal(inOrder(counts), inOrder(kept.counts))
        assert.equal(refusals, kept.refusals)
      }
    })
    await fc.assert(step, { ...runParameters(), endOnFailure: true })
  })

  it('many of one group displace the oldest of it, and none of a group with few', async (ports) => {
    const few = flood(3, { sender: 'initial_access_token', software: 'urn:app' })
    await done(ports.refusals.recordRefusals({ counts: [], refusals: few }, exampleTime))
    const many = flood(maxRefusals + 200, { software: 'flood' })
    await done(ports.other.refusals.recordRefusals({ counts: [], refusals: many }, exampleTime))
    const { refusals } = await done(ports.refusals.listRefusals)
    assert.is(refusals.length, maxRefusals)
    assert.equal(refusals, [...few, ...many.slice(few.length - maxRefusals)])
  })

  it('after thirty days both are forgotten', async (ports) => {
    const refusals = flood(2, {})
    const [first] = refusals
    assert.ok(first)
    const { rules, at: first_at, ...named } = first
    const count = { ...named, times: rules.length, first_at, last_at: secondsAfter(first_at, 1) }
    await done(ports.refusals.recordRefusals({ counts: [count], refusals }, exampleTime))
    const nothing = { counts: [], refusals: [] }
    const later = secondsAfter(exampleTime, 30 * useUnit + 1)
    await done(ports.refusals.recordRefusals(nothing, later))
    assert.equal(await done(ports.other.refusals.listRefusals), { counts: [count], refusals: refusals.slice(1) })
    await done(ports.refusals.recordRefusals(nothing, secondsAfter(later, 1)))
    assert.equal(await done(ports.other.refusals.listRefusals), nothing)
  })
})
