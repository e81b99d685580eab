// database-migrate, and the command that runs the migrations.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { last } from '../../../adapters-postgresql/test/support/next-release.js'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { run } from '../cli/run.js'
import { command, passwordOf, start } from './postgresql-service.js'

const tests = postgresqlSuite('migrations of a database on PostgreSQL')

const check = { 'database-migrate': 'check' }
const tables = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()'

const refusedStart = async (url: string): Promise<string> => {
  const outcome = await start(url, check).catch((error: unknown) => error)
  if (!(outcome instanceof Error)) throw new Error('the service started')
  assert.not.match(outcome.message, /\n/)
  assert.not.match(outcome.message, passwordOf(url))
  return outcome.message
}

tests('with check, a start on an empty database is refused until the command has run', async (server) => {
  const url = await newDatabase(server)
  assert.match(await refusedStart(url), 'is empty: run clientele database migrate')
  assert.equal(await query(url, tables), [])
  const migrated = await command(url, ['database', 'migrate'], check)
  assert.equal(migrated, { status: 0, output: `Migrated from schema 0 to schema ${last}\n`, errors: '' })
  await (await start(url, check)).stop()
})

tests('a start and a command are refused on a schema of before the first release', async (server) => {
  const url = await newDatabase(server)
  await command(url, ['database', 'migrate'])
  await query(url, 'UPDATE schema_version SET version = 15, works_with = 13')
  const due = 'was written before the first release (schema 15): convert it by node packages/app/convert-database.mjs'
  assert.match(await refusedStart(url), due)
  // Without check, a command migrates neither.
  const listed = await command(url, ['keys', 'list'])
  assert.is(listed.status, 1)
  assert.match(listed.errors, due)
  assert.equal(await query(url, 'SELECT version::int FROM schema_version'), [{ version: 15 }])
})

tests('the command is a success where nothing is due, also beside a service', async (server) => {
  const url = await newDatabase(server)
  const service = await start(url)
  const printed = await command(url, ['database', 'migrate'])
  assert.equal(printed, { status: 0, output: `The database has schema ${last}; nothing was due\n`, errors: '' })
  const { output } = await command(url, ['database', 'migrate', '--json'])
  assert.equal(JSON.parse(output), { from: last, to: last })
  await service.stop()
})

tests('the command refuses a database of something else', async (server) => {
  const url = await newDatabase(server)
  await query(url, 'CREATE TABLE notes (note text)')
  const { status, errors } = await command(url, ['database', 'migrate'])
  assert.is(status, 1)
  assert.match(errors, 'has tables of something else')
  assert.equal(await query(url, tables), [{ tablename: 'notes' }])
})

tests.run()

const sqlite = suite('migrations of a database on SQLite')

sqlite('are no work of the command, which makes no file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-database-migrate-'))
  const { status, errors } = await run(['database', 'migrate', `--data-dir=${folder}`])
  assert.is(status, 1)
  assert.match(errors, 'a SQLite database, which the service migrates when it starts')
  assert.equal(readdirSync(folder), [])
  rmSync(folder, { recursive: true })
})

sqlite.run()
