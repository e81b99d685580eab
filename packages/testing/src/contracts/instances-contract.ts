import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { type Instance, type Instances } from '@clientele/domain'
import { exampleTime } from '../examples/examples.js'
import { type Contract, collect } from './contract.js'
import { done, refused } from './open-store.js'

/** Two handles on one new store. */
export type OpenInstances = () => Promise<{
  readonly one: Instances
  readonly other: Instances
  readonly close: () => Promise<void>
}>

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

/** The promises of Instances. */
export const instancesContract = (name: string, open: OpenInstances): Contract => {
  const { test, tests } = collect(`Instances ${name}`)
  const it = (title: string, body: (one: Instances, other: Instances) => Promise<void>): void =>
    test(title, async () => {
      const { one, other, close } = await open()
      try {
        await body(one, other)
      } finally {
        await close()
      }
    })

  it('an announced instance is listed by the other handle, as it is, until it is withdrawn', async (one, other) => {
    const instance = instanceOf('one', { settings: { 'base-url': 'ÿ "quoted"', '': '' } })
    const { announced_at } = await done(one.announceInstance(instance))
    const listed = await done(other.listInstances)
    const seen_at = listed[0]?.seen_at ?? 0
    assert.equal(listed, [{ ...instance, seen_at }])
    assert.ok(Math.abs(announced_at / 1000 - seen_at) <= 1)
    await done(other.withdrawInstance('another'))
    assert.equal(await idsIn(one), ['one'])
    await done(one.withdrawInstance('one'))
    await done(one.withdrawInstance('one'))
    assert.equal(await idsIn(other), [])
  })

  it('an instance announces itself again, as the same one', async (one, other) => {
    const first = await done(one.announceInstance(instanceOf('one')))
    const again = await done(one.announceInstance(instanceOf('one')))
    assert.ok(again.announced_at >= first.announced_at)
    assert.equal(await idsIn(other), ['one'])
  })

  it('instances are listed by their starts', async (one, other) => {
    const later = { started_at: exampleTime }
    await done(one.announceInstance(instanceOf('c', later)))
    await done(other.announceInstance(instanceOf('b', later)))
    assert.equal(await idsIn(one), ['b', 'c'])
  })

  it('an announcement returns the settings that differ, and the instances where they do', async (one, other) => {
    await done(one.announceInstance(instanceOf('one')))
    const same = await done(other.announceInstance(instanceOf('two')))
    assert.equal(same.differences, [])
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
    assert.equal(await refused(one.announceInstance(withKeys('one', 'old'))), {
      error: 'cannot_open_others',
      ids: ['two'],
    })
    assert.equal(await idsIn(one), ['one', 'two'])
  })

  it('of 10 that refuse each other and start at once, by two handles, one is announced', async (one, other) => {
    const keys = Array.from({ length: 10 }, (_, index) => `key ${index}`)
    const outcomes = await Promise.all(
      keys.map((key, index) => (index % 2 === 0 ? one : other).announceInstance(withKeys(key, key))()),
    )
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.equal(await idsIn(one), [keys[outcomes.findIndex(E.isRight)]])
  })

  return tests
}
