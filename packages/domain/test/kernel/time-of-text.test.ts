import * as fc from 'fast-check'
import { law } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsOfText, timeOfText } from '../../src/kernel/time.js'

const times = suite('times as texts')
const it = law(times)

it('a time of RFC 3339 is that of the calendar', [fc.integer({ min: 0, max: 4_000_000_000 })], (seconds) => {
  assert.is(timeOfText(new Date(seconds * 1000).toISOString()), seconds)
  assert.is(timeOfText(String(seconds)), seconds)
})

// A Date counts on from the last day of a month, so that it writes a day that does not exist as another one.
times('every day comes back as it was written, and no other text is a day', () => {
  const written = (number: number, length = 2): string => String(number).padStart(length, '0')
  // RFC 3339, appendix C: each kind of year
  for (const year of [0, 1900, 2000, 2023, 2024, 2100, 9999])
    for (let month = 0; month <= 13; month += 1)
      for (let day = 0; day <= 32; day += 1) {
        const date = `${written(year, 4)}-${written(month)}-${written(day)}`
        const known = new Date(0)
        known.setUTCFullYear(year, month - 1, day)
        const seconds = secondsOfText(`${date}T00:00:00Z`)
        const exists = known.toISOString().startsWith(date)
        assert.is(
          seconds === undefined ? '' : new Date(seconds * 1000).toISOString(),
          exists ? `${date}T00:00:00.000Z` : '',
        )
      }
})

it('any text is a time or none', [fc.string()], (text) => {
  const time = timeOfText(text)
  assert.ok(time === undefined || Number.isSafeInteger(time))
})

for (const text of [
  '2026-13-01',
  '2026-00-01',
  '2026-01-32',
  '2026-04-31',
  '2027-02-29',
  '2100-02-29T12:00:00Z',
  '2028-02-30',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  'monday',
  '',
])
  times(`no time: ${text}`, () => assert.is(timeOfText(text), undefined))

times('a date begins its day in UTC', () => assert.is(timeOfText('2026-01-31'), Date.UTC(2026, 0, 31) / 1000))

times.run()
