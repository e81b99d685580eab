import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { startServer } from './support/server.js'

const tests = postgresqlSuite('the test server')

const pidOf = (folder: string): number => {
  const [line] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
  return Number(line)
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

tests('answers', async (server) => {
  assert.equal(await query(server.url(), 'SELECT 1 AS one'), [{ one: 1 }])
})

tests('keeps two databases apart', async (server) => {
  const one = await newDatabase(server)
  const other = await newDatabase(server)
  await query(one, 'CREATE TABLE notes (note text)')
  const count = `SELECT count(*)::int FROM pg_class WHERE relname = 'notes'`
  assert.equal(await query(one, count), [{ count: 1 }])
  assert.equal(await query(other, count), [{ count: 0 }])
})

tests('is durable, and its role is no superuser', async (server) => {
  const url = await newDatabase(server)
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    assert.equal(await query(url, `SHOW ${name}`), [{ [name]: 'on' }])
  const [role] = await query(url, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')
  assert.equal(role, { rolsuper: false })
})

tests.own('has what was committed before a crash', async (server) => {
  const url = await newDatabase(server)
  await query(url, 'CREATE TABLE notes (note text)')
  await query(url, 'INSERT INTO notes VALUES ($1)', ['committed'])
  await server.stop('immediate')
  const refused = await query(url, 'SELECT 1').catch((error: unknown) => error)
  assert.instance(refused, Error)
  await server.start()
  assert.equal(await query(url, 'SELECT note FROM notes'), [{ note: 'committed' }])
  assert.match(readFileSync(join(server.folder, 'log'), 'utf8'), 'automatic recovery in progress')
})

tests.own('starts again with other settings, and without them', async (server) => {
  await server.stop('fast')
  await server.start({ default_transaction_read_only: 'on' })
  const refused = await newDatabase(server).catch(String)
  assert.match(refused, 'read-only transaction')
  await server.stop('fast')
  await server.start()
  assert.match(await newDatabase(server), /^postgresql:/)
})

tests.own('shows why it does not start', async () => {
  const server = await startServer()
  await server.stop('fast')
  const failed = await server.start({ max_connections: 'many' }).then(() => 'it started', String)
  assert.match(failed, /the server does not start: .*invalid value for parameter "max_connections"/s)
  await server.close()
})

tests.own('leaves no process and no folder when it is closed', async () => {
  const server = await startServer()
  const pid = pidOf(server.folder)
  assert.ok(isRunning(pid))
  await server.close()
  assert.not(isRunning(pid))
  assert.not(existsSync(server.folder))
})

const leave = (...args: ReadonlyArray<string>): string => {
  const script = fileURLToPath(new URL('support/leave-server.ts', import.meta.url))
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', script, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.match(stdout, /clientele-postgresql-/)
  return stdout
}

tests.own('leaves neither when the process ends without closing it', async () => {
  assert.not(existsSync(leave()))
})

tests.own('ends with a process that is killed', async () => {
  const folder = leave('killed')
  const deadline = Date.now() + 20_000
  while (existsSync(join(folder, 'data/postmaster.pid')) && Date.now() < deadline) await setTimeout(20)
  assert.not(existsSync(join(folder, 'data/postmaster.pid')))
  rmSync(folder, { recursive: true })
})

tests.run()
