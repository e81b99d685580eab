// Concurrent operations on SQLite may take effect in any order, because each write is sealed before it waits for its
// turn.
import { propertyRuns, runParameters, storeModelProperty, storeModels } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import { inMemoryReference } from '../../adapters-memory/test/support/in-memory-reference.js'
import { openOnce } from './support/temporary-store.js'

const tests = suite('the store on SQLite and the one in memory')

const open = async () => {
  const store = await openOnce()
  return { one: store, other: store, close: store.close }
}

const options = {
  open,
  reference: inMemoryReference,
  atOnce: { min: 1, max: 4 },
  freedoms: { expired: false, order: false },
}

for (const model of storeModels)
  tests(`${model.name}: the same outcomes and state, one after the other or at once`, () =>
    fc.assert(storeModelProperty(model, options), { ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) }),
  )

tests.run()
