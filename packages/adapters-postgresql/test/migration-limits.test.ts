// The limits of a migration, and what is left of one that is interrupted.
import * as E from 'fp-ts/lib/Either.js'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { migrateDatabaseBy, statementsOf } from '../src/migrate.js'
import type { Migrations } from '../src/schema.js'
import { newDatabase } from './support/new-database.js'
import { last, nextMigrations } from './support/next-release.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { type Cut, startProxy } from './support/proxy.js'
import { query } from './support/query.js'
import type { Server } from './support/server.js'
import { newStore, optionsOf } from './support/temporary-store.js'

const tests = postgresqlSuite('a migration')

tests('may take longer than a request', async (server) => {
  const options = optionsOf(await newStore(server))
  const slow = nextMigrations({ statements: 'SELECT pg_sleep(4);\n' })
  assert.equal(await migrateDatabaseBy(slow)(options)(), E.right({ from: last, to: last + 1 }))
})

const clients = 'SELECT count(*)::int AS clients FROM clients'

/** Reads in a transaction that stays open until the returned function is called. */
const readLong = async (url: string): Promise<() => Promise<void>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query(clients)
  return () => client.end()
}

tests('waits for a long read, but lets others go on meanwhile, and is done after it', async (server) => {
  const options = optionsOf(await newStore(server))
  const end = await readLong(options.url)
  const migrating = migrateDatabaseBy(nextMigrations())(options)()
  for (let reads = 0; reads < 10; reads += 1) {
    const began = performance.now()
    await query(options.url, clients)
    assert.ok(performance.now() - began < 1_700, 'a request waited for longer than its limit on locks')
    await setTimeout(250)
  }
  assert.equal(await query(options.url, 'SELECT version::int FROM schema_version'), [{ version: last }])
  await end()
  assert.equal(await migrating, E.right({ from: last, to: last + 1 }))
})

tests('is refused after a while behind a read that does not end', async (server) => {
  const options = optionsOf(await newStore(server))
  const end = await readLong(options.url)
  const refused = await migrateDatabaseBy(nextMigrations())({ ...options, waitForDatabase: 0, waitForLocks: 0 })()
  assert.match(E.isLeft(refused) ? refused.left.message : '', 'others keep its tables locked')
  await end()
})

/** What the catalog has of the schema. */
const catalog = `
SELECT table_name AS "table", column_name AS name, data_type AS type FROM information_schema.columns
WHERE table_schema = current_schema()
UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
ORDER BY 1, 2, 3`

// The last statement of each migration writes its version; the others are its own.
const statementsAfter = (all: Migrations, from: number): ReadonlyArray<string> => [
  ...all.filter(({ number }) => number > from).flatMap(statementsOf),
  'UPDATE schema_version SET version = $1, works_with = $2',
]

type Cuts = ReadonlyArray<readonly [statement: string, cut: Cut]>

/** The last cut is of COMMIT: it is in doubt, and run again. */
const cutAtEach = async (server: Server, all: Migrations, from: number, attempts: Cuts): Promise<void> => {
  const released = all.filter(({ number }) => number <= from)
  const url = await newDatabase(server)
  if (from > 0) assert.ok(E.isRight(await migrateDatabaseBy(released)(optionsOf(url))()))
  const before = await query(url, catalog)
  const proxy = await startProxy(url)
  // Named statements are not sent again by their text.
  const options = optionsOf(proxy.url, { preparedStatements: false })
  for (const [statement, cut] of attempts) {
    const cuts = proxy.cuts()
    proxy.cutAt(statement, cut)
    const outcome = await migrateDatabaseBy(all)(options)()
    assert.is(proxy.cuts(), cuts + 1, statement)
    const isDone = statement === 'COMMIT'
    assert.is(E.isRight(outcome), isDone, statement)
    if (!isDone) assert.equal(await query(url, catalog), before, statement)
  }
  assert.equal(await query(url, 'SELECT version::int FROM schema_version'), [{ version: from + 1 }])
  await proxy.close()
}

for (const { number } of nextMigrations())
  tests(`number ${number}, cut before and after each statement, leaves nothing or is done`, async (server) => {
    const upTo = nextMigrations().filter((each) => each.number <= number)
    const each = statementsAfter(upTo, number - 1).flatMap((statement): Cuts => [
      [statement, 'before'],
      [statement, 'after'],
    ])
    await cutAtEach(server, upTo, number - 1, [...each, ['COMMIT', 'after']])
    await cutAtEach(server, upTo, number - 1, [['COMMIT', 'before']])
  })

tests.run()
