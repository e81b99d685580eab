import { type OpenedStore, storeContract } from '@clientele/testing'
import { postgresqlSuite } from './postgresql-suite.js'
import type { Server } from './server.js'
import { openTwice } from './temporary-store.js'

/** Half of the promises of a store, so that two files share the time that one database needs for all. */
export const runHalfOfContracts = (half: 'even' | 'odd'): void => {
  const Store = postgresqlSuite(`a store on PostgreSQL, by two services (${half})`)
  // The contracts are named before the server starts.
  const used: { server?: Server } = {}
  const open = (): Promise<OpenedStore> => {
    if (used.server === undefined) throw new Error('a contract opened a store before its test')
    return openTwice(used.server)()
  }
  const remainder = half === 'even' ? 0 : 1
  for (const { name, run } of storeContract('on PostgreSQL', open).filter((_, index) => index % 2 === remainder))
    Store(name, async (server) => {
      used.server = server
      await run()
    })
  Store.run()
}
