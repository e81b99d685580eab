import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { isPlainObject, jsonInOrder, ownMember } from '../../src/kernel/json-object.js'
import { mergePatch } from '../../src/kernel/json.js'

const MergePatch = suite('JSON Merge Patch')
const it = law(MergePatch)

// RFC 7396 Appendix A: the original, the patch and the result
const testCases: ReadonlyArray<readonly [unknown, unknown, unknown]> = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

MergePatch('the test cases of RFC 7396 Appendix A', () => {
  for (const [original, patch, result] of testCases) assert.equal(mergePatch(original, patch), result)
})

// Few names, so that patches meet; among them those that all objects have
const json = () =>
  fc.letrec<{ readonly value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 7, 'text', ['list']),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value'), { noNullPrototype: true }),
    ),
  })).value
const patches = (...names: ReadonlyArray<string>) =>
  fc.dictionary(fc.constantFrom(...names), json(), { noNullPrototype: true })

// dequal of uvu reads the member constructor of each object.
const same = (one: unknown, other: unknown): void => assert.is(jsonInOrder(one), jsonInOrder(other))

it('the empty patch changes nothing', [patches('a', 'b')], (target) => {
  same(mergePatch(target, {}), target)
})

it('a patch that was applied changes nothing again', [json(), json()], (target, patch) => {
  const once = mergePatch(target, patch)
  same(mergePatch(once, patch), once)
})

it(
  'patches of other members come to the same in any order, and at once',
  [json(), patches('a', 'b'), patches('c', '__proto__')],
  (target, one, other) => {
    const both = mergePatch(mergePatch(target, one), other)
    same(mergePatch(mergePatch(target, other), one), both)
    same(mergePatch(target, Object.fromEntries([...Object.entries(one), ...Object.entries(other)])), both)
  },
)

it('members that the patch does not name stay, and none becomes null', [json(), patches('a', 'b')], (target, patch) => {
  const merged = mergePatch(target, patch)
  assert.ok(isPlainObject(merged))
  for (const [name, value] of Object.entries(isPlainObject(target) ? target : {}))
    if (!Object.hasOwn(patch, name)) same(merged[name], value)
  for (const name of Object.keys(patch)) assert.is.not(ownMember(merged, name), null)
})

it('it is total, and changes neither value', [fc.anything(), fc.anything()], (target, patch) => {
  const before = fc.stringify([target, patch])
  mergePatch(target, patch)
  assert.is(fc.stringify([target, patch]), before)
})

it('no member becomes a prototype', [json(), json()], (target, patch) => {
  const merged = mergePatch(target, patch)
  const isObject = typeof merged === 'object' && merged !== null && !Array.isArray(merged)
  assert.ok(!isObject || Object.getPrototypeOf(merged) === Object.prototype)
})

MergePatch.run()
