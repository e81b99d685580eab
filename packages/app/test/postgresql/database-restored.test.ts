// clientele database restored, after pg_dump and pg_restore.
import { findBinaries } from '../../../adapters-postgresql/test/support/binaries.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { run } from '../cli/run.js'
import { command, masterToken, passwordOf, start } from './postgresql-service.js'

const tests = postgresqlSuite('a restoration on PostgreSQL')

const post = async (url: string, token: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

tests('what was spent or revoked since the dump does not come back', async (server) => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-restored-'))
  const program = (name: string): string => join(findBinaries() ?? '', name)
  const dump = join(folder, 'monday.dump')
  const url = await newDatabase(server)
  const service = await start(url)
  const issued = JSON.parse((await command(url, ['token', 'issue', '--scope', 'client-reg', '--json'])).output)
  const { access_token, id } = JSON.parse(
    (await command(url, ['operator-token', 'issue', '--may', 'tokens', '--json'])).output,
  )
  assert.is(
    (await post(`${service.url}/clients`, masterToken, { redirect_uris: ['https://rp.example/cb'] })).status,
    200,
  )
  const excluded = ['provider_events', 'instances'].map((table) => `--exclude-table-data=${table}`)
  execFileSync(program('pg_dump'), ['--format=custom', ...excluded, `--file=${dump}`, url])
  const consumed = await post(`${service.url}/clients`, issued.access_token, {
    redirect_uris: ['https://rp.example/cb'],
  })
  assert.is(consumed.status, 200)
  assert.is((await command(url, ['operator-token', 'revoke', id])).status, 0)
  const refused = await command(url, ['database', 'restored'])
  assert.is(refused.status, 1)
  assert.match(refused.errors, /instances run on .* \(1\): stop them first/)
  assert.not.match(refused.errors, passwordOf(url))
  await service.stop()

  const other = await newDatabase(server)
  execFileSync(program('pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${other}`, dump])
  const { status, output } = await command(other, ['database', 'restored'])
  assert.is(status, 0)
  assert.match(output, 'The database has 1 client\n')
  assert.match(output, 'initial access tokens: 1. Issue new ones')
  assert.match(output, 'operator tokens: 1. Issue new ones')
  const again = JSON.parse((await command(other, ['database', 'restored', '--json'])).output)
  assert.equal(Object.values(again.forgotten), [0, 0, 0, 0, 0, 0, 0])
  const moved = await start(other)
  const register = await post(`${moved.url}/clients`, issued.access_token, { redirect_uris: ['https://rp.example/cb'] })
  assert.is(register.status, 401)
  const listed = await fetch(`${moved.url}/initial-access-tokens`, {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  assert.is(listed.status, 401)
  await moved.stop()
  assert.equal(await query(other, 'SELECT count(*)::int AS clients FROM clients'), [{ clients: 1 }])
  rmSync(folder, { recursive: true })
})

tests('on SQLite, the command names restore', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-restored-'))
  const { status, errors } = await run(['database', 'restored', `--data-dir=${folder}`])
  assert.is(status, 1)
  assert.match(errors, 'clientele restore FILE removes this itself')
  rmSync(folder, { recursive: true })
})

tests.run()
