import { type RegisteredClient, noLimits, secondsAfter, suspendedClient, useTime } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { exampleClient, exampleSession, exampleHash, exampleParking, exampleTime } from '../examples/examples.js'
import { type Contract, collect, onNewStore } from './contract.js'
import { type OpenStore, type StoreHandles, done } from './open-store.js'

type Names = 'census' | 'registry' | 'clientUses' | 'endUserSessions' | 'initialAccessTokens'

const ids = ['a', 'b', 'c', 'd', 'e']

const fill = async ({ registry }: StoreHandles<Names>): Promise<void> => {
  for (const id of ids) await done(registry.addClient(exampleClient(id), O.none, noLimits))
}

/** The promises of Census. */
export const censusContract = (name: string, open: OpenStore<Names>): Contract => {
  const { test, tests } = collect(`Census ${name}`)
  const it = onNewStore<Names>(test, open)

  it('steps through all clients, of any number, see each once, by either handle', async (ports) => {
    assert.equal((await done(ports.census.countClients(0, 2))).clients, [])
    await fill(ports)
    for (const max of [1, 2, 4, 5, 6]) {
      let seen = 0
      let after: number | undefined = 0
      while (after !== undefined) {
        const slice: { readonly clients: ReadonlyArray<unknown>; readonly next?: number } = await done(
          ports.other.census.countClients(after, max),
        )
        assert.ok(slice.clients.length <= max)
        seen += slice.clients.length
        after = slice.next
      }
      assert.is(seen, ids.length, String(max))
    }
  })

  it('a client has what its state follows from', async (ports) => {
    await fill(ports)
    const used = exampleClient('a')
    const suspended = exampleClient('b')
    const parked: RegisteredClient = { ...exampleClient('f'), registered_by: 'nobody' }
    await done(ports.registry.addClient(parked, O.none, noLimits))
    await done(ports.clientUses.parkUnused(exampleParking(exampleTime), 10))
    await done(ports.clientUses.recordUse(used, exampleTime))
    await done(ports.registry.replaceClient(suspendedClient(exampleTime)(suspended), suspended))
    const { clients } = await done(ports.other.census.countClients(0, 10))
    assert.equal(
      clients.map(({ last_use, suspended_at, parked: isParked }) => [last_use, suspended_at, isParked]),
      [...ids, 'f'].map((id) => [
        id === 'a' ? useTime(exampleTime) : undefined,
        id === 'b' ? exampleTime : undefined,
        id === 'f',
      ]),
    )
  })

  it('sessions count until they are over, up to the maximum', async ({ census, endUserSessions, other }) => {
    const none = await done(census.countOthers(exampleTime, 10))
    assert.equal(
      [none.endUserSessions, none.initialAccessTokens, none.notifications],
      [0, 0, { waiting: 0, failed: 0 }],
    )
    assert.is(none.oldestNotification, undefined)
    for (const sid of ['a', 'b', 'c'])
      await done(endUserSessions.addSession(exampleSession(sid), exampleHash(`cookie-${sid}`), exampleTime))
    assert.is((await done(other.census.countOthers(exampleTime, 10))).endUserSessions, 3)
    assert.is((await done(other.census.countOthers(exampleTime, 2))).endUserSessions, 2)
    const later = secondsAfter(exampleTime, 10 * 366 * 86_400)
    assert.is((await done(other.census.countOthers(later, 10))).endUserSessions, 0)
  })

  return tests
}
