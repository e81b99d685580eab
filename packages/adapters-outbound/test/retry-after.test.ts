import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { retryAfter } from '../src/http-fields.js'

const RetryAfter = suite('Retry-After (RFC 9110 §10.2.3)')

const at = Date.UTC(1994, 10, 6, 8, 49, 30)

RetryAfter('seconds are taken as they are, and never as more than can be counted', () => {
  for (const [value, seconds] of Object.entries({
    '0': 0,
    '120': 120,
    ' 007 ': 7,
    '99999999999999999999999999': Number.MAX_SAFE_INTEGER,
    ['9'.repeat(400)]: Number.MAX_SAFE_INTEGER,
  }))
    assert.is(retryAfter(value, at), seconds, value)
})

RetryAfter('a date is the seconds until then, in each of the three forms; one that is past is none', () => {
  for (const date of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])
    assert.equal(
      [retryAfter(date, at), retryAfter(date, at + 6_500), retryAfter(date, at + 86_400_000)],
      [7, 1, 0],
      date,
    )
})

RetryAfter('anything else says nothing', () => {
  for (const value of [
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '5, 10',
    'Sun',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    '1994-11-06',
  ])
    assert.is(retryAfter(value, at), undefined, value)
})

RetryAfter('whatever is said, it is a whole number of seconds or nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.double().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (value) => {
        const seconds = retryAfter(value, at)
        assert.ok(
          seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0),
          `${value}: ${String(seconds)}`,
        )
      },
    ),
  )
})

RetryAfter.run()
