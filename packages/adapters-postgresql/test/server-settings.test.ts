import { done, refused } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore, opened, refusalOf } from './support/temporary-store.js'

const settings = postgresqlSuite('what the database must promise')

/** The server reads its settings again at a moment of its own. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + 5_000
  while (!(await isSo())) {
    assert.ok(performance.now() < end)
    await setTimeout(20)
  }
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

const loses = {
  off: 'a crash',
  local: 'a failover',
  remote_write: 'a failover to a standby whose host crashed as well',
}

settings('a database that answers before a write is durable is refused, with the remedy', async (server) => {
  const url = await newDatabase(server)
  for (const [value, by] of Object.entries(loses)) {
    await query(url, `ALTER DATABASE ${nameIn(url)} SET synchronous_commit = ${value}`)
    const { refusal, message } = await refusalOf(url)
    assert.is(refusal, 'unusable')
    assert.is(
      message,
      `postgresql://${new URL(url).host}/${nameIn(url)} cannot be used: synchronous_commit is ${value}, so that ${by} loses answered writes: set it to on`,
    )
    assert.not.ok(message.includes(new URL(url).password))
  }
  for (const value of ['on', 'remote_apply']) {
    await query(url, `ALTER DATABASE ${nameIn(url)} SET synchronous_commit = ${value}`)
    await (await opened(url)).close()
  }
})

settings.own('a store is not ready while its database answers too early, and says why', async (server) => {
  const store = await opened(await newStore(server))
  const set = async (value: string): Promise<void> => {
    await query(server.urlOfSuperuser, `ALTER SYSTEM SET synchronous_commit = ${value}`)
    await query(server.urlOfSuperuser, 'SELECT pg_reload_conf()')
  }
  await set('local')
  const remedy = 'synchronous_commit is local, so that a failover loses answered writes: set it to on'
  await until(async () => E.isLeft(await store.check()))
  assert.match(String((await refused(store.check)).detail), remedy)
  await set('on')
  await until(async () => E.isRight(await store.check()))
  await store.close()
})

settings.own('all reasons are named at once', async (server) => {
  await server.stop('fast')
  await server.start({ fsync: 'off', full_page_writes: 'off' })
  const { message } = await refusalOf(await newDatabase(server))
  await server.stop('fast')
  await server.start()
  for (const name of ['fsync', 'full_page_writes']) assert.match(message, `${name} is off`)
})

settings('a store is not ready while its database takes no writes, and is afterwards', async (server) => {
  const url = await newStore(server)
  const before = await opened(url)
  await done(before.check)
  await before.close()
  await query(url, `ALTER DATABASE ${nameIn(url)} SET default_transaction_read_only = on`)
  const during = await opened(url)
  assert.match(String((await refused(during.check)).detail), 'the database is read-only')
  await during.close()
  await query(server.url(), `ALTER DATABASE ${nameIn(url)} RESET default_transaction_read_only`)
  const after = await opened(url)
  await done(after.check)
  await after.close()
})

settings.run()
