import { engineContract } from '../../adapters-sql/test/engine-contract.js'
import { createDatabase } from '../src/database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore, optionsOf } from './support/temporary-store.js'

const engine = postgresqlSuite('verbs on PostgreSQL')

for (const { name, run } of engineContract)
  engine(name, async (server) => {
    const url = await newStore(server)
    await query(url, 'DELETE FROM secrets')
    const one = createDatabase(optionsOf(url))
    const other = createDatabase(optionsOf(url))
    const close = async (): Promise<void> => {
      await one.close()
      await other.close()
    }
    await run({ one, other }).finally(close)
  })

engine.run()
