// Concurrent operations on SQLite may take effect in any order, because each write is sealed before it waits for its
// turn.
import { propertyRuns, runParameters, storeModelProperty, storeModels } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import { inMemoryReference } from '../../adapters-memory/test/support/in-memory-reference.js'
import { openOnce, openTwice } from './support/temporary-store.js'

const tests = suite('the store on SQLite and the one in memory')

const byOneConnection = async () => {
  const store = await openOnce()
  return { one: store, other: store, close: store.close }
}

for (const [how, open] of [
  ['by one connection', byOneConnection],
  ['by two connections', openTwice],
] as const)
  for (const model of storeModels) {
    const options = { open, reference: inMemoryReference, atOnce: { min: 1, max: 4 } }
    tests(`${model.name} ${how}: the same outcomes and state, one after the other or at once`, () =>
      fc.assert(storeModelProperty(model, { ...options, freedoms: { expired: false, order: false } }), {
        ...runParameters(),
        numRuns: Math.ceil(propertyRuns() / 6),
      }),
    )
  }

tests.run()
