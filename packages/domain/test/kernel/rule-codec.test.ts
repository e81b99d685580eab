import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isMemberName, members } from '../../src/client/members.js'
import { objectOf } from '../../src/kernel/values.js'
import { type Judging, decode, listThat, optional, valueThat } from '../../src/kernel/faults.js'
import { law, validClientMetadata, withOneFault } from '@clientele/testing'

const RuleCodecs = suite('ruleCodec')
const it = law(RuleCodecs)

const even = valueThat('even', (value): value is number => typeof value === 'number' && value % 2 === 0)
const evens = listThat('list', even, 3, [['long', (list) => list.length > 3]])
const object = objectOf<string>({ object: 'object', unknown: 'unknown' })({ one: even, some: optional(evens) })

const placed = ({ brokenRules }: Judging<string>, value: unknown) =>
  brokenRules(value).map(({ rule, path }) => `${rule} ${path.join('/')}`)

type AnyCodec = Judging<string> & t.Decoder<unknown, unknown> & { readonly is: (value: unknown) => boolean }

const agrees = (codec: AnyCodec, value: unknown): void => {
  const rules = placed(codec, value)
  const decoded = codec.decode(value)
  assert.is(codec.is(value), rules.length === 0)
  assert.is(E.isRight(decoded), rules.length === 0)
  if (E.isRight(decoded)) return assert.is(decoded.right, value)
  assert.equal(
    decoded.left.map(({ message = '', context }) => {
      const steps = context.slice(1).map(({ key }) => key)
      return `${message} ${steps.join('/')}`
    }),
    rules,
  )
  for (const error of decoded.left) assert.is(error.value, undefined)
}

const sent = fc.oneof(
  fc.anything({ withSparseArray: true, withNullPrototype: true }),
  fc.oneof(
    validClientMetadata(),
    withOneFault(validClientMetadata()).map(({ body }) => body),
  ),
)

it('is, decode and the broken rules of every member agree on any value', [fc.anything(), sent], (value, body) => {
  for (const member of Object.values(members)) agrees(member.type.codec, value)
  for (const [name, each] of Object.entries(Object(body)))
    if (isMemberName(name)) agrees(members[name].type.codec, each)
})

it('is, decode and the broken rules of lists and objects agree on any value', [fc.anything()], (value) => {
  for (const codec of [even, evens, object]) {
    agrees(codec, value)
    agrees(codec, [value, 2])
    agrees(codec, { one: value, some: [value] })
  }
})

RuleCodecs('every broken rule is told, with its place', () => {
  assert.equal(placed(evens, 'x'), ['list '])
  assert.equal(placed(evens, [1, 2, 3, 5]), ['long ', 'even 0', 'even 2'])
  assert.equal(placed(evens, Array(3).fill(2, 0, 1).fill(4, 2)), ['even 1'])
  assert.equal(placed(object, { some: [1], other: 1, another: 2 }), [
    'even one',
    'even some/0',
    'unknown other',
    'unknown another',
  ])
  assert.equal(placed(object, []), ['object '])
  assert.equal(placed(object, Object.create({ one: 2 })), ['object '])
})

RuleCodecs('where unknown names break no rule, they are left alone', () => {
  assert.equal(placed(objectOf<string>({ object: 'object' })({ one: even }), { one: 2, other: 1 }), [])
})

RuleCodecs('a name that is unknown is told as far as names are told', () => {
  const [found] = object.brokenRules({ one: 2, [`${'x'.repeat(79)}🦊`]: 1 })
  assert.equal(found?.path, ['x'.repeat(79)])
})

RuleCodecs('the value is decoded, or all that it breaks', () => {
  assert.equal(decode(even)(2), E.right(2))
  assert.equal(decode(even)(1), E.left([{ rule: 'even', path: [] }]))
})

RuleCodecs('within codecs of io-ts it tells its rule and place, and never the value', () => {
  const decoded = t.type({ numbers: evens }).decode({ numbers: [2, 'secret'] })
  if (E.isRight(decoded)) return assert.unreachable()
  assert.equal(
    decoded.left.map(({ message, value, context }) => [message, value, context.map(({ key }) => key)]),
    [['even', undefined, ['', 'numbers', '1']]],
  )
})

RuleCodecs.run()
