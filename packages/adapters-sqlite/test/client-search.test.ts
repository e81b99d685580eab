// The index of texts on SQLite.
import { storeOn } from '@clientele/adapters-sql'
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import { done, exampleClient, exampleTime, addition, removal } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blockSize } from '../../adapters-sql/src/client-search.js'
import { beside } from './support/beside.js'
import { encryptionWith } from './support/encryption.js'
import { openedLayers } from './support/opened-layers.js'
import { explained, recording } from './support/plans.js'
import { inFolder, opened } from './support/temporary-store.js'

const tests = suite('the index of texts on SQLite')

tests(
  'keeps no block of which all clients are removed',
  inFolder(async (file) => {
    const store = await opened(file)
    const blocks = (): unknown => beside(file, (db) => db.prepare('SELECT count(*) FROM search_blocks').pluck().get())
    const found = async (): Promise<number> =>
      (
        await done(
          store.clientSearch.searchClients(
            { q: 'example' },
            { now: exampleTime, lifeCycle: defaultLifeCycle },
            { after: 0, limit: 100 },
          ),
        )
      ).clients.length
    const clients = Array.from({ length: 2 * blockSize + 2 }, (_, place) => exampleClient(`client-${place}`))
    for (const client of clients) await done(store.registry.addClient(addition(client)))
    while ((await done(store.clientSearch.indexTexts(100))) > 0) await Promise.resolve()
    assert.is(blocks(), 3)
    assert.is(await found(), clients.length)
    for (const { client_id } of clients.slice(1)) await done(store.registry.removeClient(removal(client_id)))
    for (let step = 0; step < 3; step += 1) await done(store.clientSearch.indexTexts(100))
    assert.is(blocks(), 1)
    assert.is(await found(), 1)
    await store.close()
  }),
)

tests(
  'has the texts of a client that cannot be listed, new or changed, and then nothing to do',
  inFolder(async (file) => {
    const store = await opened(file)
    await done(store.registry.addClient(addition(exampleClient('a'))))
    const set = (column: string, value: string) =>
      beside(file, (db) => db.prepare(`UPDATE clients SET ${column} = ?`).run(value))
    const indexed = async () => [
      await done(store.clientSearch.indexTexts(10)),
      await done(store.clientSearch.indexTexts(10)),
    ]
    set('registered_by', 'what a later release knows')
    assert.equal(await indexed(), [1, 0])
    beside(file, (db) => db.exec('UPDATE clients SET reindex = 1'))
    assert.equal(await indexed(), [1, 0])
    const progress = 'SELECT indexed_to, (SELECT sum(reindex) FROM clients) AS changed FROM search_progress'
    assert.equal(
      beside(file, (db) => db.prepare(progress).get()),
      { indexed_to: 1, changed: 0 },
    )
    set('registered_by', 'token')
    const facts = { now: exampleTime, lifeCycle: defaultLifeCycle }
    const found = await done(store.clientSearch.searchClients({ q: 'example' }, facts, { after: 0, limit: 10 }))
    assert.is(found.clients.length, 1)
    await store.close()
  }),
)

tests(
  'reads the texts of blocks from the first of each block on, and no client that is indexed among those that wait',
  inFolder(async (file) => {
    const prepared: Array<string> = []
    const layers = await openedLayers(file, (db) => recording(db, prepared))
    const { registry, clientSearch } = storeOn(layers, encryptionWith('the right key'), '')
    await done(registry.addClient(addition(exampleClient('a'))))
    const facts = { now: exampleTime, lifeCycle: defaultLifeCycle }
    await done(clientSearch.searchClients({ q: 'example' }, facts, { after: 0, limit: 100 }))
    const [inBlocks = ''] = prepared.filter((sql) => sql.includes('json_each'))
    // Not from the first of the range on, which would be all texts for each block.
    const operations = explained(layers.db, inBlocks)
    assert.ok(operations.includes('SeekGE') && !operations.includes('SeekGT'), operations.join(' '))
    const [waiting = ''] = prepared.filter((sql) => sql.includes('search_progress') && sql.includes('AS added'))
    const steps = explained(layers.db, waiting)
    // The place up to which clients are indexed is known before the first of them is looked for.
    assert.ok(steps.includes('SeekGT') && steps.indexOf('Rewind') < steps.indexOf('SeekGT'), steps.join(' '))
    layers.db.close()
  }),
)

tests.run()
