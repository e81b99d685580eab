import { type OpenedStore, storeContract } from '@clientele/testing'
import { type Half, halfOf } from './half-of.js'
import { postgresqlSuite } from './postgresql-suite.js'
import type { Server } from './server.js'
import { openTwice } from './temporary-store.js'

/** Half of the promises of a store. */
export const runHalfOfContracts = (half: Half): void => {
  const Store = postgresqlSuite(`a store on PostgreSQL, by two services (${half})`)
  // The contracts are named before the server starts.
  const used: { server?: Server } = {}
  const open = (): Promise<OpenedStore> => {
    if (used.server === undefined) throw new Error('a contract opened a store before its test')
    return openTwice(used.server)()
  }
  for (const { name, run } of halfOf(half, storeContract('on PostgreSQL', open)))
    Store(name, async (server) => {
      used.server = server
      await run()
    })
  Store.run()
}
