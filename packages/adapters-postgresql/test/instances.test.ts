import { epochSeconds, type Instances, type Store } from '@clientele/domain'
import { done, instancesContract, type OpenInstances } from '@clientele/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import type { Server } from './support/server.js'
import { encryptionWith, newStore, opened, openTwice, refusalOf } from './support/temporary-store.js'

const tests = postgresqlSuite('instances on PostgreSQL')

const instancesOf = ({ instances }: Pick<Store, 'instances'>): Instances => {
  if (instances === undefined) throw new Error('the store has no instances')
  return instances
}

// The contract is named before the server starts.
const used: { server?: Server } = {}
const open: OpenInstances = async () => {
  if (used.server === undefined) throw new Error('the contract opened a store before its test')
  const { one, other, close } = await openTwice(used.server)()
  return { one: instancesOf(one), other: instancesOf(other), close }
}

for (const { name, run } of instancesContract('on PostgreSQL', open))
  tests(name, async (server) => {
    used.server = server
    await run()
  })

const example = {
  id: 'one',
  version: '1.0.0',
  started_at: epochSeconds(0),
  seals_with: 'a key',
  opens_with: ['a key'],
  settings: {},
}

tests('an instance that was not seen for more than 30 seconds by the clock of the database is gone', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const { announceInstance, listInstances } = instancesOf(store)
  await done(announceInstance(example))
  const passing = (seconds: number) => query(url, `UPDATE instances SET seen_at = seen_at - ${seconds}`)
  await passing(28)
  assert.is((await done(listInstances)).length, 1)
  await passing(3)
  assert.equal(await done(listInstances), [])
  const other = { ...example, id: 'two', seals_with: 'another key', opens_with: ['another key'] }
  assert.equal((await done(announceInstance(other))).differences, [])
  assert.equal(await query(url, 'SELECT id FROM instances'), [{ id: 'two' }])
  await store.close()
})

tests('a row that a later version wrote hides no other instance', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const { announceInstance, listInstances } = instancesOf(store)
  await done(announceInstance(example))
  await query(
    url,
    `INSERT INTO instances SELECT 'x' || n, seen_at, text FROM instances,
    (VALUES (1, 'not JSON'), (2, '{"id":1}'), (3, 'null')) AS written (n, text)`,
  )
  assert.equal(
    (await done(listInstances)).map(({ id }) => id),
    ['one'],
  )
  await store.close()
})

tests('a store that is refused by its instances is unchanged', async (server) => {
  const url = await newStore(server)
  const sealed = () => query(url, 'SELECT name, sealed FROM secrets')
  const before = await sealed()
  const encryption = encryptionWith('a new key', 'the right key')
  const refusal = await refusalOf(url, {
    encryption,
    admit: (_instances, digestKey) => TE.left({ refusal: 'other-instances', message: digestKey }),
  })
  assert.equal(refusal, { refusal: 'other-instances', message: 'a-generated-digest-key' })
  assert.equal(await sealed(), before)
  await (await opened(url, { encryption, admit: () => TE.right(undefined) })).close()
  assert.not.equal(await sealed(), before)
})

tests.run()
