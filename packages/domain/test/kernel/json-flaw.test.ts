import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flawIn, lineAndColumn, parseWellFormedJson, readJson } from '../../src/kernel/json.js'

const Flaws = suite('the first flaw of a JSON text')
const it = law(Flaws)

const marks = ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '/', '0', '-', 'e', 'true', '\\ud800', '\ufeff']
const nearJson = fc
  .array(fc.oneof(fc.constantFrom(...marks, '"a"', '"b":'), fc.string({ maxLength: 2 })))
  .map((parts) => parts.join(''))
const json = fc
  .tuple(fc.json(), fc.constantFrom(undefined, 2))
  .map(([text, indent]) => JSON.stringify(JSON.parse(text), undefined, indent))
const changed = fc
  .tuple(json, fc.nat(), fc.nat(3), fc.constantFrom('', ...marks))
  .map(
    ([text, at, length, by]) =>
      text.slice(0, at % (text.length + 1)) + by + text.slice((at % (text.length + 1)) + length),
  )
// A member named __proto__ is a flaw of its own.
const sound = json.filter((text) => !text.includes('__proto__'))
const anyText = fc.oneof(fc.string({ unit: 'binary' }), nearJson, json, changed)

it('a text has a flaw where it is refused, within the text, and none where it is read', [anyText], (text) => {
  const flaw = flawIn(text)
  const read = readJson(text)
  if (flaw === undefined) {
    assert.ok(E.isRight(read) || read.left.text.startsWith('has a number'))
    return
  }
  assert.equal(E.isLeft(read) && read.left.text, flaw.text)
  assert.ok(flaw.offset >= 0 && flaw.offset <= text.length)
  const { line, column } = lineAndColumn(text, flaw.offset)
  const lines = text.split(/\r\n|\r|\n/)
  assert.ok(line >= 1 && line <= lines.length)
  assert.ok(column >= 1 && column <= (lines[line - 1] ?? '').length + 1)
  assert.match(flaw.text, ` at line ${line}, column ${column}: `)
  assert.match(flaw.text, /^[ -~]+$/)
})

// What is left of the token in which the character stands.
const within = /^[\w\\.+-]*$/

it(
  'a character that JSON has nowhere is found where it stands, or where its token begins',
  [sound, fc.nat()],
  (text, at) => {
    const index = at % (text.length + 1)
    const flaw = flawIn(`${text.slice(0, index)}\u0001${text.slice(index)}`)
    assert.ok(flaw !== undefined && flaw.offset <= index)
    assert.match(text.slice(flaw.offset, index), within)
  },
)

it(
  'of a text that is cut off, the flaw is the end, or the token that was cut',
  [sound.map((text) => `[${text}]`), fc.nat()],
  (text, at) => {
    const cut = text.slice(0, at % text.length)
    const flaw = flawIn(cut)
    assert.ok(flaw !== undefined)
    assert.match(cut.slice(flaw.offset), within)
  },
)

const name = fc
  .string({ maxLength: 20 })
  .filter((each) => each !== '__proto__' && each.isWellFormed() && !each.includes('\u0000'))

it(
  'a repeated name is found where it is repeated, with the pointer to its member',
  [name, json, fc.nat(5)],
  (repeated, value, lines) => {
    const key = JSON.stringify(repeated)
    const first = `{"outer":[0,{${key}:`
    const text = `${first}${value},${'\n'.repeat(lines)}${key}:1}]}`
    const flaw = flawIn(text)
    const read = parseWellFormedJson(text)
    // The value itself may be refused.
    if (E.isLeft(readJson(value))) return
    const pointer = `/outer/1/${repeated.replaceAll('~', '~0').replaceAll('/', '~1')}`
    assert.is(flaw?.pointer, pointer)
    assert.is(flaw?.offset, text.lastIndexOf(`${key}:1}]}`))
    const inValue = value.split('\n').length - 1
    assert.match(String(flaw?.text), `at line ${1 + inValue + lines}, column`)
    assert.equal(E.isLeft(read) && read.left.errors?.map((each) => [each.pointer, each.rule]), [
      [pointer, 'repeated-name'],
    ])
  },
)

const texts: ReadonlyArray<readonly [string, string]> = [
  ['', 'is not valid JSON at line 1, column 1: a value is expected, and the text ends'],
  ['\ufeff{}', 'is not valid JSON at line 1, column 1: leave out the byte order mark'],
  ['{\n  "a": 1,\n}', 'is not valid JSON at line 3, column 1: leave out the comma before }'],
  ['[1,]', 'is not valid JSON at line 1, column 4: leave out the comma before ]'],
  ['{"a" 1}', 'is not valid JSON at line 1, column 6: a colon is expected'],
  ['{"a":1 "b":2}', 'is not valid JSON at line 1, column 8: a comma or } is expected'],
  ['{\r\n// scope\r\n}', 'is not valid JSON at line 2, column 1: JSON has no comments: leave it out'],
  ["{'a':1}", 'is not valid JSON at line 1, column 2: the name of a member in double quotation marks or } is expected'],
  ['{"é𐍈": x}', 'is not valid JSON at line 1, column 8: a value is expected'],
  ['{}{}', 'is not valid JSON at line 1, column 3: nothing more is expected'],
  ['["a', 'is not valid JSON at line 1, column 4: a string does not end'],
  [
    '["a\tb"]',
    'is not valid JSON at line 1, column 4: a string must not hold a line break or another control character: escape it',
  ],
  ['{"a":[{"b":1,\n"b":2}]}', 'repeats the name of a member at line 2, column 1: write each once'],
  [
    '{"a":"\\u0000"}',
    'holds a lone surrogate, a NUL character or a member named __proto__ at line 1, column 6: leave it out',
  ],
  ['['.repeat(40), 'is nested deeper than 32 levels at line 1, column 33: flatten it'],
]

for (const [text, expected] of texts)
  Flaws(`${JSON.stringify(text.slice(0, 20))} ${expected}`, () => {
    const read = readJson(text)
    assert.is(E.isLeft(read) && read.left.text, expected)
  })

Flaws('a body has the same text, and says what it is about', () => {
  const read = parseWellFormedJson('{"scope": openid}')
  assert.is(
    E.isLeft(read) && read.left.error_description,
    'The body is not valid JSON at line 1, column 11: a value is expected',
  )
})

Flaws.run()
