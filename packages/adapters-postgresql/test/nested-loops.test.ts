// The planner may choose any plan, by what it knows of the tables: a nested loop runs a subquery again for each row.
import { type OpenedStore, clientLifeContract, clientsContract, grantsContract } from '@clientele/testing'
import { setDefault } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import type { Server } from './support/server.js'
import { newStore, openTwiceOn } from './support/temporary-store.js'

const tests = postgresqlSuite('a store whose planner chooses nested loops')
const others = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize']

const running: { server?: Server } = {}

const open = async (): Promise<OpenedStore> => {
  if (running.server === undefined) throw new Error('a contract opened a store before its test')
  const url = await newStore(running.server)
  for (const plan of others) await setDefault(url, `enable_${plan}`, 'off')
  // A discouraged plan has so high a cost that it would be compiled first.
  await setDefault(url, 'jit', 'off')
  return openTwiceOn(url)
}

const contracts = [clientLifeContract, clientsContract, grantsContract]

for (const { name, run } of contracts.flatMap((contract) => contract('by nested loops', open)))
  tests(name, async (server) => {
    running.server = server
    await run()
  })

tests.run()
