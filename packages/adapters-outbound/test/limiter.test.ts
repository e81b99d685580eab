import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Limiter, createLimiter } from '../src/limiter.js'

const Turns = suite('turnstile')

const patient = (): AbortSignal => new AbortController().signal

const of = (maxAtOnce: number, maxWaiting: number): Limiter =>
  createLimiter({ maxAtOnce, maxAtOnceEach: maxAtOnce, maxWaiting, maxWaitingEach: maxWaiting })

const outcome = (entry: Promise<unknown>): Promise<unknown> =>
  entry.then(
    () => 'in',
    (error: unknown) => (error instanceof Error ? error.message : error),
  )

const crowded = 'too many requests wait already'

Turns('who gave up waiting leaves the queue, and takes no place later', async () => {
  const enter = of(1, 1)
  const leave = await enter('a', patient())
  const impatient = new AbortController()
  const waiting = outcome(enter('a', impatient.signal))
  assert.is(await outcome(enter('a', patient())), crowded)
  impatient.abort()
  assert.is(await waiting, 'no place came free in time')
  const next = outcome(enter('a', patient()))
  leave()
  assert.is(await next, 'in')
})

Turns('those of one holder enter in the order in which they came', async () => {
  const enter = of(1, 3)
  const leave = await enter('a', patient())
  const order: Array<number> = []
  const all = [1, 2, 3].map(async (number) => {
    const leaveToo = await enter('a', patient())
    order.push(number)
    leaveToo()
  })
  leave()
  await Promise.all(all)
  assert.equal(order, [1, 2, 3])
})

Turns('to leave twice frees one place', async () => {
  const enter = of(1, 2)
  const leave = await enter('a', patient())
  const first = enter('a', patient())
  const second = enter('a', patient())
  leave()
  leave()
  assert.is(await outcome(first), 'in')
  assert.is(
    await Promise.race([outcome(second), new Promise((resolve) => setTimeout(() => resolve('waits'), 20))]),
    'waits',
  )
})

Turns('a holder waits for its own place while there is room for others', async () => {
  const enter = createLimiter({ maxAtOnce: 3, maxAtOnceEach: 1, maxWaiting: 3, maxWaitingEach: 1 })
  const leave = await enter('a', patient())
  const waits = outcome(enter('a', patient()))
  assert.is(await outcome(enter('a', patient())), crowded)
  assert.is(await outcome(enter('b', patient())), 'in')
  leave()
  assert.is(await waits, 'in')
})

type Step = { readonly kind: 'enter' | 'leave' | 'abort'; readonly holder: string; readonly nth: number }

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('enter', 'enter', 'leave', 'abort'),
    holder: fc.constantFrom('a', 'b', 'c'),
    nth: fc.nat(20),
  }),
  { maxLength: 60 },
)

const places = fc.record({
  maxAtOnce: fc.integer({ min: 1, max: 5 }),
  maxAtOnceEach: fc.integer({ min: 1, max: 3 }),
  maxWaiting: fc.nat(6),
  maxWaitingEach: fc.nat(3),
})

Turns(
  'whoever comes, leaves and gives up: no bound is passed, and nobody waits beside a place that they may have',
  () =>
    fc.assert(
      fc.asyncProperty(places, steps, async (bounds, all) => {
        const enter = createLimiter(bounds)
        const inside: Array<readonly [string, () => void]> = []
        const waiting: Array<readonly [string, AbortController]> = []
        const count = (some: ReadonlyArray<readonly [string, unknown]>, holder: string): number =>
          some.filter(([each]) => each === holder).length
        const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
        for (const { kind, holder, nth } of all) {
          if (kind === 'enter') {
            const controller = new AbortController()
            const turn = { isOver: false }
            const one = [holder, controller] as const
            waiting.push(one)
            enter(holder, controller.signal)
              .then(
                (leave) => void inside.push([holder, leave]),
                () => undefined,
              )
              .finally(() => {
                turn.isOver = true
                waiting.splice(waiting.indexOf(one), 1)
              })
          }
          if (kind === 'leave') inside.splice(nth % Math.max(1, inside.length), 1)[0]?.[1]()
          if (kind === 'abort') waiting[nth % Math.max(1, waiting.length)]?.[1].abort()
          await settle()
          assert.ok(inside.length <= bounds.maxAtOnce && waiting.length <= bounds.maxWaiting)
          for (const each of ['a', 'b', 'c']) {
            assert.ok(count(inside, each) <= bounds.maxAtOnceEach && count(waiting, each) <= bounds.maxWaitingEach)
            const hasRoom = inside.length < bounds.maxAtOnce && count(inside, each) < bounds.maxAtOnceEach
            assert.not(hasRoom && count(waiting, each) > 0, `${each} waits beside a free place`)
          }
        }
      }),
      { numRuns: 200 },
    ),
)

Turns.run()
