import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noPauses, runParameters } from '@clientele/testing'
import { invalidToken, unavailable } from '../../src/kernel/refusals.js'
import { clientChanged } from '../../src/ports/store.js'
import type { Pauses } from '../../src/ports/outside.js'
import { maxAttempts, pauseAfter, retryOnConflict } from '../../src/operations/conflicts.js'

const RetryOnConflict = suite('retryOnConflict')

/** An operation that returns the given results in turn, then the last one for ever, and counts its calls. */
const answering = <Result>(...results: readonly [Result, ...ReadonlyArray<Result>]) => {
  const runs: Array<Result> = []
  const operation = async (): Promise<Result> => {
    const result = results[runs.length] ?? results.at(-1) ?? results[0]
    runs.push(result)
    return result
  }
  return { operation, runs }
}

const retry = retryOnConflict(noPauses)

RetryOnConflict('an operation that succeeds runs once', async () => {
  const { operation, runs } = answering(E.right('read'))
  assert.equal([await retry(operation)(), runs.length], [E.right('read'), 1])
})

RetryOnConflict('an operation that lost runs again, from the beginning', async () => {
  const { operation, runs } = answering<E.Either<typeof clientChanged, string>>(
    E.left(clientChanged),
    E.left(clientChanged),
    E.right('read'),
  )
  assert.equal([await retry(operation)(), runs.length], [E.right('read'), 3])
})

RetryOnConflict('any other refusal ends it, the first time and after a loss', async () => {
  for (const error of [invalidToken, unavailable('disk')]) {
    const once = answering(E.left(error))
    assert.equal([await retry(once.operation)(), once.runs.length], [E.left(error), 1])
    const twice = answering<E.Either<typeof clientChanged | typeof error, never>>(E.left(clientChanged), E.left(error))
    assert.equal([await retry(twice.operation)(), twice.runs.length], [E.left(error), 2])
  }
})

RetryOnConflict('an operation that loses for ever is given up as unavailable, after the last attempt', async () => {
  const { operation, runs } = answering(E.left(clientChanged))
  const answer = await retry(operation)()
  assert.is(E.isLeft(answer) && answer.left.error, 'unavailable')
  assert.is(runs.length, maxAttempts)
})

RetryOnConflict('nothing runs before it is asked to', async () => {
  const { operation, runs } = answering(E.right('read'))
  const prepared = retry(TE.flatMap(() => operation)(TE.right(undefined)))
  assert.is(runs.length, 0)
  await prepared()
  assert.is(runs.length, 1)
})

RetryOnConflict('it pauses before each attempt but the first, as drawn anew, and after none of the last', async () => {
  const fractions = Array.from({ length: maxAttempts }, (_, index) => index / maxAttempts)
  const happened: Array<string | number> = []
  const drawn = fractions.values()
  const pauses: Pauses = {
    drawFraction: () => Number(drawn.next().value),
    pause: (milliseconds) => async () => void happened.push(milliseconds),
  }
  await retryOnConflict(pauses)(async () => {
    happened.push('attempt')
    return E.left(clientChanged)
  })()
  const expected = fractions
    .slice(0, maxAttempts - 1)
    .flatMap((fraction, index) => ['attempt', pauseAfter(index + 1, fraction)])
  assert.equal(happened, [...expected, 'attempt'])
})

const attempts = fc.integer({ min: 1, max: maxAttempts - 1 })
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

RetryOnConflict(
  'a pause is a part of a time that grows with the attempts, and all of them end within some seconds',
  () =>
    fc.assert(
      fc.property(attempts, fraction, (before, one) => {
        const longest = pauseAfter(before, 1)
        assert.is(pauseAfter(before, one), one * longest)
        assert.ok(longest <= pauseAfter(before + 1, 1))
        const all = Array.from({ length: maxAttempts - 1 }, (_, index) => pauseAfter(index + 1, one))
        assert.ok(all.reduce((sum, pause) => sum + pause, 0) <= 5_000)
      }),
      runParameters(),
    ),
)

RetryOnConflict.run()
