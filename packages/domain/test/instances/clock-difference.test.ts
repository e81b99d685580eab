import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { clockDifference, decideClock } from '../../src/kernel/time.js'

const Clock = suite('clockDifference')
const it = law(Clock)

const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
const duration = fc.integer({ min: 0, max: 60_000 })
const shift = fc.integer({ min: -100_000, max: 100_000 })

it('agreeing clocks have no difference, however long the answer takes', [time, duration, duration], (at, to, from) => {
  assert.is(clockDifference({ before: at, store: at + to, after: at + to + from }), 0)
})

it(
  'the difference never exceeds the true one, by no more than the round trip',
  [time, duration, duration, shift],
  (at, to, from, ahead) => {
    const difference = clockDifference({ before: at + ahead, store: at + to, after: at + to + from + ahead })
    assert.ok(Math.abs(difference) <= Math.abs(ahead))
    assert.ok(Math.abs(difference) >= Math.abs(ahead) - to - from)
    assert.ok(difference === 0 || difference > 0 === ahead > 0)
  },
)

it('a greater difference has no milder verdict', [shift, shift], (one, other) => {
  const order = ['agrees', 'differs', 'refused']
  const rank = (difference: number): number => order.indexOf(decideClock(difference))
  if (Math.abs(one) <= Math.abs(other)) assert.ok(rank(one) <= rank(other))
  assert.is(decideClock(one), decideClock(-one))
})

Clock('the bounds are 1 and 5 seconds, which are within', () => {
  assert.equal([0, 1_000, 1_001, 5_000, 5_001].map(decideClock), ['agrees', 'agrees', 'differs', 'differs', 'refused'])
})

Clock.run()
