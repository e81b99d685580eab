import { done, exampleClient, exampleHash, exampleId } from '@clientele/testing'
import { type ClientRegistry, noLimits } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storeOn } from '@clientele/adapters-sql'
import { type CountedEncryption, counting, encryptionWith } from './support/encryption.js'
import { openedLayers } from './support/opened-layers.js'
import { inFolder } from './support/temporary-store.js'

const find = suite('finding a client')

const own = exampleClient('one').registration_access_token.hash

const onCounted = (body: (registry: ClientRegistry, encryption: CountedEncryption) => Promise<void>) =>
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const encryption = counting(encryptionWith('the right key'))
    const { registry } = storeOn(layers, encryption, '')
    for (const id of ['one', 'two']) await done(registry.addClient(exampleClient(id), O.none, noLimits))
    await body(registry, encryption)
    layers.db.close()
  })

find(
  'a registration seals once, and a read opens once',
  onCounted(async (registry, { requested }) => {
    assert.equal(requested, ['seal', 'seal'])
    await done(registry.findClient(exampleId('one')))
    await done(registry.findClientByToken(exampleId('one'), own))
    assert.equal(requested.slice(2), ['open', 'open'])
  }),
)

find(
  'a wrong token opens nothing, of a client that was read before neither',
  onCounted(async (registry, { requested }) => {
    await done(registry.findClientByToken(exampleId('one'), own))
    for (const [id, token] of [
      ['one', exampleHash('wrong')],
      ['two', own],
      ['never', own],
    ] as const)
      assert.equal(await done(registry.findClientByToken(exampleId(id), token)), O.none)
    assert.equal(requested, ['seal', 'seal', 'open'])
  }),
)

find.run()
