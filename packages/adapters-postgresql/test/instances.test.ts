import type { Instance } from '@clientele/domain/instances'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { Instances, Store } from '@clientele/domain/ports'
import { done, exampleTime, refused } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { encryptionWith, newStore, opened, openTwice, refusalOf } from './support/temporary-store.js'

const tests = postgresqlSuite('instances on PostgreSQL')

const instancesOf = ({ instances }: Pick<Store, 'instances'>): Instances => {
  if (instances === undefined) throw new Error('the store has no instances')
  return instances
}

const instanceOf = (id: string, changes: Partial<Instance> = {}): Instance => ({
  id,
  version: '1.0.0',
  started_at: exampleTime,
  seals_with: 'a key',
  opens_with: ['a key'],
  settings: { 'base-url': 'a digest' },
  ...changes,
})

const withKeys = (id: string, ...[seals_with = '', ...others]: ReadonlyArray<string>): Instance =>
  instanceOf(id, { seals_with, opens_with: [seals_with, ...others] })

const idsIn = async ({ listInstances }: Instances): Promise<ReadonlyArray<string>> =>
  (await done(listInstances)).map(({ id }) => id)

const it = (title: string, body: (one: Instances, other: Instances) => Promise<void>): void =>
  tests(title, async (server) => {
    const { one, other, close } = await openTwice(server)()
    await body(instancesOf(one), instancesOf(other)).finally(close)
  })

it('an announced instance is listed by the other handle, as it is, until it is withdrawn', async (one, other) => {
  const instance = instanceOf('one', { settings: { 'base-url': 'ÿ "quoted"', '': '' } })
  const { announced_at } = await done(one.announceInstance(instance))
  const found = await done(other.listInstances)
  const seen_at = found[0]?.seen_at ?? 0
  assert.equal(found, [{ ...instance, seen_at }])
  assert.ok(Math.abs(announced_at / 1000 - seen_at) <= 1)
  const again = await done(one.announceInstance(instance))
  assert.ok(again.announced_at >= announced_at)
  await done(other.withdrawInstance('another'))
  assert.equal(await idsIn(one), ['one'])
  await done(one.withdrawInstance('one'))
  await done(one.withdrawInstance('one'))
  assert.equal(await idsIn(other), [])
})

it('instances are listed by their starts, then by their ids', async (one, other) => {
  await done(one.announceInstance(instanceOf('c')))
  await done(other.announceInstance(instanceOf('b')))
  await done(other.announceInstance(instanceOf('a', { started_at: secondsAfter(exampleTime, 1) })))
  assert.equal(await idsIn(one), ['b', 'c', 'a'])
})

it('an announcement returns the settings that differ, and the instances where they do', async (one, other) => {
  await done(one.announceInstance(instanceOf('one')))
  assert.equal((await done(other.announceInstance(instanceOf('two')))).differences, [])
  const changed = instanceOf('three', { settings: { 'base-url': 'another', 'new-setting': 'x' } })
  assert.equal((await done(other.announceInstance(changed))).differences, [
    { setting: 'base-url', ids: ['one', 'two'] },
  ])
})

it('a refused instance is not announced, and the refusal names those that refuse it', async (one, other) => {
  await done(one.announceInstance(withKeys('one', 'old')))
  const refusal = await refused(other.announceInstance(withKeys('two', 'new', 'old')))
  assert.equal(refusal, { error: 'others_cannot_open', ids: ['one'] })
  await done(one.announceInstance(withKeys('one', 'old', 'new')))
  await done(other.announceInstance(withKeys('two', 'new', 'old')))
  const late = await refused(one.announceInstance(withKeys('one', 'old')))
  assert.equal(late, { error: 'cannot_open_others', ids: ['two'] })
  assert.equal(await idsIn(one), ['one', 'two'])
})

it('of 10 that refuse each other and start at once, by two handles, one is announced', async (one, other) => {
  const keys = Array.from({ length: 10 }, (_, nth) => `key ${nth}`)
  const announcing = keys.map((key, nth) => (nth % 2 === 0 ? one : other).announceInstance(withKeys(key, key))())
  const outcomes = await Promise.all(announcing)
  assert.equal(
    await idsIn(one),
    keys.filter((_, nth) => outcomes[nth]?._tag === 'Right'),
  )
  assert.is(outcomes.filter(E.isRight).length, 1)
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
