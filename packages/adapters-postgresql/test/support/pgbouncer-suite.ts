import { type OpenedStore, storeContract } from '@clientele/testing'
import { type Half, halfOf } from './half-of.js'
import { type Pgbouncer, isPgbouncerInstalled, startPgbouncer } from './pgbouncer.js'
import { postgresqlSuite } from './postgresql-suite.js'
import { races } from './races.js'
import type { Server } from './server.js'
import { openServices } from './services.js'
import { newStore, openTwiceOn } from './temporary-store.js'

const unprepared = { preparedStatements: false }

/** Half of the contracts and races of the store behind PgBouncer in transaction mode. */
export const runHalfBehindPgbouncer = (half: Half): void => {
  const tests = postgresqlSuite(`a store behind PgBouncer (${half})`, isPgbouncerInstalled)
  const running: { pgbouncer?: Pgbouncer; server?: Server } = {}

  /** A new database, with an empty store, through PgBouncer. */
  const pooledStore = async (server: Server): Promise<string> => {
    running.pgbouncer ??= await startPgbouncer(server.url())
    return running.pgbouncer.pooled(await newStore(server))
  }

  const open = async (): Promise<OpenedStore> => {
    if (running.server === undefined) throw new Error('a contract opened a store before its test')
    return openTwiceOn(await pooledStore(running.server), unprepared)
  }

  for (const { name, run } of halfOf(half, storeContract('behind PgBouncer', open)))
    tests(name, async (server) => {
      running.server = server
      await run()
    })

  for (const { name, run } of halfOf(half, races))
    tests(name, async (server) => {
      const services = await openServices(await pooledStore(server), unprepared)
      await run(services).finally(services.close)
    })

  tests('PgBouncer ends', async () => running.pgbouncer?.close())

  tests.run()
}
