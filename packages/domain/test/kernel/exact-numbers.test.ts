import * as E from 'fp-ts/lib/Either.js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isExactNumber, parseTokenJson, parseWellFormedJson } from '../../src/kernel/json.js'
import type { Fault } from '../../src/kernel/faults.js'
import { law } from '@clientele/testing'

const Numbers = suite('numbers of a JSON text')
const it = law(Numbers)

const faultsOf = (text: string): ReadonlyArray<Fault> => {
  const parsed = parseWellFormedJson(text)
  return E.isLeft(parsed) ? (parsed.left.errors ?? []) : []
}
const pointersOf = (text: string) => faultsOf(text).map(({ pointer }) => pointer)

// An independent computation of the value: a whole number and a power of ten, of any size.
const partsOf = (text: string): readonly [whole: bigint, power: number] => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
const isSameValue = (one: string, other: string): boolean => {
  const [a, p] = partsOf(one)
  const [b, q] = partsOf(other)
  return a * 10n ** BigInt(p - Math.min(p, q)) === b * 10n ** BigInt(q - Math.min(p, q))
}
const keepsItsValue = (text: string): boolean => {
  const written = JSON.stringify(JSON.parse(text))
  return written !== 'null' && isSameValue(text, written)
}

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0001234567899999')), minLength: 1, maxLength })
const whole = digits(24).map((made) => made.replace(/^0+(?=\d)/, ''))
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits(24), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-0'), fc.nat(340)), { nil: undefined }),
  )
  .map(
    ([sign, integer, fraction, exponent]) =>
      `${sign}${integer}${fraction === undefined ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
  )
// Near the values of doubles: the shortest text of one, and that text with further digits.
const ofDouble = fc
  .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), digits(6), fc.boolean())
  .map(([double, more, longer]) => {
    const text = JSON.stringify(double)
    return longer ? text.replace(/(\.\d+)|$/, (fraction: string) => `${fraction || '.0'}${more}`) : text
  })
  .filter((text) => !/e.*\./.test(text))

it('a number is taken exactly if it is written again with the same value', [fc.oneof(numberText, ofDouble)], (text) => {
  const keeps = keepsItsValue(text)
  assert.is(isExactNumber(text), keeps, text)
  assert.equal(pointersOf(`{"data":[0,{"n":${text}}]}`), keeps ? [] : ['/data/1/n'])
  if (keeps) assert.equal(parseWellFormedJson(text), E.right(JSON.parse(text)))
})

it('the text of every double is taken', [fc.double({ noNaN: true, noDefaultInfinity: true })], (double) =>
  isExactNumber(JSON.stringify(double)),
)

it(
  'numbers within strings are text',
  [numberText, fc.string({ unit: fc.constantFrom('"', '\\', ',', ' ') })],
  (n, more) => E.isRight(parseWellFormedJson(JSON.stringify({ [more + n]: `${n}${more}${n}`, more: [more, n, 1] }))),
)

it('a token is read whatever its numbers are', [numberText], (text) =>
  assert.equal(parseTokenJson(`{"n":${text}}`), E.right(JSON.parse(`{"n":${text}}`))),
)

for (const text of [
  '1.0',
  '1e2',
  '0.10',
  '-0',
  '-0.0e5',
  '0e999999999999',
  '5e-324',
  '1e23',
  '100000000000000000000000',
])
  Numbers(`${text} is another spelling of what is written`, () => assert.equal(faultsOf(text), []))

for (const text of [
  '1e-400',
  '1e400',
  '-1e400',
  '4e-324',
  '0.1000000000000000055511151231257827',
  '1.00000000000000000001',
  '9007199254740993',
  '1e99999999999999999999',
])
  Numbers(`${text} is refused, and the pointer leads to it`, () => {
    assert.equal(
      faultsOf(`{"data":{"a/b":[1,${text}]}}`).map(({ pointer, rule }) => `${pointer} ${rule}`),
      ['/data/a~1b/1 number'],
    )
    assert.equal(pointersOf(text), [''])
  })

Numbers('each number is told, whatever the order of names', () => {
  assert.equal([...pointersOf('{"b":1e400,"1":{"0":1e-400},"a":1,"c":[1e2,1e401]}')].sort(), ['/1/0', '/b', '/c/1'])
})

Numbers('the pointer ends where a name is too long to be told', () => {
  const name = 'x'.repeat(129)
  assert.equal(pointersOf(`{"a":{"${name}":{"b":[1e400,1e401]}},"c":1e400}`), ['/a', '/c'])
  assert.equal(pointersOf(`{"${'/'.repeat(64)}":1e400}`), [''])
})

Numbers('of many numbers, the first ones are told', () => {
  const faults = faultsOf(`[${'1e400,'.repeat(60)}0]`)
  assert.is(faults.length, 50)
  assert.is(faults.at(-1)?.rule, 'more-faults')
  assert.equal(faults[48]?.pointer, '/48')
})

const size = 65_536
const repeated = (text: string): string => `[${text.repeat(Math.floor(size / text.length))}0]`
for (const text of ['1e300,', '1e-400,', '0.1234567890123456,', '9007199254740993,', '"1e400",'])
  Numbers(`64 KiB of ${text} are read or refused, in a small answer`, () => {
    const parsed = parseWellFormedJson(repeated(text))
    assert.is(E.isRight(parsed), text.startsWith('"') || text === '1e300,' || text.startsWith('0.1'))
    if (E.isLeft(parsed)) assert.ok(JSON.stringify(parsed).length < 16_384)
  })

for (const zeros of [
  `1${'0'.repeat(size)}1`,
  `1.${'0'.repeat(size)}1`,
  `0.${'0'.repeat(size)}`,
  `${'1'.repeat(size)}e-9`,
])
  Numbers(`${zeros.slice(0, 4)}… of 64 KiB is judged`, () => assert.is(isExactNumber(zeros), zeros.startsWith('0.')))

Numbers.run()
