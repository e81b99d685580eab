import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTurnstile } from '../src/turnstile.js'

const Turnstile = suite('turnstile')

const patient = (): AbortSignal => new AbortController().signal

const outcome = (entry: Promise<unknown>): Promise<unknown> =>
  entry.then(
    () => 'in',
    (error: unknown) => (error instanceof Error ? error.message : error),
  )

Turnstile('who gave up waiting leaves the queue, and takes no place later', async () => {
  const enter = createTurnstile(1, 1)
  const leave = await enter(patient())
  const impatient = new AbortController()
  const waiting = outcome(enter(impatient.signal))
  assert.is(await outcome(enter(patient())), 'too many requests wait already')
  impatient.abort()
  assert.is(await waiting, 'no place came free in time')
  const next = outcome(enter(patient()))
  leave()
  assert.is(await next, 'in')
})

Turnstile('they enter in the order in which they came', async () => {
  const enter = createTurnstile(1, 3)
  const leave = await enter(patient())
  const order: Array<number> = []
  const all = [1, 2, 3].map(async (number) => {
    const leaveToo = await enter(patient())
    order.push(number)
    leaveToo()
  })
  leave()
  await Promise.all(all)
  assert.equal(order, [1, 2, 3])
})

Turnstile('to leave twice frees one place', async () => {
  const enter = createTurnstile(1, 2)
  const leave = await enter(patient())
  const [first, second] = [enter(patient()), enter(patient())]
  leave()
  leave()
  assert.is(await outcome(first), 'in')
  assert.is(
    await Promise.race([outcome(second), new Promise((resolve) => setTimeout(() => resolve('waits'), 20))]),
    'waits',
  )
})

Turnstile.run()
