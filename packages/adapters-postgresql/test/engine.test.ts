import { engineContract } from '../../adapters-sql/test/engine-contract.js'
import { createDatabase } from '../src/database.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
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

engine('a transaction that found no room runs again on the connection that it had', async (server) => {
  const { ask, transaction, close } = createDatabase(optionsOf(await newStore(server), { maxConnections: 1 }))
  let attempts = 0
  const done = await transaction(async (query) => {
    attempts += 1
    // out_of_memory
    if (attempts === 1) await query({ name: '', text: `DO $$ BEGIN RAISE SQLSTATE '53200'; END $$` })
    return E.right(attempts)
  })()
  const asked = await ask((query) => query({ name: '', text: 'SELECT 1 AS one' }))()
  await close()
  assert.equal([done, asked], [E.right(E.right(2)), E.right([{ one: 1 }])])
})

engine.run()
