import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { noPauses } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTurns } from '../../src/operations/conflicts.js'

const Turns = suite('createTurns')

/** An operation that ends when the test says so. */
const blocked = () => {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { end, operation: async () => ended.then(() => E.right('done')) }
}

Turns('operations under one name run one after the other, in the order in which they came', async () => {
  const { serialize } = createTurns(noPauses)
  const steps: Array<string> = []
  const stepping =
    (name: string): TaskEither<never, string> =>
    async () => {
      steps.push(`${name} begins`)
      await Promise.resolve()
      steps.push(`${name} ends`)
      return E.right(name)
    }
  const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => serialize('one')(stepping(name))()))
  assert.equal(outcomes, ['a', 'b', 'c'].map(E.right))
  assert.equal(
    steps,
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  )
})

Turns('operations under other names do not wait', async () => {
  const { serialize } = createTurns(noPauses)
  const first = blocked()
  const waiting = serialize('one')(first.operation)()
  assert.equal(await serialize('other')(async () => E.right('at once'))(), E.right('at once'))
  first.end()
  await waiting
})

Turns('an operation that fails, or throws, keeps nobody from running', async () => {
  const { serialize } = createTurns(noPauses)
  const failing = serialize('one')(async () => E.left('refused'))()
  const throwing = serialize('one')(async () => Promise.reject(new Error('a defect')))()
  const next = serialize('one')(async () => E.right('done'))()
  assert.equal(await failing, E.left('refused'))
  await throwing.then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, Error),
  )
  assert.equal(await next, E.right('done'))
})

Turns('so many wait at most: one more is refused, until there is room again', async () => {
  const { serialize } = createTurns(noPauses)
  const first = blocked()
  const waiting = Array.from({ length: 1_000 }, () => serialize('one')(first.operation)())
  const refused = await serialize('one')(async () => E.right('never'))()
  assert.is(E.isLeft(refused) && refused.left.error, 'unavailable')
  first.end()
  await Promise.all(waiting)
  assert.equal(await serialize('one')(async () => E.right('again'))(), E.right('again'))
})

Turns.run()
