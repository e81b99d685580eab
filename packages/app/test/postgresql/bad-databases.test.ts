// What a start refuses, in one line that names the remedy and never the password.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import * as assert from 'uvu/assert'
import { type Flags, command, passwordOf, start } from './postgresql-service.js'

const databases = postgresqlSuite('databases of PostgreSQL that a start refuses')

/** The refusal of a start that would wait for a minute for a database that may come. */
const refusalOf = async (url: string, more: Flags = {}, waitForDatabase = 60_000): Promise<string> => {
  const outcome = await start(url, more, { waitForDatabase }).catch((error: unknown) => error)
  if (!(outcome instanceof Error)) throw new Error('the service started')
  assert.not.match(outcome.message, /\n/)
  assert.not.match(outcome.message, passwordOf(url))
  return outcome.message
}

const changed = (url: string, members: Partial<URL>): string => Object.assign(new URL(url), members).href

databases('a database of something else', async (server) => {
  const url = await newDatabase(server)
  await query(url, 'CREATE TABLE notes (note text)')
  assert.match(await refusalOf(url), 'has tables of something else: name an empty database')
  assert.equal(await query(url, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()'), [
    { tablename: 'notes' },
  ])
})

databases('a database that a newer version wrote', async (server) => {
  const url = await newDatabase(server)
  await (await start(url)).stop()
  await query(url, 'UPDATE schema_version SET version = 999, works_with = 999')
  assert.match(await refusalOf(url), 'was written by a newer version (schema 999): start that version')
})

databases('another encryption key', async (server) => {
  const url = await newDatabase(server)
  await (await start(url)).stop()
  const other = { 'encryption-key': Buffer.alloc(32, 'another key').toString('base64url') }
  const refusal = 'it was written with another one; give that key, alone or after the new one'
  assert.match(await refusalOf(url, other), refusal)
  const { status, output, errors } = await command(url, ['token', 'issue', '--scope', 'client-reg'], other)
  assert.is(status, 1)
  assert.match(errors, refusal)
  assert.not.match(output + errors, passwordOf(url))
})

databases.own('a database in which its role may create nothing, with the remedy', async (server) => {
  await query(server.urlOfSuperuser, 'CREATE DATABASE of_another_role TEMPLATE template0')
  const refusal = await refusalOf(server.url('of_another_role'))
  assert.match(refusal, 'permission denied for schema public; make the role of database-url the owner of the database')
})

databases('a wrong password, and a database that is not there, without waiting', async (server) => {
  const url = await newDatabase(server)
  const wrong = await refusalOf(changed(url, { password: 'the-wrong-password' }))
  assert.match(wrong, 'password authentication failed')
  assert.match(wrong, 'correct database-url')
  assert.match(await refusalOf(changed(url, { pathname: '/nowhere' })), 'database "nowhere" does not exist')
})

databases('a server without TLS on what may be another machine, unless TLS is off', async (server) => {
  const url = await newDatabase(server)
  // Another text of 127.0.0.1, which only the resolver knows.
  const elsewhere = changed(url, { hostname: '127.1' })
  const refusal = await refusalOf(elsewhere)
  assert.match(refusal, 'does not support SSL connections')
  assert.match(refusal, 'database-tls')
  await (await start(elsewhere, { 'database-tls': 'off' })).stop()
})

databases('an empty database, of a command alone', async (server) => {
  const url = await newDatabase(server)
  const { status, errors } = await command(url, ['token', 'issue', '--scope', 'client-reg'])
  assert.is(status, 1)
  assert.match(
    errors,
    /^clientele: postgresql:\/\/[^@]+ is empty: run clientele database migrate, or correct database-url\n$/,
  )
  assert.equal(await query(url, 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()'), [])
})

databases('works without prepared statements', async (server) => {
  const service = await start(await newDatabase(server), { 'database-prepared-statements': 'false' })
  assert.is((await fetch(`${service.url}/health/ready`)).status, 200)
  await service.stop()
})

databases.own('a server that does not come is waited for; one that comes is used', async (server) => {
  const url = await newDatabase(server)
  await server.stop('fast')
  const began = performance.now()
  const refusal = await refusalOf(url, {}, 500)
  assert.ok(performance.now() - began >= 500)
  assert.match(refusal, /^postgresql:\/\/[^/@]+\/\w+ cannot be reached \(connect ECONNREFUSED .+\): start the database/)
  const failed = await command(url, ['keys', 'list'])
  assert.is(failed.status, 1)
  assert.match(failed.errors, 'cannot be reached')
  assert.not.match(failed.output + failed.errors, passwordOf(url))
  const starting = start(url, {}, { waitForDatabase: 60_000 })
  await server.start()
  await (await starting).stop()
})

databases.own(
  'a database that goes away makes an instance not ready; it lives, and serves its keys',
  async (server) => {
    const service = await start(await newDatabase(server))
    const statusOf = async (path: string): Promise<number> => (await fetch(`${service.url}${path}`)).status
    assert.is(await statusOf('/health/ready'), 200)
    await server.stop('immediate')
    assert.is(await statusOf('/health/ready'), 503)
    assert.is(await statusOf('/health/live'), 200)
    assert.is(await statusOf('/jwks.json'), 200)
    await server.start()
    assert.is(await statusOf('/health/ready'), 200)
    await service.stop()
  },
)

databases.run()
