import type { Store as StoreType } from '@clientele/domain/ports'
import { storeContract } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, openInMemoryStore, type State } from '../src/index.js'

const Store = suite('a store in memory, opened twice')

const opened = async (state: State | undefined, digestKey: string): Promise<StoreType> => {
  const never = () => TE.left({ error: 'unavailable' as const, detail: 'nothing is sealed in memory' })
  const encryption = { seal: never, open: never, isCurrent: never }
  const store = await openInMemoryStore(state)({
    encryption,
    generateKey: () => digestKey,
    onFatal: () => assert.unreachable(),
  })()
  if (E.isLeft(store)) throw new Error(store.left.message)
  return store.right
}

const open = async () => {
  const state = emptyState()
  return { one: await opened(state, 'one'), other: await opened(state, 'other'), close: async () => undefined }
}
for (const { name, run } of storeContract('in memory', open)) Store(name, run)

Store('stores that are given no state have nothing in common', async () => {
  assert.is((await opened(undefined, 'one')).digestKey, 'one')
  assert.is((await opened(undefined, 'other')).digestKey, 'other')
})

Store.run()
