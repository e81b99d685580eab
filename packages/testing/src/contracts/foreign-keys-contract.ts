import * as E from 'fp-ts/lib/Either.js'
import type { Test } from 'uvu'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ForeignKey } from '@clientele/domain'
import { namedKey } from '../arbitraries/key-history.js'
import { exampleTime } from '../examples/examples.js'
import type { OpenPorts } from './open-ports.js'
import { done, onNewStore, refused } from './open-ports.js'

const key = (kid: string): ForeignKey => ({
  kid,
  alg: 'ES256',
  jwk: namedKey('ES256').jwk,
  publishedAt: exampleTime,
})

/** The promises of ForeignKeys. */
export const foreignKeysContract = (name: string, open: OpenPorts<'foreignKeys'>): Test => {
  const test = suite(`ForeignKeys ${name}`)
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
    assert.is(await done(foreignKeys.removeForeignKey('B')), false)
    assert.equal(await done(foreignKeys.readForeignKeys), [key('b')])
    await done(foreignKeys.addForeignKeys([key('a')]))
    assert.equal(await done(foreignKeys.readForeignKeys), [key('b'), key('a')])
  })

  it('of 20 that add the same key at once one succeeds', async ({ foreignKeys }) => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => foreignKeys.addForeignKeys([key('a')])()))
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.equal(await done(foreignKeys.readForeignKeys), [key('a')])
  })

  return test
}
