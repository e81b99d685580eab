// By which client_secret a client authenticated when: the latest day of each counts, and ends with the registration.
import * as assert from 'uvu/assert'
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { useTime, useUnit } from '@clientele/domain/life-cycle'
import type { StoragePorts } from '@clientele/domain/ports'
import { exampleClient, exampleHash, exampleTime } from '../examples.js'
import { contract, done, numbers, race } from './contract.js'
import { register, registerAnew } from './steps.js'

const a = exampleClient('a')
const b = exampleClient('b')
const later = (days: number): EpochSeconds => secondsAfter(exampleTime, days * useUnit)
const use = (secret: string, days: number, client = a) => ({ client, secret: exampleHash(secret), at: later(days) })

const uses = async ({ secretUses }: StoragePorts, client = a): Promise<ReadonlyArray<[TokenHash, EpochSeconds]>> =>
  [...(await done(secretUses.findSecretUses(client)))].sort(([, one], [, other]) => one - other)

/** When the secrets of clients were used. */
export const secretUsesContract = contract(
  'SecretUses',
  (it) => {
    it('the latest day of each secret is kept, of each client for itself', async (ports) => {
      assert.equal(await uses(ports), [])
      await done(ports.secretUses.recordSecretUses([use('one', 1), use('other', 2), use('one', 0), use('one', 0, b)]))
      await done(ports.other.secretUses.recordSecretUses([use('one', 0), use('other', 3)]))
      const expected = [
        [exampleHash('one'), useTime(later(1))],
        [exampleHash('other'), useTime(later(3))],
      ]
      for (const handle of [ports, ports.other]) assert.equal(await uses(handle), expected)
      assert.equal(await uses(ports, b), [[exampleHash('one'), useTime(exampleTime)]])
    })

    it('those of both handles at once are all kept', async (ports) => {
      await race(ports, ['one', 'other', 'one'], (handle, secret) =>
        handle.secretUses.recordSecretUses([use(secret, 1), use('one', 0, b)]),
      )
      assert.is((await uses(ports)).length, 2)
      assert.is((await uses(ports, b)).length, 1)
    })

    it('of many, the four that were used last are kept', async (ports) => {
      for (const day of numbers(8)) await done(ports.secretUses.recordSecretUses([use(`secret-${day}`, day)]))
      assert.equal(
        (await uses(ports.other)).map(([, day]) => day),
        [4, 5, 6, 7].map((day) => useTime(later(day))),
      )
    })

    it('they end with the registration, and none is recorded for one that has ended', async (ports) => {
      await done(ports.secretUses.recordSecretUses([use('one', 1), use('one', 1, b)]))
      await registerAnew(ports, 'a')
      await done(ports.other.secretUses.recordSecretUses([use('one', 2)]))
      assert.equal(await uses(ports), [])
      assert.equal(await uses(ports, exampleClient('a', 'second')), [])
      assert.is((await uses(ports, b)).length, 1)
    })
  },
  (ports) => register(ports, a, b),
)
