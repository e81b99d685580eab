// What is kept of refusals: bounded, whatever is sent, and so that no group displaces another.
import { exampleTime, law } from '@clientele/testing'
import * as fc from 'fast-check'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fingerprintOf, type TokenHash } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import {
  type CountedRefusals,
  type Refused,
  addCounts,
  groupOf,
  latestRefusals,
  maxSoftwares,
  otherSoftware,
  refusalSenders,
  selectRefusals,
  softwareOf,
} from '../../src/managing/refused.js'

const Kept = suite('what was refused lately')
const it = law(Kept)

const hash = (text: string): TokenHash => createHash('sha256').update(text).digest('base64url') as TokenHash

const group = {
  door: fc.constantFrom('registration' as const, 'token' as const),
  rule: fc.constantFrom('redirect-uri-https', 'invalid_token'),
  sender: fc.constantFrom(...refusalSenders.slice(0, 2)),
}
const time = fc.nat(100).map((seconds) => secondsAfter(exampleTime, seconds))
const software = fc.nat(2 * maxSoftwares).map((nth) => (nth === 0 ? '' : `app-${nth}`))
const counted: fc.Arbitrary<CountedRefusals> = fc
  .record({ ...group, software, times: fc.integer({ min: 1, max: 9 }), at: time, lasts: fc.nat(9) })
  .map(({ at, lasts, ...others }) => ({ ...others, first_at: at, last_at: secondsAfter(at, lasts) }))
const refused: fc.Arbitrary<Refused> = fc.record({ ...group, software, at: time, rules: fc.constant(['other-rule']) })

const times = (counts: ReadonlyArray<CountedRefusals>): number => counts.reduce((sum, each) => sum + each.times, 0)

it('the mark of any body is short and has no odd characters', [fc.anything()], (body) => {
  assert.match(softwareOf(hash)(body), /^[A-Za-z0-9._~:/@+?-]{0,64}$/)
})

it('a software_id is the mark, whatever else is sent', [fc.string()], (client_name) => {
  assert.is(softwareOf(hash)({ software_id: 'urn:app:1', client_name, redirect_uris: [client_name] }), 'urn:app:1')
})

it('without one, the mark says which members were sent, and nothing of their values', [fc.string()], (sent) => {
  const marked = softwareOf(hash)({ redirect_uris: [sent], client_name: sent, [`x-${sent}`]: sent })
  assert.is(marked, `members-${fingerprintOf(hash('software client_name redirect_uris'))}`)
  assert.is(softwareOf(hash)({ client_name: 'other', redirect_uris: [] }), marked)
  assert.is.not(softwareOf(hash)({ redirect_uris: [] }), marked)
})

it('no count is lost, each group has few, and the others are the smallest', [fc.array(counted)], (counts) => {
  const kept = addCounts(counts)
  assert.is(times(kept), times(counts))
  for (const each of new Set(counts.map(groupOf))) {
    const ofGroup = kept.filter((one) => groupOf(one) === each)
    const named = ofGroup.filter((one) => one.software !== otherSoftware)
    assert.ok(named.length <= maxSoftwares && ofGroup.length <= named.length + 1)
    assert.is(new Set(ofGroup.map((one) => one.software)).size, ofGroup.length)
    const least = Math.min(...named.map((one) => one.times))
    const sent = counts.filter((one) => groupOf(one) === each)
    for (const name of new Set(sent.map((one) => one.software)))
      if (!named.some((one) => one.software === name))
        assert.ok(times(sent.filter((one) => one.software === name)) <= least)
  }
})

it('counts are the same in any order, and in any parts', [fc.array(counted)], (counts) => {
  const few = counts.map((each) => ({ ...each, software: each.software.slice(0, 5) }))
  const sorted = (all: ReadonlyArray<CountedRefusals>) => all.map((each) => JSON.stringify(each)).sort()
  const whole = sorted(addCounts(few))
  assert.equal(sorted(addCounts([...few].reverse())), whole)
})

it(
  'of the refusals, the newest of each group are kept, in their order',
  [fc.array(refused, { maxLength: 40 }), fc.integer({ min: 8, max: 20 })],
  (refusals, max) => {
    const kept = latestRefusals(refusals, max)
    assert.is(kept.length, Math.min(max, refusals.length))
    assert.equal(
      kept,
      refusals.filter((each) => kept.includes(each)),
    )
    for (const each of new Set(refusals.map(groupOf))) {
      const ofGroup = refusals.filter((one) => groupOf(one) === each)
      const keptOf = kept.filter((one) => groupOf(one) === each)
      assert.ok(keptOf.length >= Math.min(ofGroup.length, Math.floor(max / 8)))
      assert.equal(keptOf, ofGroup.slice(ofGroup.length - keptOf.length))
    }
  },
)

it(
  'a filter selects what is like that, the most often and the latest first',
  [fc.array(counted), fc.array(refused)],
  (counts, refusals) => {
    const all = selectRefusals({ counts, refusals }, {}, 500)
    assert.equal(all.refusals, [...refusals].reverse())
    assert.ok(all.counts.every((each, place) => place === 0 || each.times <= (all.counts[place - 1]?.times ?? 0)))
    const some = selectRefusals({ counts, refusals }, { door: 'token', sender: 'client', rule: 'invalid_token' }, 500)
    assert.equal(
      some.counts,
      all.counts.filter((each) => groupOf(each) === 'token invalid_token client'),
    )
    const byOther = selectRefusals({ counts, refusals }, { rule: 'other-rule' }, 3)
    assert.equal(byOther, { counts: [], refusals: all.refusals.slice(0, 3) })
  },
)

Kept.run()
