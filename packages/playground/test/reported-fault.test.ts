import { stepsOf } from '@clientele/domain/kernel'
import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { placeInJson } from '../src/reported-fault.js'
import { bodyText } from './support/states.js'

const JsonPlace = suite('placeInJson')
const it = law(JsonPlace)

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

type Found = readonly [pointer: string, value: unknown]

const everyValue = (value: unknown, pointer = ''): ReadonlyArray<Found> => [
  [pointer, value],
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([step, inside]) => everyValue(inside, `${pointer}/${escaped(step)}`))
    : []),
]

const textAt = (text: string, pointer: string): string | undefined => {
  const place = placeInJson(text, pointer)
  return place === undefined ? undefined : text.slice(place.start, place.end)
}

it(
  'every value of a JSON text is found by its pointer, however the text is laid out',
  [fc.jsonValue(), fc.constantFrom(undefined, 1, '\t\n')],
  (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    for (const [pointer, inside] of everyValue(JSON.parse(text))) {
      const found = textAt(text, pointer)
      assert.is.not(found, undefined, pointer)
      assert.equal(JSON.parse(found ?? ''), inside, pointer)
    }
  },
)

it('in any text and for any pointer, a place is one of the text', [bodyText(), fc.string()], (text, pointer) => {
  const place = placeInJson(text, pointer)
  if (place !== undefined) assert.ok(0 <= place.start && place.start < place.end && place.end <= text.length)
})

it('a pointer and its steps are the same', [fc.array(fc.string())], (steps) => {
  assert.equal(stepsOf(steps.map((step) => `/${escaped(step)}`).join('')), steps)
})

JsonPlace('names with quotation marks, slashes and tildes are told apart, and strings hold no structure', () => {
  const text = '{"a/b": 1, "a~b": 2, "a\\"}{": 3, "": 4, "c": "}],{:", "d": [{}, [5]]}'
  assert.equal(
    ['/a~1b', '/a~0b', '/a"}{', '/', '/c', '/d/0', '/d/1/0', '/d/2', '/e'].map((pointer) => textAt(text, pointer)),
    ['1', '2', '3', '4', '"}],{:"', '{}', '5', undefined, undefined],
  )
})

JsonPlace('100 000 nested arrays are no obstacle', () => {
  const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  assert.equal(placeInJson(text, '/0/0'), { start: 2, end: 199_998 })
})

JsonPlace.run()
