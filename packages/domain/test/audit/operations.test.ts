import { epochSeconds } from '@clientele/domain/kernel'
import { changedKids, keysOf, newRing, rollOver } from '@clientele/domain/keys'
import { auditQuery } from '@clientele/domain/operations'
import { law, namedKey } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const Operations = suite('audit rows of operations')
const it = law(Operations)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const at = epochSeconds(1_000_000_000_000)
const kid = fc.string({ minLength: 1 })

it('the first ring of a name changes its key, and a ring in place of itself changes none', [kid], (first) => {
  const ring = newRing(policy, at)('ES256', 'sig', namedKey(first))
  assert.equal(changedKids(undefined, ring), [first])
  assert.equal(changedKids(ring, ring), [])
})

it(
  'a roll-over changes the successor only, and back again',
  [fc.uniqueArray(kid, { minLength: 2, maxLength: 2 })],
  (kids) => {
    const [first = '', second = ''] = kids
    const ring = newRing(policy, at)('ES256', 'sig', namedKey(first))
    const rolled = rollOver(policy, at)(ring, namedKey(second))
    if (E.isLeft(rolled)) throw new Error('not rolled over')
    assert.equal(changedKids(ring, rolled.right), [second])
    assert.equal(changedKids(rolled.right, ring), [second])
    const phases = keysOf(rolled.right).map(({ phase }) => phase)
    assert.equal(phases.sort(), ['announced', 'signing'])
  },
)

const text = fc.option(
  fc.oneof(
    fc.string(),
    fc.nat(2_000).map(String),
    fc.constantFrom('2026-01-31', 'client_deleted'),
    fc.tuple(fc.integer(), fc.integer()).map(([at, ordinal]) => `${at}-${ordinal}`),
  ),
  { nil: undefined },
)

const names = ['limit', 'before', 'since', 'until', 'action']

it('each wrong parameter is named, and only those', [text, text, text, text, text], (...texts) => {
  const given = Object.fromEntries(
    names
      .map((name, place) => [name, texts[place]] as const)
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const query = auditQuery(given)
  const named = E.isLeft(query) ? query.left.error_description.split('; ').map((each) => each.split(' ')[0]) : []
  const alone = Object.entries(given).filter(([name, value]) => E.isLeft(auditQuery({ [name]: value })))
  assert.equal(
    named,
    names.filter((name) => alone.some(([each]) => each === name)),
  )
})

Operations.run()
