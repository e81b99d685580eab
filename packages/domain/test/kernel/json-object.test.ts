import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isJsonObject, isPlainObject, isSameJson, maxDepth } from '../../src/kernel/json-object.js'
import { customData, law } from '@clientele/testing'

const JsonObject = suite('isJsonObject')
const it = law(JsonObject)
const isJson = isJsonObject(maxDepth)
const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
})
const nested = (depth: number): unknown =>
  Array.from({ length: depth - 1 }).reduce<unknown>((inside) => ({ a: inside }), {})

it('any value whatever is judged, and what is accepted comes back from its text as it is', [anything], (value) => {
  if (!isJson(value)) return
  const text = JSON.stringify(value)
  assert.is(JSON.stringify(JSON.parse(text)), text)
  assert.equal(Object.keys(JSON.parse(text)), Object.keys(value))
})

it('any value within an object is judged likewise', [anything], (value) => {
  if (isJson({ value })) assert.equal(JSON.parse(JSON.stringify([value])), JSON.parse(JSON.stringify([value], null, 1)))
  else assert.not(isJson({ deeper: [{ value }] }))
})

it('custom data are JSON objects', [customData()], isJson)

JsonObject('what refers to itself is none', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = [cyclic, cyclic, { cyclic }]
  const list: Array<unknown> = []
  list.push(list, list)
  assert.not(isJson(cyclic))
  assert.not(isJson({ list }))
})

JsonObject('32 levels are within the depth, 33 are not', () => {
  assert.ok(isJson(nested(32)))
  assert.not(isJson(nested(33)))
})

const outside: Readonly<Record<string, unknown>> = {
  undefined,
  'a function': () => 1,
  'a symbol': Symbol('a'),
  'a big integer': 1n,
  NaN,
  Infinity,
  'a date': new Date(0),
  'a map': new Map(),
  'a set': new Set(),
  'a hole': Array(1),
  'an own toJSON': { toJSON: () => 1 },
  'an instance': new URL('https://rp.example/'),
  'a lone surrogate': '\ud800',
  'a lone surrogate as a name': { '\ud800': 1 },
  'a boxed string': Object('a'),
  'a typed array': new Uint8Array(1),
  'an inherited member': Object.create({ a: 1 }),
  'a symbol as a name': { [Symbol('a')]: 1 },
  'a large hole': Array(4_294_967_295),
}
for (const [name, value] of Object.entries(outside))
  JsonObject(`${name} is no JSON value`, () => {
    assert.not(isJson({ value }))
    assert.not(isJson({ inside: [value] }))
  })

JsonObject('an array, a string and null are no objects', () => {
  for (const value of [[], 'a', null, 1, true]) assert.not(isJson(value))
})

JsonObject('more than 20000 values are too many', () =>
  assert.not(isJson({ many: Array.from({ length: 20_000 }, () => 0) })),
)

it('a plain object is one without a class, a symbol or an array', [anything], (value) => {
  if (isPlainObject(value)) assert.ok([Object.prototype, null].includes(Object.getPrototypeOf(value)))
})

it('the same JSON is the same text', [customData(), customData()], (one, other) => {
  const first = JSON.parse(JSON.stringify(one))
  const second = JSON.parse(JSON.stringify(other))
  assert.ok(isSameJson(first, JSON.parse(JSON.stringify(first))))
  assert.is(isSameJson(first, second), JSON.stringify(one) === JSON.stringify(other))
})

JsonObject('no data is the same as no data, and not as empty data', () => {
  assert.ok(isSameJson(undefined, undefined))
  assert.not(isSameJson(undefined, {}))
})

JsonObject.run()
