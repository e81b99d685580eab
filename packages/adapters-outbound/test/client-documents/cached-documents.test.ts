import * as fc from 'fast-check'
import { law } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createBoundedCache, createRequestBudget, heapSize } from '../../src/client-documents.js'
import { epochSeconds } from '@clientele/domain/kernel'

const Cached = suite('what is stored in memory')
const holds = law(Cached)

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const steps = fc.array(fc.tuple(fc.constantFrom('get', 'set'), key, fc.integer({ min: 1, max: 12 })), { maxLength: 60 })

type Entry = { readonly key: string; readonly value: number; readonly bytes: number }

const without = (entries: ReadonlyArray<Entry>, name: string): ReadonlyArray<Entry> =>
  entries.filter((entry) => entry.key !== name)

const fitting = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.length > 4 || entries.reduce((sum, { bytes }) => sum + bytes, 0) > 20 ? fitting(entries.slice(1)) : entries

holds('a cache keeps the entries that were used last, as many as its bounds permit', [steps], (all) => {
  const cache = createBoundedCache<{ readonly value: number }>(4, 20)
  all.reduce<ReadonlyArray<Entry>>((model, [step, name, bytes], value) => {
    const known = model.find((entry) => entry.key === name)
    if (step === 'set') {
      cache.set(name, { value }, { size: bytes })
      return fitting([...without(model, name), { key: name, value, bytes }])
    }
    assert.is(cache.get(name)?.value, known?.value)
    return known === undefined ? model : [...without(model, name), known]
  }, [])
})

Cached('an entry larger than the bounds is not stored', () => {
  const cache = createBoundedCache<{ readonly value: number }>(4, 20)
  cache.set('a', { value: 1 }, { size: 21 })
  assert.is(cache.get('a'), undefined)
})

holds(
  'no window has more requests than the budget, to one host and in all',
  [fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(7)), { maxLength: 100 })],
  (requests) => {
    const mayRequest = createRequestBudget({ each: 3, all: 5, window: 10 })
    const sent: Array<{ readonly host: string; readonly at: number }> = []
    requests.reduce((at, [host, pause]) => {
      if (mayRequest(host, epochSeconds(at * 1000))) sent.push({ host, at })
      return at + pause
    }, 1_000)
    for (const { at } of sent) {
      // Around a boundary, two windows meet.
      const together = sent.filter((other) => other.at >= at && other.at < at + 10)
      assert.ok(together.length <= 10)
      for (const host of ['a', 'b', 'c']) assert.ok(together.filter((other) => other.host === host).length <= 6)
    }
  },
)

const grows = (piece: string): string => `[${Array.from({ length: 20_000 }, () => piece).join(',')}]`

for (const piece of ['[]', '{}', '1.5', '"ab"', '{"a":1.5}', '[[[[[]]]]]'])
  Cached(`the size of parsed values is not underestimated: ${piece}`, () => {
    const text = grows(piece)
    const before = process.memoryUsage().heapUsed
    const values: ReadonlyArray<unknown> = Array.from({ length: 10 }, (): unknown => JSON.parse(text))
    const used = (process.memoryUsage().heapUsed - before) / values.length
    assert.ok(used < heapSize(text) * 1.2, `${used} of ${heapSize(text)}`)
  })

Cached.run()
