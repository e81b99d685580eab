import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseWellFormedJson } from '../../src/kernel/json.js'
import { law } from '@clientele/testing'

const WellFormedJson = suite('parseWellFormedJson')
const it = law(WellFormedJson)
const nest = (depth: number, open: string, close: string, inside: string): string =>
  open.repeat(depth) + inside + close.repeat(depth)
const isRefused = (text: string): boolean => E.isLeft(parseWellFormedJson(text))

// Names of members that JSON.stringify preserves and that are valid; strings of characters with a meaning in JSON.
const awkward = fc.string({
  unit: fc.constantFrom('"', '\\', ':', '{', '}', '[', ']', ',', '\n', '/', 'é', '𐍈', 'a'),
  maxLength: 8,
})
const scalar = fc.oneof(
  awkward,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const { value: jsonValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const isDeep = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inside) => isDeep(inside, depth - 1)))

it(
  'any JSON value within the depth comes back as JSON.parse reads it',
  [jsonValue, fc.constantFrom(undefined, 2, '\t')],
  (value, indent) => {
    const text = JSON.stringify(value, undefined, indent)
    if (isDeep(value, 32)) assert.ok(isRefused(text))
    else assert.equal(parseWellFormedJson(text), E.right(JSON.parse(text)))
  },
)

it(
  'any text whatever is read as JSON.parse reads it, or refused',
  [fc.oneof(fc.string({ unit: 'binary' }), fc.json())],
  (text) => {
    const parsed = parseWellFormedJson(text)
    if (E.isRight(parsed)) assert.equal(parsed.right, JSON.parse(text))
  },
)

it(
  'a repeated name of a member is refused, at any depth and however it is escaped',
  [awkward, jsonValue, jsonValue, fc.nat(30)],
  (name, one, other, depth) => {
    const escaped = `"${Array.from({ length: name.length }, (_, at) => `\\u${name.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
    const object = `{${JSON.stringify(name)}:${JSON.stringify(one)},"other name":[], ${escaped} : ${JSON.stringify(other)}}`
    assert.ok(isRefused(nest(depth, '[', ']', object)))
    assert.ok(isRefused(nest(depth, '{"a":', '}', object)))
  },
)

it('the same name in different objects is no repetition', [awkward, scalar], (name, value) => {
  const text = JSON.stringify([{ [name]: value }, { [name]: { [name]: value } }])
  assert.equal(parseWellFormedJson(text), E.right(JSON.parse(text)))
})

it('a value that was cut short is refused', [jsonValue, fc.nat()], (value, cut) => {
  const text = JSON.stringify({ value })
  assert.ok(isRefused(text.slice(0, cut % text.length)))
})

for (const depth of [1, 31, 32])
  WellFormedJson(`${depth} levels are read`, () => {
    for (const text of [nest(depth, '[', ']', ''), nest(depth - 1, '{"a":', '}', '{}'), nest(depth, '[', ']', '1')])
      assert.equal(parseWellFormedJson(text), E.right(JSON.parse(text)))
  })

for (const depth of [33, 34, 5000])
  WellFormedJson(`${depth} levels are refused as too deep`, () => {
    for (const text of [
      nest(depth, '[', ']', ''),
      nest(depth - 1, '{"a":', '}', '{}'),
      `{"a":[1,${nest(depth - 2, '[', ']', '')}]}`,
    ])
      assert.match(JSON.stringify(parseWellFormedJson(text)), /32 levels/)
  })

const refused: Readonly<Record<string, string>> = {
  'an empty body': '',
  blanks: '  ',
  'a byte order mark': '\uFEFF{}',
  'a trailing comma': '{"a":1,}',
  'a comment': '{}//',
  NaN: '[NaN]',
  'single quotes': "{'a':1}",
  'trailing garbage': '{}x',
  'two documents': '{}{}',
  'a bare name': '{a:1}',
  'a raw newline in a string': '"\n"',
  'a raw NUL in a string': '"\u0000"',
  'an escaped NUL': '"\\u0000"',
  'an escaped NUL in a name': '{"a\\u0000":1}',
  'a nested NUL': '[[{"a":"b\\u0000"}]]',
  'a lone high surrogate': '"\\ud800"',
  'a lone low surrogate': '"\\udc00"',
  'reversed surrogates': '"\\udc00\\ud800"',
  'a raw lone surrogate': '"\ud800"',
  'a lone surrogate in a name': '{"\\ud800":1}',
  __proto__: '{"__proto__":{"isAdmin":true}}',
  'an escaped __proto__': '{"\\u005f_proto__":1}',
  'a nested __proto__': '{"data":[{"__proto__":null}]}',
  'the same empty name twice': '{"":1,"":2}',
}
for (const [name, text] of Object.entries(refused))
  WellFormedJson(`${name} is refused`, () => assert.ok(isRefused(text)))

WellFormedJson('nothing of a refused text stands in the description', () => {
  for (const text of [
    ...Object.values(refused),
    '<script>distinctive</script>',
    '{"distinctive":"\\u0000"}',
    '{"name":"distinctive","name":"distinctive"}',
  ])
    assert.not.match(JSON.stringify(parseWellFormedJson(text)), /<script|distinctive|isAdmin/)
})

WellFormedJson('names of Object.prototype are names like others', () => {
  const text = '{"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":2}'
  assert.is(JSON.stringify(parseWellFormedJson(text)), JSON.stringify(E.right(JSON.parse(text))))
})

const size = 65_536
const repeated = (text: string): string => text.repeat(Math.floor(size / text.length))
const large: Readonly<Record<string, string>> = {
  'opening brackets': repeated('['),
  'nested arrays': nest(size / 2, '[', ']', ''),
  'nested objects': nest(size / 8, '{"a":', '}', '1'),
  quotes: repeated('"'),
  backslashes: `"${repeated('\\')}"`,
  'escaped quotes': `"${repeated('\\"')}"`,
  'an open string': `"${repeated('\\"')}`,
  'empty strings': `[${repeated('"",')}""]`,
  'colons in a string': `"${repeated(':')}"`,
  colons: repeated(':'),
  blanks: repeated(' '),
  digits: repeated('9'),
  members: `{${Array.from({ length: 7000 }, (_, index) => `"${index}":0`).join(',')}}`,
  'repeated members': `{${repeated('"a":0,')}"a":0}`,
  'empty objects': `[${repeated('{},')}{}]`,
  surrogates: `"${repeated('\\ud800')}"`,
}
for (const [name, text] of Object.entries(large))
  WellFormedJson(`64 KiB of ${name} are read or refused`, () => {
    const parsed = parseWellFormedJson(text)
    if (E.isRight(parsed)) assert.equal(parsed.right, JSON.parse(text))
  })

WellFormedJson.run()
