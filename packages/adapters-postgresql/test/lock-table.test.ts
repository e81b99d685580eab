// A database with little room for locks: the names of verbs are locks of their transaction.
import { exampleClient, listed, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { numbers } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('a full table of locks')

/** Of a session, which keeps them after the statement that found no more room. */
const takeAll = 'SELECT pg_advisory_lock(number) FROM generate_series(1, 1000000) AS numbers (number)'
const giveBack = 'SELECT pg_advisory_unlock(number) FROM generate_series(1, $1::int) AS numbers (number)'

tests.own('lets the verbs of a batch run apart, again where others hold the locks, and all succeed', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const other = new Client({ connectionString: url })
  await other.connect()
  const full = await other.query(takeAll).catch((error: unknown) => String(error))
  await other.query(giveBack, [15])
  const clients = numbers(1_000).map((index) => exampleClient(`${index}`))
  const added = await Promise.all(clients.map((client) => store.registry.addClient(addition(client))()))
  const stored = await listed(store.registry)
  await other.end()
  await store.close()
  assert.match(String(full), 'out of shared memory')
  assert.equal(added.filter(E.isLeft), [])
  assert.is(stored.length, clients.length)
})

tests.run()
