import { storeContract } from '@clientele/testing'
import { suite } from 'uvu'
import { emptyState, inMemoryStore } from '../src/index.js'

const Store = suite('a store in memory, by two views')
const open = async () => {
  const state = emptyState()
  return { one: inMemoryStore(state), other: inMemoryStore(state), close: async () => undefined }
}
for (const { name, run } of storeContract('in memory', open)) Store(name, run)
Store.run()
