import * as fc from 'fast-check'
import { law } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { timeOfText } from '../../src/kernel/time.js'

const times = suite('times as texts')
const it = law(times)

it('a time of RFC 3339 is that of the calendar', [fc.integer({ min: 0, max: 4_000_000_000 })], (seconds) => {
  assert.is(timeOfText(new Date(seconds * 1000).toISOString()), seconds)
  assert.is(timeOfText(String(seconds)), seconds)
})

it('any text is a time or none', [fc.string()], (text) => {
  const time = timeOfText(text)
  assert.ok(time === undefined || Number.isSafeInteger(time))
})

for (const text of [
  '2026-13-01',
  '2026-00-01',
  '2026-01-32',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  'monday',
  '',
])
  times(`no time: ${text}`, () => assert.is(timeOfText(text), undefined))

times('a date begins its day in UTC', () => assert.is(timeOfText('2026-01-31'), Date.UTC(2026, 0, 31) / 1000))

times.run()
