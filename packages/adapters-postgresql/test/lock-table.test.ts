// A database with a small table of locks: the names of verbs are locks of their transaction.
import { noLimits } from '@clientele/domain'
import { exampleClient, listed } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { numbers } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('a full table of locks')

const small = {
  max_locks_per_transaction: '10',
  max_connections: '20',
  max_worker_processes: '0',
  max_wal_senders: '0',
}

tests.own('lets the verbs of a batch run apart, and all succeed', async (server) => {
  const url = await newStore(server)
  await server.stop('fast')
  await server.start(small)
  const store = await opened(url)
  const clients = numbers(1_000).map((index) => exampleClient(`${index}`))
  const added = await Promise.all(clients.map((client) => store.registry.addClient(client, O.none, noLimits)()))
  const stored = await listed(store.registry)
  await store.close()
  await server.stop('fast')
  await server.start()
  assert.match(readFileSync(join(server.folder, 'log'), 'utf8'), 'out of shared memory')
  assert.ok(added.every(E.isRight))
  assert.is(stored.length, clients.length)
})

tests.run()
