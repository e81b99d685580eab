import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { secondsAfter, type EpochSeconds, type Lease } from '@clientele/domain'
import { exampleTime } from '../examples/examples.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, done } from './open-store.js'

const after = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)
const leaseOf = (holder: string, until = after(10), name = 'keys'): Lease => ({ name, holder, until })

/** The promises of Leases. */
export const leasesContract = (name: string, open: OpenStore<'leases'>): Contract => {
  const { test, tests } = collect(`Leases ${name}`)
  const it = onNewStore(test, open)

  it('one holder has a lease until it ends, and then another may take it', async ({ leases, other }) => {
    assert.is(await done(leases.acquireLease(leaseOf('a'), after(0))), true)
    assert.is(await done(other.leases.acquireLease(leaseOf('b', after(20)), after(9))), false)
    assert.is(await done(other.leases.acquireLease(leaseOf('b', after(20)), after(10))), true)
    assert.is(await done(leases.acquireLease(leaseOf('a', after(30)), after(19))), false)
  })

  it('the holder sets another end, later or earlier', async ({ leases, other }) => {
    assert.is(await done(leases.acquireLease(leaseOf('a'), after(0))), true)
    assert.is(await done(leases.acquireLease(leaseOf('a', after(50)), after(5))), true)
    assert.is(await done(other.leases.acquireLease(leaseOf('b', after(60)), after(49))), false)
    assert.is(await done(leases.acquireLease(leaseOf('a', after(20)), after(10))), true)
    assert.is(await done(other.leases.acquireLease(leaseOf('b', after(60)), after(20))), true)
  })

  it('the holder gives its lease up before the end, and that of no other holder', async ({ leases, other }) => {
    assert.is(await done(leases.acquireLease(leaseOf('a'), after(0))), true)
    await done(other.leases.releaseLease('keys', 'b'))
    assert.is(await done(other.leases.acquireLease(leaseOf('b'), after(1))), false)
    await done(other.leases.releaseLease('keys', 'a'))
    assert.is(await done(other.leases.acquireLease(leaseOf('b'), after(1))), true)
    await done(leases.releaseLease('nothing', 'a'))
  })

  it('leases of different names have nothing to do with each other, letter case and all', async ({ leases }) => {
    const names = ['keys', 'Keys', 'https://rp.example', '']
    for (const [index, each] of names.entries())
      assert.is(await done(leases.acquireLease(leaseOf(`holder ${index}`, after(10), each), after(0))), true)
    for (const each of names)
      assert.is(await done(leases.acquireLease(leaseOf('another', after(10), each), after(1))), false)
  })

  it('of 20 that ask for one lease at once, by two handles, one gets it', async (ports) => {
    const holders = Array.from({ length: 20 }, (_, index) => `holder ${index}`)
    const outcomes = await race(ports, holders, ({ leases }, holder) => leases.acquireLease(leaseOf(holder), after(0)))
    assert.is(outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length, 1)
    const winner = holders[outcomes.findIndex((outcome) => E.isRight(outcome) && outcome.right)] ?? ''
    assert.is(await done(ports.leases.acquireLease(leaseOf(winner), after(1))), true)
  })

  return tests
}
