import * as fc from 'fast-check'
import { epochSeconds } from '@clientele/domain/kernel'
import { type CacheFacts, freshnessOf } from '@clientele/domain/provider'
import { law } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cacheDirectives, cacheFacts } from '../../src/http-fields.js'

const Facts = suite('what a response says about caching')
const holds = law(Facts)

const at = epochSeconds(1_800_000_000_000)
type Fields = { readonly [Name in 'age' | 'cache-control' | 'date' | 'expires']?: string | undefined }
const factsOf = (fields: Fields): CacheFacts => cacheFacts((name) => fields[name] ?? '', at)
const controlled = (text: string): CacheFacts => factsOf({ 'cache-control': text })

const cases: ReadonlyArray<readonly [string, CacheFacts]> = [
  ['', {}],
  [' , ,, ', {}],
  ['max-age=5', { max_age: 5 }],
  ['MAX-AGE=5', { max_age: 5 }],
  ['max-age="5"', { max_age: 5 }],
  ['max-age = 5', { max_age: 5 }],
  ['max-age="\\5"', { max_age: 5 }],
  ['public, max-age=5 , must-revalidate', { max_age: 5 }],
  ['extension="a, max-age=9", max-age=5', { max_age: 5 }],
  ['extension="a\\", max-age=9", max-age=5', { max_age: 5 }],
  ['max-age=5, extension="open, s-maxage=9', { max_age: 5 }],
  ['max-age=9, max-age=5', { max_age: 5 }],
  ['max-age=9, max-age=', { max_age: 0 }],
  ['max-age', { max_age: 0 }],
  ['max-age=-1', { max_age: 0 }],
  ['max-age=+1', { max_age: 0 }],
  ['max-age=1.5', { max_age: 0 }],
  ['max-age=1e3', { max_age: 0 }],
  ['max-age=0x10', { max_age: 0 }],
  ['max-age=5;', { max_age: 0 }],
  ['max-age=5=6', { max_age: 0 }],
  ['max-age=٥', { max_age: 0 }],
  ['max-age=2147483648', { max_age: 2 ** 31 }],
  ['max-age=99999999999999999999', { max_age: 2 ** 31 }],
  [`max-age=${'9'.repeat(10_000)}`, { max_age: 2 ** 31 }],
  ['x-max-age=5', {}],
  ['s-maxage=7, max-age=5', { s_maxage: 7, max_age: 5 }],
  ['no-store', { no_cache: true }],
  ['No-Cache="set-cookie"', { no_cache: true }],
  ['private', { no_cache: true }],
  ['__proto__=5, constructor, toString=1', {}],
]

for (const [text, facts] of cases)
  Facts(`Cache-Control: ${text.slice(0, 60)}`, () => assert.equal(controlled(text), facts))

const others: ReadonlyArray<readonly [Fields, CacheFacts]> = [
  [{ age: '5' }, { age: 5 }],
  [{ age: '5, 9' }, { age: 5 }],
  [{ age: '-5' }, {}],
  [{ age: 'old' }, {}],
  [{ age: '99999999999999999999' }, { age: 2 ** 31 }],
  [{ expires: '0' }, { expires_in: 0 }],
  [{ expires: 'tomorrow' }, { expires_in: 0 }],
  [{ expires: 'Fri, 15 Jan 2027 08:01:00 GMT' }, { expires_in: 60 }],
  [{ expires: 'Friday, 15-Jan-27 08:01:00 GMT' }, { expires_in: 60 }],
  [{ expires: 'Fri Jan 15 08:01:00 2027' }, { expires_in: 60 }],
  [{ expires: 'Fri, 15 Jan 2027 07:00:00 GMT' }, { expires_in: 0 }],
  [{ expires: 'Fri, 15 Jan 2027 08:01:00 GMT, Fri, 15 Jan 2027 08:02:00 GMT' }, { expires_in: 0 }],
  [{ expires: 'Fri, 15 Jan 2027 08:01:00 GMT', date: 'Fri, 15 Jan 2027 08:00:50 GMT' }, { expires_in: 10 }],
  [{ expires: 'Fri, 15 Jan 2027 08:01:00 GMT', date: 'now' }, { expires_in: 60 }],
  [{ date: 'Fri, 15 Jan 2027 08:00:50 GMT' }, {}],
]

for (const [fields, facts] of others) Facts(JSON.stringify(fields), () => assert.equal(factsOf(fields), facts))

const pieces = [
  'max-age',
  's-maxage',
  'no-store',
  'private',
  '=',
  ',',
  '"',
  '\\',
  ' ',
  '\t',
  '0',
  '9',
  '-',
  '.',
  ';',
  'x',
]
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.anything().map((value) => fc.stringify(value)),
)
const fields = fc.record({ 'cache-control': texts, age: texts, date: texts, expires: texts })

holds('any text has facts, whose numbers are whole, not negative and at most 2^31', [fields], (given) => {
  for (const [name, value] of Object.entries(factsOf(given)))
    assert.ok(
      typeof value === 'number' ? Number.isInteger(value) && value >= 0 && value <= 2 ** 31 : name === 'no_cache',
    )
})

const bounds = { least_freshness: 300, greatest_freshness: 86_400 }

holds('any text leaves freshness within the bounds of the policy', [fields], (given) => {
  const seconds = freshnessOf(bounds, factsOf(given))
  return seconds >= 300 && seconds <= 86_400
})

const token = fc.stringMatching(/^[a-z][a-z-]{0,8}$/)
const text = fc.string({ maxLength: 10 })
const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`

holds('what is written as quoted strings is read again', [fc.array(fc.tuple(token, text))], (written) => {
  const read = cacheDirectives(written.map(([name, value]) => `${name}=${quoted(value)}`).join(', '))
  for (const [name] of written)
    assert.equal(
      read.get(name),
      written.filter(([other]) => other === name).map(([, value]) => value),
    )
  assert.is(read.size, new Set(written.map(([name]) => name)).size)
})

const added = fc.constantFrom('max-age=9', 'max-age=9000', 'max-age', 'no-store', 'private', 'x=9', 'x="a,b"', '"', '=')

holds(
  'what is added to max-age, but s-maxage, never makes a document fresh for longer',
  [fc.array(fc.nat(100_000), { minLength: 1, maxLength: 3 }), added],
  (ages, more) => {
    const control = ages.map((age) => `max-age=${age}`).join(', ')
    assert.ok(freshnessOf(bounds, controlled(`${control}, ${more}`)) <= freshnessOf(bounds, controlled(control)))
  },
)

Facts('the time is linear in the length of the text', () => {
  for (const piece of ['"', '\\', ',', ' ', '=', 'a="', '"\\', '= ', 'max-age=" ', ',"']) {
    const began = performance.now()
    controlled(piece.repeat(16_384 / piece.length))
    assert.ok(performance.now() - began < 500, piece)
  }
})

Facts.run()
