import { type OpenedStore, storeContract } from '@clientele/testing'
import { postgresqlSuite } from './support/postgresql-suite.js'
import type { Server } from './support/server.js'
import { openTwice } from './support/temporary-store.js'

const Store = postgresqlSuite('a store on PostgreSQL, by two services')

// The contracts are named before the server starts.
const used: { server?: Server } = {}
const open = (): Promise<OpenedStore> => {
  if (used.server === undefined) throw new Error('a contract opened a store before its test')
  return openTwice(used.server)()
}

for (const { name, run } of storeContract('on PostgreSQL', open))
  Store(name, async (server) => {
    used.server = server
    await run()
  })
Store.run()
