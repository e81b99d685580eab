import { done, exampleClient, exampleId, addition } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encryptionWith, webEncryptionWith } from './support/encryption.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const digestKey = suite('the digest key')

for (const [where, encryption] of Object.entries({
  'on this thread': encryptionWith('the right key'),
  'on other threads': webEncryptionWith('the right key'),
}))
  digestKey(
    `of first openings of one new file at once, encrypted ${where}, all have the key of one of them`,
    inFolder(async (file) => {
      const names = Array.from({ length: 8 }, (_, index) => `the key of opening ${index}`)
      const stores = await Promise.all(
        names.map((name) => opened(file, { shared: true, encryption, generateKey: () => name })),
      )
      const [{ digestKey: key } = { digestKey: 'none' }] = stores
      assert.ok(names.includes(key))
      assert.equal(
        stores.map((store) => store.digestKey),
        names.map(() => key),
      )
      await Promise.all(
        stores.map(({ registry }, index) => done(registry.addClient(addition(exampleClient(`c-${index}`))))),
      )
      for (const store of stores) await store.close()
      const again = await opened(file, { encryption })
      assert.is(again.digestKey, key)
      for (const index of names.keys())
        assert.ok(O.isSome(await done(again.registry.findClient(exampleId(`c-${index}`)))))
      await again.close()
    }),
  )

digestKey(
  'a key that does not open is refused, and is not replaced',
  inFolder(async (file) => {
    await (await opened(file)).close()
    const refusal = await refusalOf(file, { encryption: encryptionWith('another key'), generateKey: () => 'another' })
    assert.is(refusal.refusal, 'wrong-encryption-key')
    const again = await opened(file)
    assert.is(again.digestKey, 'a-fresh-digest-key')
    await again.close()
  }),
)

digestKey.run()
