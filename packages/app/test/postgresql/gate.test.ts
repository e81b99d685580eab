// An instance that stands still while it holds the gate of registrations: a stopped process, or a host that is lost.
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import * as assert from 'uvu/assert'
import { redirect_uris, send } from '../support/requests.js'
import { type Service, startService } from '../support/service.js'
import { environmentOf, settingsOn } from './postgresql-service.js'
import { soon } from './workers-process.js'

const gate = postgresqlSuite('an instance that stands still in the gate of registrations')

const policy = { CLIENTELE_REGISTRATION_POLICY_JSON: '{"maximum_clients": 100}' }

/** Starts instances with a limit, of which the first stands still in the gate, with a registration and another that waits. */
const withStopped = async (server: Server, test: (other: Service) => Promise<void>): Promise<void> => {
  const url = await newDatabase(server)
  const startOne = async (): Promise<Service> => {
    const port = String(await freePort())
    const service = await startService({ ...environmentOf(settingsOn(url, { port })), ...policy }, '/nowhere/data')
    return { ...service, base: `http://127.0.0.1:${port}` }
  }
  const services = [await startOne(), await startOne()] as const
  const [stopped, other] = services
  await query(
    url,
    `CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN PERFORM pg_sleep(1); RETURN NEW; END'`,
  )
  await query(
    url,
    `CREATE TRIGGER rest BEFORE INSERT ON clients FOR EACH ROW WHEN (NEW.client_id = 'rests-in-the-gate')
     EXECUTE FUNCTION rest()`,
  )
  const statesOf = (condition: string) => () =>
    query(url, `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${condition}`).then(
      (rows) => rows.length > 0,
    )
  const held = Promise.allSettled([
    keyed(stopped, '"rests-in-the-gate-000001"', { preferred_client_id: 'rests-in-the-gate' }),
    keyed(stopped, '"waits-for-the-gate-00001"', {}),
  ])
  try {
    await soon(statesOf(`wait_event = 'PgSleep'`), 'the instance is in the gate')
    stopped.child.kill('SIGSTOP')
    await soon(statesOf(`state = 'idle in transaction'`), 'its statement is over')
    await test(other)
  } finally {
    stopped.child.kill('SIGCONT')
    await held
    for (const { stop } of services) await stop()
  }
}

const keyed = ({ base, master }: Service, key: string, more: object) =>
  send({ base }, '/clients', {
    method: 'POST',
    token: master,
    headers: { 'idempotency-key': key },
    json: { redirect_uris, ...more },
  })

const timed = async (request: () => Promise<{ readonly status: number }>): Promise<number> => {
  const began = performance.now()
  assert.is((await request()).status, 200)
  return performance.now() - began
}

gate('the others register below a limit and with a key within 2 s', async (server) => {
  await withStopped(server, async (other) => {
    const took = await Promise.all([
      timed(() => keyed(other, '"at-the-other-instance-01"', {})),
      timed(() => send(other, '/clients', { method: 'POST', token: other.master, json: { redirect_uris } })),
    ])
    assert.ok(Math.max(...took) < 2_000, `after ${took.join(' and ')} ms`)
  })
})

gate.run()
