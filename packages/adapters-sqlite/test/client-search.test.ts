// The index of texts on SQLite.
import { defaultLifeCycle, noLimits } from '@clientele/domain'
import { done, exampleClient, exampleTime } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { blockSize } from '../../adapters-sql/src/search-index.js'
import { beside } from './support/beside.js'
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
    for (const client of clients) await done(store.registry.addClient(client, O.none, noLimits))
    while ((await done(store.clientSearch.indexTexts(100))) > 0) await Promise.resolve()
    assert.is(blocks(), 3)
    assert.is(await found(), clients.length)
    for (const { client_id } of clients.slice(1)) await done(store.registry.removeClient(client_id, O.none))
    for (let step = 0; step < 3; step += 1) await done(store.clientSearch.indexTexts(100))
    assert.is(blocks(), 1)
    assert.is(await found(), 1)
    await store.close()
  }),
)

tests.run()
