import type { TokenHash } from '@clientele/domain/authorization'
import { type AbusePolicy, type ExhaustedBudget, sourceOf, unavailable } from '@clientele/domain/kernel'
import type { BudgetConsumption, Budgets } from '@clientele/domain/ports'
import { exampleHash } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import { createBudgetConsumption, unitLifetime } from '../../src/running/budgets.js'

const Consumption = suite('createBudgetConsumption')

const limits = {
  source: { burst: 24, interval: 1_000 },
  network: { burst: 30, interval: 500 },
  all: { burst: 60, interval: 100 },
}
const policy: AbusePolicy = {
  credentials: limits,
  registrations: undefined,
  logout_pages: undefined,
  authorizations: undefined,
  documents: undefined,
}
const hashToken = (text: string): TokenHash => exampleHash(text.replaceAll(/[^a-z0-9]/g, '-'))

/** Instances on one store, with one clock. */
const instances = (count: number, change: (budgets: Budgets) => Budgets = (budgets) => budgets) => {
  const clock = { at: 1_800_000_000_000 }
  const state = emptyState()
  const seen = { draws: 0, refusals: new Array<ExhaustedBudget['scope']>() }
  const consumptions = Array.from({ length: count }, (): BudgetConsumption => {
    const { budgets } = inMemoryStore(state)
    const counted: Budgets = {
      drawFromBudget: (draw, now) => {
        seen.draws += 1
        return budgets.drawFromBudget(draw, now)
      },
    }
    return createBudgetConsumption(policy, {
      ...change(counted),
      hashToken,
      now: () => clock.at,
      elapsed: () => clock.at,
      onExhausted: (_, scope) => seen.refusals.push(scope),
    })
  })
  const consume = (instance: number, address: string) => {
    const consumption = consumptions[instance % count]
    if (consumption === undefined) throw new Error('no instance')
    return consumption.consumeBudget('credentials', sourceOf(address))()
  }
  return { clock, state, seen, consume, consumptions }
}

const permittedAmong = (outcomes: ReadonlyArray<E.Either<unknown, void>>): number => outcomes.filter(E.isRight).length

for (const count of [1, 2, 5])
  Consumption(`${count} instances together consume at most what one may`, async () => {
    const { consume } = instances(count)
    const tried = Array.from({ length: 300 }, (_, index) => consume(index, '192.0.2.1'))
    const permitted = permittedAmong(await Promise.all(tried))
    // What an instance has drawn last may stay unspent.
    assert.ok(permitted <= limits.source.burst)
    assert.ok(permitted >= limits.source.burst - 3 * (count - 1))
  })

Consumption('an instance that is started anew has no budget of its own', async () => {
  const { state, clock, consume } = instances(1)
  while (E.isRight(await consume(0, '192.0.2.1')));
  const { budgets } = inMemoryStore(state)
  const anew = createBudgetConsumption(policy, {
    ...budgets,
    hashToken,
    now: () => clock.at,
    elapsed: () => 0,
    onExhausted: () => undefined,
  })
  assert.ok(E.isLeft(await anew.consumeBudget('credentials', sourceOf('192.0.2.1'))()))
})

Consumption('a flood of one source asks the store a few times only, and a refused one not at all', async () => {
  const { clock, consume, seen } = instances(1)
  for (let each = 0; each < 1_000; each += 1) await consume(0, '192.0.2.1')
  assert.ok(seen.draws <= 11, String(seen.draws))
  assert.equal(new Set(seen.refusals), new Set(['source']))
  const before = seen.draws
  clock.at += 1_000
  assert.ok(E.isRight(await consume(0, '192.0.2.1')))
  assert.is(seen.draws, before + 1)
})

Consumption('requests at the same time share a draw', async () => {
  const { consume, seen } = instances(1)
  await Promise.all(Array.from({ length: 200 }, () => consume(0, '192.0.2.1')))
  assert.ok(seen.draws <= 11, String(seen.draws))
})

Consumption('single failures of many sources cost the budget of all one unit each', async () => {
  const { consume, seen } = instances(2)
  const tried = Array.from({ length: 100 }, (_, index) => consume(index, `2001:db8:${index.toString(16)}::1`))
  assert.is(permittedAmong(await Promise.all(tried)), limits.all.burst)
  assert.ok(seen.refusals.every((scope) => scope === 'all'))
  const before = seen.draws
  for (let each = 0; each < 100; each += 1) await consume(0, `2001:db9:${each.toString(16)}::1`)
  assert.is(seen.draws, before)
})

Consumption('the /64 of one /48 consume no more than its budget, and then ask the store no more', async () => {
  const { consume, seen } = instances(2)
  const tried = Array.from({ length: 100 }, (_, index) => consume(index, `2001:db8:0:${index.toString(16)}::1`))
  assert.is(permittedAmong(await Promise.all(tried)), limits.network.burst)
  assert.equal(new Set(seen.refusals), new Set(['network']))
  const before = seen.draws
  for (let each = 100; each < 200; each += 1) await consume(0, `2001:db8:0:${each.toString(16)}::1`)
  assert.is(seen.draws, before)
  assert.ok(E.isRight(await consume(0, '2001:db8:1::1')))
})

Consumption('a refusal says when there is something again', async () => {
  const { clock, consume } = instances(1)
  while (E.isRight(await consume(0, '192.0.2.1')));
  const refused = await consume(0, '192.0.2.1')
  assert.ok(E.isLeft(refused))
  if (E.isRight(refused)) return
  clock.at += refused.left.retryAfter - 1
  assert.ok(E.isLeft(await consume(0, '192.0.2.1')))
  clock.at += 1
  assert.ok(E.isRight(await consume(0, '192.0.2.1')))
})

Consumption('units that were not consumed in time are lost', async () => {
  const { clock, consume } = instances(1)
  for (let each = 0; each < 8; each += 1) await consume(0, '192.0.2.1')
  clock.at += unitLifetime
  const tried = await Promise.all(Array.from({ length: 100 }, () => consume(0, '192.0.2.1')))
  assert.ok(permittedAmong(tried) <= limits.source.burst - 8 + unitLifetime / limits.source.interval)
})

Consumption('a store that cannot count permits, and is not asked for each request', async () => {
  const calls = { draws: 0 }
  const { clock, consume } = instances(1, () => ({
    drawFromBudget: () => {
      calls.draws += 1
      return TE.left(unavailable('no disk'))
    },
  }))
  for (let each = 0; each < 100; each += 1) assert.ok(E.isRight(await consume(0, '192.0.2.1')))
  assert.is(calls.draws, 1)
  clock.at += 1_000
  await consume(0, '192.0.2.1')
  assert.is(calls.draws, 2)
})

Consumption('work without a limit asks nothing', async () => {
  const { consumptions, seen } = instances(1)
  for (const { consumeBudget } of consumptions)
    for (let each = 0; each < 100; each += 1)
      assert.ok(E.isRight(await consumeBudget('registrations', sourceOf('192.0.2.1'))()))
  assert.is(seen.draws, 0)
})

Consumption.run()
