// The contracts and races of the store behind PgBouncer in transaction mode.
import { type OpenedStore, storeContract } from '@clientele/testing'
import { type Pgbouncer, isPgbouncerInstalled, startPgbouncer } from './support/pgbouncer.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { races } from './support/races.js'
import type { Server } from './support/server.js'
import { openServices } from './support/services.js'
import { newStore, openTwiceOn } from './support/temporary-store.js'

const tests = postgresqlSuite('a store behind PgBouncer', isPgbouncerInstalled)

const running: { pgbouncer?: Pgbouncer; server?: Server } = {}
const unprepared = { preparedStatements: false }

/** A new database, with an empty store, through PgBouncer. */
const pooledStore = async (server: Server): Promise<string> => {
  running.pgbouncer ??= await startPgbouncer(server.url())
  return running.pgbouncer.pooled(await newStore(server))
}

const open = async (): Promise<OpenedStore> => {
  if (running.server === undefined) throw new Error('a contract opened a store before its test')
  return openTwiceOn(await pooledStore(running.server), unprepared)
}

for (const { name, run } of storeContract('behind PgBouncer', open))
  tests(name, async (server) => {
    running.server = server
    await run()
  })

for (const { name, run } of races)
  tests(name, async (server) => {
    const services = await openServices(await pooledStore(server), unprepared)
    await run(services).finally(services.close)
  })

tests('PgBouncer ends', async () => running.pgbouncer?.close())

tests.run()
