import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { type BudgetDraw, type BudgetLimits, maxStoredSources } from '@clientele/domain'
import { exampleHash } from '../examples/examples.js'
import { runParameters } from '../property-runs.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, type StoreHandles, done, refused } from './open-store.js'

const start = 1_800_000_000_000
const limits: BudgetLimits = {
  source: { burst: 4, interval: 1_000 },
  network: { burst: 6, interval: 500 },
  all: { burst: 10, interval: 100 },
}

/** A source of a network of its own, unless the network is named. */
const drawing = (
  source: string,
  most = 1,
  own = limits,
  { kind = 'credentials', network = source }: { kind?: BudgetDraw['kind']; network?: string } = {},
): BudgetDraw => ({
  kind,
  source: exampleHash(`source-${source}`),
  network: exampleHash(`network-${network}`),
  limits: own,
  most,
})

/** The promises of Budgets. */
export const budgetsContract = (name: string, open: OpenStore<'budgets'>): Contract => {
  const { test, tests } = collect(`Budgets ${name}`)
  const it = onNewStore(test, open)

  it('a source consumes its budget once, by whichever handle, and then what comes back', async ({ budgets, other }) => {
    assert.is(await done(budgets.drawFromBudget(drawing('a', 3), start)), 3)
    assert.is(await done(other.budgets.drawFromBudget(drawing('a', 3), start)), 1)
    const exhausted = { error: 'exhausted', retryAfter: 1_000, scope: 'source' }
    assert.equal(await refused(budgets.drawFromBudget(drawing('a'), start)), exhausted)
    assert.equal(await refused(other.budgets.drawFromBudget(drawing('a'), start + 900)), {
      ...exhausted,
      retryAfter: 100,
    })
    assert.is(await done(other.budgets.drawFromBudget(drawing('a', 3), start + 2_000)), 2)
  })

  it('many sources together consume the budget of all', async ({ budgets, other }) => {
    for (const source of ['a', 'b', 'c', 'd', 'e']) await done(budgets.drawFromBudget(drawing(source, 2), start))
    assert.equal(await refused(other.budgets.drawFromBudget(drawing('f'), start)), {
      error: 'exhausted',
      retryAfter: 100,
      scope: 'all',
    })
    assert.is(await done(other.budgets.drawFromBudget(drawing('f', 9), start + 100)), 1)
  })

  it('the sources of a network together consume its budget, and leave that of others', async ({ budgets, other }) => {
    const ofNetwork = (source: string, most: number) => drawing(source, most, limits, { network: 'n' })
    assert.is(await done(budgets.drawFromBudget(ofNetwork('a', 9), start)), 4)
    assert.is(await done(other.budgets.drawFromBudget(ofNetwork('b', 9), start)), 2)
    assert.equal(await refused(budgets.drawFromBudget(ofNetwork('c', 9), start)), {
      error: 'exhausted',
      retryAfter: 500,
      scope: 'network',
    })
    assert.is(await done(budgets.drawFromBudget(drawing('d', 9), start)), 4)
    assert.is(await done(other.budgets.drawFromBudget(ofNetwork('c', 9), start + 500)), 1)
  })

  it('kinds have nothing to do with each other', async ({ budgets, other }) => {
    await done(budgets.drawFromBudget(drawing('a', 4), start))
    assert.is(await done(other.budgets.drawFromBudget(drawing('a', 9, limits, { kind: 'registrations' }), start)), 4)
  })

  it('a refusal costs nothing', async ({ budgets }) => {
    await done(budgets.drawFromBudget(drawing('a', 4), start))
    for (let each = 0; each < 20; each += 1) await refused(budgets.drawFromBudget(drawing('a'), start + 999))
    assert.is(await done(budgets.drawFromBudget(drawing('a'), start + 1_000)), 1)
  })

  it('a clock that was set back refuses for no longer than a whole budget takes', async ({ budgets, other }) => {
    await done(budgets.drawFromBudget(drawing('a', 4), start + 3_600_000))
    await done(other.budgets.drawFromBudget(drawing('a'), start))
  })

  it('200 at once, by two handles, consume what one could', async (ports: StoreHandles<'budgets'>) => {
    const wanted = Array.from({ length: 200 }, (_, index) => drawing(`${index % 4}`, (index % 3) + 1))
    const outcomes = await race(ports, wanted, ({ budgets }, each) => budgets.drawFromBudget(each, start))
    const units = outcomes.map((outcome) => (E.isRight(outcome) ? outcome.right : 0))
    assert.is(
      units.reduce((sum, each) => sum + each, 0),
      limits.all.burst,
    )
    for (const source of [0, 1, 2, 3]) {
      const own = units.filter((_, index) => index % 4 === source).reduce((sum, each) => sum + each, 0)
      assert.ok(own <= limits.source.burst, String(own))
    }
    const refusals = outcomes.filter(E.isLeft).map(({ left }) => left.error)
    assert.ok(refusals.every((error) => error === 'exhausted'))
  })

  it('histories of two handles consume no more than the laws of one budget say', async ({ budgets, other }) => {
    const step = fc.record({
      source: fc.nat(2),
      most: fc.integer({ min: 1, max: 6 }),
      wait: fc.nat(1_500),
      first: fc.boolean(),
    })
    const parameters = runParameters()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        run += 1
        const consumed = [0, 0, 0]
        const began = start + run * 1_000_000
        let now = began
        for (const { source, most, wait, first } of steps) {
          now += wait
          const handle = first ? budgets : other.budgets
          const drawn = await handle.drawFromBudget(drawing(`${run}-${source}`, most), now)()
          consumed[source] = (consumed[source] ?? 0) + (E.isRight(drawn) ? drawn.right : 0)
        }
        for (const units of consumed) assert.ok(units <= limits.source.burst + (now - began) / limits.source.interval)
        const all = consumed.reduce((sum, units) => sum + units, 0)
        assert.ok(all <= limits.all.burst + (now - began) / limits.all.interval)
      }),
      { ...parameters, numRuns: Math.min(parameters.numRuns, 20) },
    )
  })

  it('sources of an attack are bounded, and nothing of theirs stays in the way', async ({ budgets }) => {
    const own: BudgetLimits = {
      source: { burst: 2, interval: 10 },
      network: { burst: 4, interval: 5 },
      all: { burst: 30, interval: 1 },
    }
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, index) => budgets.drawFromBudget(drawing(`attacker-${index}`, 1, own), start)()),
    )
    assert.is(outcomes.filter(E.isRight).length, own.all.burst)
    assert.ok(own.all.burst <= maxStoredSources(own))
    for (let each = 0; each < 5; each += 1)
      await done(budgets.drawFromBudget(drawing('a', 1, own), start + 1_000 * (each + 1)))
  })

  return tests
}
