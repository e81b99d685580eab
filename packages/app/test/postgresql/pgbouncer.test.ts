// Services behind PgBouncer in transaction mode, with the settings of docs/operate/several-instances.md.
import { lockTables } from '../../../adapters-postgresql/test/support/lock-tables.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { isPgbouncerInstalled, startPgbouncer } from '../../../adapters-postgresql/test/support/pgbouncer.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { masterToken, start } from './postgresql-service.js'

const tests = postgresqlSuite('services behind PgBouncer', isPgbouncerInstalled)

const limits = { statement_timeout: '3s', lock_timeout: '2s', idle_in_transaction_session_timeout: '1s' }

tests('two share one database, take a token once, and wait for a lock for 5 s at most', async (server) => {
  const url = await newDatabase(server)
  for (const [name, value] of Object.entries(limits))
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${name} = '${value}'`)
  const pgbouncer = await startPgbouncer(url)
  const settings = { 'database-prepared-statements': 'false' }
  const one = await start(pgbouncer.pooled(url), settings)
  const other = await start(pgbouncer.pooled(url), settings)
  const at = ({ url: base }: { readonly url: string }) => ({ base, master: masterToken })
  try {
    const token = await issueToken(at(one), 'client-reg')
    const answers = await Promise.all([one, other].map((each) => register(at(each), { redirect_uris }, token)))
    assert.equal(answers.map(({ status }) => status).sort(), [200, 401])
    const registered = await register(at(one))
    const path = `/clients/${String(registered.json['client_id'])}`
    const { token: credential } = configurationOf(registered)
    const json = { redirect_uris, client_id: registered.json['client_id'], client_name: 'new' }
    const updated = await send(at(other), path, { method: 'PUT', token: credential, json })
    assert.is((await send(at(other), path, configurationOf(updated))).status, 200)
    assert.is((await send(at(one), path, { token: credential })).status, 401)
    const locking = lockTables(url, ['clients'], 4_000)
    await pause(500)
    const began = performance.now()
    const waiting = await register(at(one))
    assert.ok([200, 503].includes(waiting.status) && performance.now() - began < 5_500)
    await locking
    assert.is((await register(at(other))).status, 200)
  } finally {
    await one.stop()
    await other.stop()
    await pgbouncer.close()
  }
})

tests('one that prepares statements is refused at once, with the remedy', async (server) => {
  const url = await newDatabase(server)
  const pgbouncer = await startPgbouncer(url)
  const refusal = await start(pgbouncer.pooled(url)).then(() => 'started', String)
  await pgbouncer.close()
  assert.match(refusal, 'behind a pooler, set database-prepared-statements to false')
})

tests.run()
