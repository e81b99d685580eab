import { exampleClient, addition, removal } from '@clientele/testing'
import * as assert from 'uvu/assert'
import { newDatabase } from './support/new-database.js'
import { last } from './support/next-release.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { artefactRaces } from './support/artefact-races.js'
import { races } from './support/races.js'
import { atOnce, expectOnly, numbers, openServices } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('three services on one database')

tests('of 8 first starts at once on an empty database, all open one store', async (server) => {
  const url = await newDatabase(server)
  const stores = await Promise.all(numbers(8).map((index) => opened(url, { generateKey: () => `key-${index}` })))
  assert.is(new Set(stores.map(({ digestKey }) => digestKey)).size, 1)
  for (const store of stores) await store.close()
  assert.equal(await query(url, 'SELECT product, version::int FROM schema_version'), [
    { product: 'clientele', version: last },
  ])
})

tests('a removal beside registrations of the same id is done, or there is no such client', async (server) => {
  const services = await openServices(await newStore(server))
  const { client_id } = exampleClient('a')
  for (const round of numbers(20)) {
    const outcomes = await atOnce<{ readonly error: string }, unknown>(services, 12, ({ registry }, index) =>
      index % 4 === round % 4
        ? registry.addClient(addition(exampleClient('a', index % 2 === 0 ? 'first' : 'second')))
        : registry.removeClient(removal(client_id)),
    )
    expectOnly(outcomes, 'unknown_client', 'client_id_taken')
  }
  await services.close()
})

for (const { name, run } of [...races, ...artefactRaces])
  tests(name, async (server) => {
    const services = await openServices(await newStore(server))
    await run(services).finally(services.close)
  })

tests.run()
