import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EpochSeconds, epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { epochSecond, law } from '@clientele/testing'

const EpochSecondsSuite = suite('EpochSeconds')
const it = law(EpochSecondsSuite)

it(
  'milliseconds are cut to whole seconds, never before the epoch',
  [fc.integer({ min: -1e13, max: 1e13 })],
  (milliseconds) => {
    const seconds = epochSeconds(milliseconds)
    assert.ok(EpochSeconds.is(seconds))
    if (milliseconds >= 0) assert.ok(seconds * 1000 <= milliseconds && milliseconds < (seconds + 1) * 1000)
  },
)

it('seconds after are added', [epochSecond(), fc.nat()], (start, seconds) =>
  assert.is(secondsAfter(start, seconds), start + seconds),
)

EpochSecondsSuite('a fraction, a negative number, an infinite one and a text are none', () => {
  for (const value of [0.5, -1, NaN, Infinity, 2 ** 60, '1', null, undefined]) assert.not(EpochSeconds.is(value))
})

EpochSecondsSuite.run()
