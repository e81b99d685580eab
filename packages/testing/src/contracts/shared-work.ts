// What the instances of a service have in common: budgets, leases, the events for a provider, and counts.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type BudgetLimits, type EpochSeconds, maxStoredSources, secondsAfter } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import type { BudgetDraw, Lease, ProviderEvent, StoragePorts } from '@clientele/domain/ports'
import { suspendedClient } from '@clientele/domain/registration'
import { contract, contracts, done, inPages, numbers, race, refused } from './contract.js'
import { register, removeClient, beginSession, registerExamples, replaceClient } from './steps.js'
import {
  exampleClient,
  exampleHash,
  exampleId,
  exampleParking,
  exampleSession,
  exampleTime,
  noRow,
  removal,
  endOf,
  openExample,
} from '../examples.js'
import { runParameters } from '../property-runs.js'

const after = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

const start = 1_800_000_000_000
const limits: BudgetLimits = {
  source: { burst: 4, interval: 1_000 },
  network: { burst: 6, interval: 500 },
  all: { burst: 10, interval: 100 },
}

/** Draws for the source, which has a network of its own unless it is named. */
const drawing = (source: string, most = 1, changes: Partial<BudgetDraw> = {}): BudgetDraw => ({
  kind: 'credentials',
  source: exampleHash(`source-${source}`),
  network: exampleHash(`network-${source}`),
  limits,
  most,
  ...changes,
})
const draw = ({ budgets }: StoragePorts, source: string, most: number, now = 0, changes?: Partial<BudgetDraw>) =>
  done(budgets.drawFromBudget(drawing(source, most, changes), start + now))

/** The budget that is exhausted, and the milliseconds until it is not. */
const exhausted = async (ports: StoragePorts, source: string, now = 0, changes?: Partial<BudgetDraw>) => {
  const refusal = await refused(ports.budgets.drawFromBudget(drawing(source, 1, changes), start + now))
  return refusal.error === 'exhausted' ? [refusal.scope, refusal.retryAfter] : refusal
}

const budgets = contract('Budgets', (it) => {
  it('a source consumes its budget once, by whichever handle, and then what comes back; a refusal costs nothing', async (ports) => {
    assert.equal([await draw(ports, 'a', 3), await draw(ports.other, 'a', 3)], [3, 1])
    assert.equal(await exhausted(ports, 'a'), ['source', 1_000])
    for (let refusal = 0; refusal < 20; refusal += 1)
      assert.equal(await exhausted(ports.other, 'a', 900), ['source', 100])
    assert.is(await draw(ports.other, 'a', 3, 2_000), 2)
  })

  it('many sources together consume the budget of all', async (ports) => {
    for (const source of ['a', 'b', 'c', 'd', 'e']) await draw(ports, source, 2)
    assert.equal(await exhausted(ports.other, 'f'), ['all', 100])
    assert.is(await draw(ports.other, 'f', 9, 100), 1)
  })

  it('the sources of a network together consume its budget, and leave that of others', async (ports) => {
    const { network } = drawing('n')
    assert.equal([await draw(ports, 'a', 9, 0, { network }), await draw(ports.other, 'b', 9, 0, { network })], [4, 2])
    assert.equal(await exhausted(ports, 'c', 0, { network }), ['network', 500])
    assert.is(await draw(ports, 'd', 9), 4)
    assert.is(await draw(ports.other, 'c', 9, 500, { network }), 1)
  })

  it('kinds have nothing to do with each other', async (ports) => {
    await draw(ports, 'a', 4)
    assert.is(await draw(ports.other, 'a', 9, 0, { kind: 'registrations' }), 4)
  })

  it('a clock that was set back refuses for no longer than a whole budget takes', async (ports) => {
    await draw(ports, 'a', 4, 3_600_000)
    assert.is(await draw(ports.other, 'a', 1), 1)
  })

  it('200 at once, by two handles, consume what one could', async (ports) => {
    const wanted = numbers(200).map((nth) => drawing(`${nth % 4}`, (nth % 3) + 1))
    const outcomes = await race(ports, wanted, (handle, each) => handle.budgets.drawFromBudget(each, start))
    const units = outcomes.map((outcome) => (E.isRight(outcome) ? outcome.right : 0))
    const sum = (some: ReadonlyArray<number>): number => some.reduce((total, each) => total + each, 0)
    assert.is(sum(units), limits.all.burst)
    for (const source of numbers(4))
      assert.ok(sum(units.filter((_, nth) => nth % 4 === source)) <= limits.source.burst, `${source}`)
    assert.ok(outcomes.every((each) => E.isRight(each) || each.left.error === 'exhausted'))
  })

  it('histories of two handles consume no more than the laws of one budget say', async (ports) => {
    const step = fc.record({
      source: fc.nat(2),
      most: fc.integer({ min: 1, max: 6 }),
      wait: fc.nat(1_500),
      first: fc.boolean(),
    })
    const parameters = runParameters()
    let run = 0
    const histories = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      run += 1
      const consumed = [0, 0, 0]
      const began = start + run * 1_000_000
      let now = began
      for (const { source, most, wait, first } of steps) {
        now += wait
        const handle = first ? ports : ports.other
        const drawn = await handle.budgets.drawFromBudget(drawing(`${run}-${source}`, most), now)()
        consumed[source] = (consumed[source] ?? 0) + (E.isRight(drawn) ? drawn.right : 0)
      }
      for (const units of consumed) assert.ok(units <= limits.source.burst + (now - began) / limits.source.interval)
      const all = consumed.reduce((sum, units) => sum + units, 0)
      assert.ok(all <= limits.all.burst + (now - began) / limits.all.interval)
    })
    await fc.assert(histories, { ...parameters, numRuns: Math.min(parameters.numRuns, 20) })
  })

  it('sources of an attack are bounded, and nothing of theirs stays in the way', async (ports) => {
    const own: BudgetLimits = {
      source: { burst: 2, interval: 10 },
      network: { burst: 4, interval: 5 },
      all: { burst: 30, interval: 1 },
    }
    const attackers = numbers(200).map((nth) => drawing(`attacker-${nth}`, 1, { limits: own }))
    const outcomes = await race(ports, attackers, (handle, each) => handle.budgets.drawFromBudget(each, start))
    assert.is(outcomes.filter(E.isRight).length, own.all.burst)
    assert.ok(own.all.burst <= maxStoredSources(own))
    for (const nth of numbers(5)) await draw(ports, 'a', 1, 1_000 * (nth + 1), { limits: own })
  })
})

const leases = contract('Leases', (it) => {
  const leaseOf = (holder: string, until: number, name = 'keys'): Lease => ({ name, holder, until: after(until) })
  const acquire = (ports: StoragePorts, holder: string, until: number, now: number, name?: string) =>
    done(ports.leases.acquireLease(leaseOf(holder, until, name), after(now)))

  it('one holder has a lease until it ends, and sets another end, later or earlier', async (ports) => {
    for (const [handle, holder, until, now, expected] of [
      [ports, 'a', 10, 0, true],
      [ports.other, 'b', 20, 9, false],
      [ports.other, 'b', 20, 10, true],
      [ports, 'a', 30, 19, false],
      [ports, 'b', 50, 15, true],
      [ports.other, 'a', 60, 49, false],
      [ports.other, 'b', 20, 16, true],
      [ports, 'a', 60, 20, true],
    ] as const)
      assert.is(await acquire(handle, holder, until, now), expected, `${holder} at ${now}`)
  })

  it('leases of different names have nothing to do with each other: letter case, and names of objects', async (ports) => {
    const names = ['keys', 'Keys', 'https://rp.example', '', '__proto__', 'constructor', 'Constructor']
    for (const [nth, each] of names.entries()) assert.is(await acquire(ports, `holder ${nth}`, 10, 0, each), true)
    for (const each of names) assert.is(await acquire(ports.other, 'another', 10, 1, each), false)
  })
})

const session = exampleSession('one')

const events = contract(
  'Events for a provider',
  (it) => {
    const deleted = (client_id: string): ProviderEvent => ({
      event: 'client_deleted',
      client_id,
      registration_id: exampleClient(client_id).registration_id,
    })
    const eventsOf = async ({ providerEvents }: StoragePorts, position = 0) =>
      (await done(providerEvents.listEvents(position, 100))).events.map(({ event }) => event)

    it('a deleted client and an ended session are told in their order, by both handles; what is refused is no event', async (ports) => {
      await refused(
        ports.registry.removeClient(removal(exampleId('a'), { token: O.some(exampleHash('another-token')) })),
      )
      await refused(ports.registry.removeClient(removal(exampleId('stranger'))))
      await refused(ports.sessionTermination.endSession(endOf(exampleSession('stranger')), noRow))
      assert.equal(await eventsOf(ports), [])
      await removeClient(ports, 'a')
      await done(ports.other.sessionTermination.endSession(endOf(session), noRow))
      for (const handle of [ports, ports.other])
        assert.equal(await eventsOf(handle), [deleted('a'), { event: 'session_ended', sid: 'one' }])
    })

    it('events are listed after a position, so many at most, and the latest position is that of the last', async (ports) => {
      const { providerEvents, other } = ports
      assert.is(await done(providerEvents.latestPosition), 0)
      await removeClient(ports, 'a')
      await removeClient(other, 'b')
      const { events: found, position } = await done(providerEvents.listEvents(0, 100))
      const [first, second, ...more] = found
      if (first === undefined || second === undefined) throw new Error('two events were written')
      assert.ok(more.length === 0 && first.position < second.position)
      assert.is(position, second.position)
      const page = { events: [first], position: first.position, forgotten: false }
      assert.equal(await done(other.providerEvents.listEvents(0, 1)), page)
      assert.equal(await done(providerEvents.listEvents(position, 1)), { events: [], position, forgotten: false })
      assert.equal(await eventsOf(ports, first.position), [deleted('b')])
      assert.is(await done(other.providerEvents.latestPosition), second.position)
    })

    it('of removals at once by two handles each client is told once', async (ports) => {
      await race(ports, ['a', 'b', 'b', 'a', 'a', 'b'], ({ registry }, id) =>
        registry.removeClient(removal(exampleId(id))),
      )
      const told = (await eventsOf(ports.other)).flatMap((each) => ('client_id' in each ? [each.client_id] : []))
      assert.equal(told.sort(), ['a', 'b'])
    })
  },
  async (ports) => {
    await registerExamples(ports, 'a', 'b')
    await done(beginSession(ports, session))
  },
)

const census = contract('Counts', (it) => {
  const ids = ['a', 'b', 'c', 'd', 'e']

  it('steps through all clients, of any number, see each once, by either handle', async (ports) => {
    assert.equal((await done(ports.census.countClients(0, 2))).clients, [])
    await registerExamples(ports, ...ids)
    for (const max of [1, 2, 4, 5, 6]) {
      const seen = await inPages(
        max,
        (after) => ports.other.census.countClients(after, max),
        ({ clients }) => clients,
      )
      assert.is(seen.length, ids.length, `${max}`)
    }
  })

  it('a client has what its state follows from', async (ports) => {
    const suspended = exampleClient('b')
    await register(ports, exampleClient('a'), suspended, openExample('c'))
    await done(ports.clientUses.parkUnused(exampleParking(exampleTime), 10))
    await done(ports.clientUses.recordUse(exampleClient('a'), exampleTime))
    await replaceClient(ports, suspendedClient(exampleTime)(suspended), suspended)
    const { clients } = await done(ports.other.census.countClients(0, 10))
    assert.equal(
      clients.map(({ last_use, suspended_at, parked }) => [last_use, suspended_at, parked]),
      [
        [useTime(exampleTime), undefined, false],
        [undefined, exampleTime, false],
        [undefined, undefined, true],
      ],
    )
  })

  it('sessions count until they are over, up to the maximum', async (ports) => {
    const none = await done(ports.census.countOthers(exampleTime, 10))
    assert.equal([none.endUserSessions, none.initialAccessTokens, none.oldestNotification], [0, 0, undefined])
    assert.equal(none.notifications, { waiting: 0, failed: 0 })
    for (const sid of ['a', 'b', 'c']) await done(beginSession(ports, exampleSession(sid), `cookie-${sid}`))
    const counts = [
      [after(0), 10, 3],
      [after(0), 2, 2],
      [after(599), 10, 3],
      [after(10 * 366 * 86_400), 10, 0],
    ] as const
    for (const [at, max, expected] of counts)
      assert.is((await done(ports.other.census.countOthers(at, max))).endUserSessions, expected)
  })
})

/** The promises of Budgets, Leases, ProviderEvents and Census. */
export const sharedWorkContract = contracts(budgets, leases, events, census)
