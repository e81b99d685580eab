import { done, exampleClient, exampleHash, exampleId, addition } from '@clientele/testing'
import type { ClientRegistry } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storeOn } from '@clientele/adapters-sql'
import { type CountedEncryption, counting, encryptionWith } from './support/encryption.js'
import { openedLayers } from './support/opened-layers.js'
import { planOf, recording } from './support/plans.js'
import { inFolder } from './support/temporary-store.js'

const find = suite('finding a client')

const own = exampleClient('one').registration_access_token.hash

const onCounted = (body: (registry: ClientRegistry, encryption: CountedEncryption) => Promise<void>) =>
  inFolder(async (file) => {
    const layers = await openedLayers(file)
    const encryption = counting(encryptionWith('the right key'))
    const { registry } = storeOn(layers, encryption, '')
    for (const id of ['one', 'two']) await done(registry.addClient(addition(exampleClient(id))))
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

find(
  'a token is looked up by the indexes of tokens alone',
  inFolder(async (file) => {
    const prepared: Array<string> = []
    const layers = await openedLayers(file, (db) => recording(db, prepared))
    const { registry } = storeOn(layers, encryptionWith('the right key'), '')
    prepared.length = 0
    assert.equal(await done(registry.findClientByToken(exampleId('one'), own)), O.none)
    assert.is(await done(registry.isRegistrationAccessToken(own)), false)
    const plans = prepared.filter((sql) => sql.includes('token_hash')).map((sql) => planOf(layers.db, sql).join())
    assert.is(plans.length, 1)
    for (const plan of plans) {
      assert.match(plan, 'INDEX clients_by_token (')
      assert.match(plan, 'INDEX clients_by_preceding_token (')
      assert.not.match(plan, 'SCAN')
    }
  }),
)

find.run()
