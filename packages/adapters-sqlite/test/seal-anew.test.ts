import {
  type Reopened,
  done,
  exampleClient,
  sealedInSteps,
  sealingContract,
  updatedExample,
  addition,
  noRow,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as E from 'fp-ts/lib/Either.js'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../src/index.js'
import { beside } from './support/beside.js'
import { encryptionWith, withEarlier } from './support/encryption.js'
import { discard, inFolder, newFolder, opened, optionsOf } from './support/temporary-store.js'

const anew = suite('sealing anew')

const oldKey = encryptionWith('the old key')
const newKey = encryptionWith('the new key')

const both = withEarlier(newKey, oldKey)

const newStore = (): Promise<Reopened> => {
  const folder = newFolder()
  return Promise.resolve({
    open: async (encryption) => {
      const store = await openStore(optionsOf(join(folder, 'clientele.db'), { encryption }))()
      if (E.isLeft(store)) throw new Error(store.left.refusal)
      return store.right
    },
    discard: () => Promise.resolve(discard(folder)),
  })
}

for (const { name, run } of sealingContract('on SQLite', { newStore, earlier: oldKey, both, next: newKey }))
  anew(name, run)

anew(
  'what no key opens stays as it is and is counted; what is written meanwhile is not overwritten',
  inFolder(async (file) => {
    const before = await opened(file, { encryption: oldKey })
    const ids = Array.from({ length: 450 }, (_, index) => `client-${index}`)
    await Promise.all(ids.map((id) => done(before.registry.addClient(addition(exampleClient(id))))))
    await before.close()
    beside(file, (db) => db.exec("UPDATE clients SET metadata = '{}' WHERE client_id = 'client-7'"))

    const store = await opened(file, { encryption: both })
    const replaced = updatedExample(exampleClient('client-449'))
    const [sealed] = await Promise.all([
      sealedInSteps(store),
      done(store.registry.replaceClient({ next: replaced, replacing: exampleClient('client-449'), audit: noRow })),
    ])
    assert.is(sealed.unreadable, 1)
    assert.equal(await done(store.registry.findClient(replaced.client_id)), O.some(replaced))
    await store.close()
  }),
)

anew.run()
