import { done, refused } from '@clientele/testing'
import * as assert from 'uvu/assert'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore, opened, refusalOf } from './support/temporary-store.js'

const settings = postgresqlSuite('what the database must promise')

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

settings(
  'a database that answers before it writes is refused, with the remedy and without the password',
  async (server) => {
    const url = await newDatabase(server)
    await query(url, `ALTER DATABASE ${nameIn(url)} SET synchronous_commit = off`)
    const { refusal, message } = await refusalOf(url)
    assert.is(refusal, 'unusable')
    assert.is(
      message,
      `postgresql://${new URL(url).host}/${nameIn(url)} cannot be used: synchronous_commit is off, so that a crash loses answered writes: switch it on`,
    )
    assert.not.ok(message.includes(new URL(url).password))
  },
)

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
