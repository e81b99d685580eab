// Connections that are cut while it is not known whether a write is committed.
import type { Store } from '@clientele/domain/ports'
import { done, exampleClient, exampleTime, exampleToken, addition, noRow } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { type Cut, type Proxy, startProxy } from './support/proxy.js'
import { query } from './support/query.js'
import { newStore, opened } from './support/temporary-store.js'
import type { Verb } from './support/verb.js'
import { verbs } from './support/verbs.js'

const tests = postgresqlSuite('a write whose connection is cut')

const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_version', 'client_gate')`

/** A commit takes as many seconds as `slow` says. */
const prepareSlowness = async (url: string): Promise<void> => {
  const names = await query(url, tables)
  await query(url, 'CREATE TABLE slow (seconds float8)')
  await query(
    url,
    `CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN PERFORM pg_sleep(seconds) FROM slow; RETURN NULL; END'`,
  )
  for (const { tablename } of names)
    await query(
      url,
      `CREATE CONSTRAINT TRIGGER rest AFTER INSERT OR UPDATE OR DELETE ON ${String(tablename)}
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION rest()`,
    )
}

const clear = async (url: string): Promise<void> => {
  await query(url, 'DELETE FROM slow')
  const roots = [
    'clients',
    'end_user_sessions',
    'initial_access_tokens',
    'key_rings',
    'foreign_keys',
    'leases',
    'artefacts',
  ]
  for (const name of [...roots, 'provider_events', 'receipts', 'audit_rows']) await query(url, `DELETE FROM ${name}`)
}

const cutOnce = async (url: string, proxy: Proxy, store: Store, verb: Verb, cut: Cut): Promise<void> => {
  await verb.prepare(store)
  const cuts = proxy.cuts()
  if (cut === 'during') await query(url, 'INSERT INTO slow VALUES (0.1)')
  proxy.cutAt(verb.commitsBy, cut)
  const outcome = await verb.act(store)()
  assert.is(proxy.cuts(), cuts + 1, verb.name)
  assert.equal([verb.name, outcome], [verb.name, E.right(verb.result)])
  assert.equal([verb.name, await query(url, verb.look)], [verb.name, verb.left])
  await clear(url)
}

const when = { before: 'before the server has it', during: 'while the server runs it', after: 'before the answer' }

for (const cut of ['before', 'during', 'after'] as const)
  tests(`each verb, cut ${when[cut]}, is done once and says so`, async (server) => {
    const url = await newStore(server)
    const proxy = await startProxy(url)
    const store = await opened(proxy.url)
    await prepareSlowness(url)
    try {
      for (const verb of verbs) await cutOnce(url, proxy, store, verb, cut)
    } finally {
      await store.close()
      await proxy.close()
    }
  })

const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event`

/** The process of the server that waits for this. */
const pidOf = async (url: string, waitEvent: string): Promise<unknown> => {
  for (;;) {
    const [found] = await query(url, `${waiting} = $1`, [waitEvent])
    if (found !== undefined) return found['pid']
    await setTimeout(10)
  }
}

tests('a token that is consumed while its removal is in doubt does not count as removed', async (server) => {
  const url = await newStore(server)
  const one = await opened(url)
  const other = await opened(url)
  await prepareSlowness(url)
  const { hash } = exampleToken('token')
  await done(one.initialAccessTokens.addInitialAccessToken(exampleToken('token'), exampleTime, noRow))
  await query(url, 'INSERT INTO slow VALUES (2)')
  const removed = one.initialAccessTokens.removeInitialAccessToken(hash, noRow)()
  const committing = await pidOf(url, 'PgSleep')
  const registered = other.registry.addClient(addition(exampleClient('a'), { consumedToken: O.some(hash) }))()
  await pidOf(url, 'advisory')
  await query(url, 'DELETE FROM slow')
  await query(url, 'SELECT pg_terminate_backend($1)', [committing])
  assert.equal(await registered, E.right(undefined))
  assert.equal(await removed, E.right(false))
  await one.close()
  await other.close()
})

tests.run()
