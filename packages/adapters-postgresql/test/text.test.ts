// Text that PostgreSQL cannot store, or that its driver would change.
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleForeignKey,
  exampleTime,
  refused,
  addition,
  noRow,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('text that cannot be stored')

for (const text of ['a\u0000b', 'a\ud800b', '\udc00'])
  tests(`${JSON.stringify(text)} is refused, and is not taken for other text`, async (server) => {
    const store = await opened(await newStore(server))
    const replaced = Buffer.from(text).toString().replaceAll('\u0000', '')
    await done(store.foreignKeys.addForeignKeys([exampleForeignKey(replaced)], [], noRow))
    assert.is(
      (await refused(store.foreignKeys.addForeignKeys([exampleForeignKey(text)], [], noRow))).error,
      'unavailable',
    )
    assert.is(await done(store.foreignKeys.removeForeignKey(text, noRow)), false)
    assert.equal(await done(store.foreignKeys.readForeignKeys), [exampleForeignKey(replaced)])
    await store.close()
  })

tests('of JSON, it is stored as it is', async (server) => {
  const store = await opened(await newStore(server))
  const client = exampleClient('a')
  await done(store.registry.addClient(addition(client)))
  const granted = { ...exampleAuthorization(client, 'one'), details: { note: 'a\u0000b' } }
  await done(store.authorizations.recordAuthorization(granted, exampleTime))
  assert.equal(await done(store.authorizations.findAuthorization(granted.kind, granted.hash)), O.some(granted))
  await store.close()
})

tests.run()
