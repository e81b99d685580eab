import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ForeignKey } from '@clientele/domain'
import { namedKey } from '../arbitraries/key-history.js'
import { exampleTime, unstorableTexts } from '../examples/examples.js'
import { type OpenStore, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const key = (kid: string): ForeignKey => ({
  kid,
  alg: 'ES256',
  jwk: namedKey('ES256').jwk,
  publishedAt: exampleTime,
})

/** The promises of ForeignKeys. */
export const foreignKeysContract = (name: string, open: OpenStore<'foreignKeys'>): Contract => {
  const { test, tests } = collect(`ForeignKeys ${name}`)
  const it = onNewStore(test, open)

  it('a new store has none', async ({ foreignKeys }) => {
    assert.equal(await done(foreignKeys.readForeignKeys), [])
  })

  it('keys are read as they were added, the oldest first', async ({ foreignKeys }) => {
    await done(foreignKeys.addForeignKeys([key('b'), key('a')]))
    await done(foreignKeys.addForeignKeys([key('0')]))
    await done(foreignKeys.addForeignKeys([]))
    assert.equal(await done(foreignKeys.readForeignKeys), [key('b'), key('a'), key('0')])
  })

  it('keys of which one is stored already, or comes twice, are refused, and none of them is stored', async ({
    foreignKeys,
  }) => {
    await done(foreignKeys.addForeignKeys([key('a')]))
    for (const keys of [
      [key('b'), key('a')],
      [key('c'), key('c')],
    ])
      assert.is((await refused(foreignKeys.addForeignKeys(keys))).error, 'unavailable')
    assert.equal(await done(foreignKeys.readForeignKeys), [key('a')])
  })

  it('a key that is removed is gone, the others stay, and it may be added again', async ({ foreignKeys }) => {
    await done(foreignKeys.addForeignKeys([key('a'), key('b')]))
    assert.is(await done(foreignKeys.removeForeignKey('a')), true)
    assert.is(await done(foreignKeys.removeForeignKey('a')), false)
    for (const kid of ['B', ...unstorableTexts]) assert.is(await done(foreignKeys.removeForeignKey(kid)), false)
    assert.equal(await done(foreignKeys.readForeignKeys), [key('b')])
    await done(foreignKeys.addForeignKeys([key('a')]))
    assert.equal(await done(foreignKeys.readForeignKeys), [key('b'), key('a')])
  })

  it('of 20 that add the same key at once, by two handles, one succeeds', async (ports) => {
    const keys = Array.from({ length: 20 }, () => key('a'))
    const outcomes = await race(ports, keys, ({ foreignKeys }, each) => foreignKeys.addForeignKeys([each]))
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.equal(await done(ports.foreignKeys.readForeignKeys), [key('a')])
  })

  return tests
}
