import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { startProxy } from './support/proxy.js'
import { query } from './support/query.js'
import { newStore, opened, optionsOf, refusalOf } from './support/temporary-store.js'
import { openStore } from '../src/index.js'

const tests = postgresqlSuite('the schema of a store on PostgreSQL')

const tables = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()'

tests.own('has nothing of a migration in which the server crashed', async (server) => {
  const url = await newDatabase(server)
  const proxy = await startProxy(url)
  // The end of the statement that creates the leases, in the middle of the migration.
  proxy.cutAt('until bigint NOT NULL\n)', 'silence')
  const opening = openStore(optionsOf(proxy.url))()
  while (proxy.cuts() === 0) await setTimeout(10)
  await server.stop('immediate')
  await proxy.close()
  assert.is((await opening)._tag, 'Left')
  await server.start()
  assert.equal(await query(url, tables), [])
  const store = await opened(url)
  await store.close()
})

tests('is refused where the database has tables of something else', async (server) => {
  const url = await newDatabase(server)
  await query(url, 'CREATE TABLE invoices (number bigint)')
  assert.is((await refusalOf(url)).refusal, 'foreign-schema')
  assert.equal(await query(url, tables), [{ tablename: 'invoices' }])
})

tests('is refused where another product has versions of a schema', async (server) => {
  const same = await newDatabase(server)
  await query(same, 'CREATE TABLE schema_version (product text, version bigint, works_with bigint)')
  await query(same, `INSERT INTO schema_version VALUES ('shop', 1, 1)`)
  assert.is((await refusalOf(same)).refusal, 'foreign-schema')
  const other = await newDatabase(server)
  await query(other, 'CREATE TABLE schema_version (installed_rank integer, script text)')
  assert.is((await refusalOf(other)).refusal, 'foreign-schema')
})

tests('is refused where it is newer, unless it works with this code', async (server) => {
  const url = await newStore(server)
  await query(url, 'UPDATE schema_version SET version = 1000, works_with = 1000')
  const { refusal, message } = await refusalOf(url)
  assert.is(refusal, 'newer-schema')
  assert.match(message, 'schema 1000')
  await query(url, 'UPDATE schema_version SET works_with = 1')
  const store = await opened(url)
  await store.close()
  assert.equal(await query(url, 'SELECT version::int FROM schema_version'), [{ version: 1000 }])
})

tests('is refused with the name of the database, without user and password', async (server) => {
  const url = new URL(await newDatabase(server))
  await query(url.href, 'CREATE TABLE invoices (number bigint)')
  const foreign = await refusalOf(url.href)
  const { password, host, pathname } = url
  assert.match(foreign.message, `postgresql://${host}${pathname}`)
  const away = Object.assign(new URL(url), { port: '1' })
  for (const { message } of [foreign, await refusalOf(away.href)]) {
    assert.not.match(message, password)
    assert.not.match(message, 'clientele:')
  }
})

tests.run()
