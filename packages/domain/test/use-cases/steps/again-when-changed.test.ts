import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { invalidToken, unavailable } from '../../../src/errors.js'
import { clientChanged } from '../../../src/ports/client-registry.js'
import { againWhenChanged } from '../../../src/use-cases/steps/again-when-changed.js'

const AgainWhenChanged = suite('againWhenChanged')

/** An operation that answers the given results in turn, the last of them for ever, and counts. */
const answering = <Result>(...results: readonly [Result, ...ReadonlyArray<Result>]) => {
  const runs: Array<Result> = []
  const operation = async (): Promise<Result> => {
    const result = results[runs.length] ?? results.at(-1) ?? results[0]
    runs.push(result)
    return result
  }
  return { operation, runs }
}

AgainWhenChanged('an operation that succeeds runs once', async () => {
  const { operation, runs } = answering(E.right('read'))
  assert.equal([await againWhenChanged(operation)(), runs.length], [E.right('read'), 1])
})

AgainWhenChanged('an operation that lost runs again, from the beginning', async () => {
  const { operation, runs } = answering<E.Either<typeof clientChanged, string>>(
    E.left(clientChanged),
    E.left(clientChanged),
    E.right('read'),
  )
  assert.equal([await againWhenChanged(operation)(), runs.length], [E.right('read'), 3])
})

AgainWhenChanged('any other refusal ends it, the first time and after a loss', async () => {
  for (const error of [invalidToken, unavailable('disk')]) {
    const once = answering(E.left(error))
    assert.equal([await againWhenChanged(once.operation)(), once.runs.length], [E.left(error), 1])
    const twice = answering<E.Either<typeof clientChanged | typeof error, never>>(E.left(clientChanged), E.left(error))
    assert.equal([await againWhenChanged(twice.operation)(), twice.runs.length], [E.left(error), 2])
  }
})

AgainWhenChanged(
  'an operation that loses for ever is given up as unavailable, after a bounded number of times',
  async () => {
    const { operation, runs } = answering(E.left(clientChanged))
    const answer = await againWhenChanged(operation)()
    assert.is(E.isLeft(answer) && answer.left.error, 'unavailable')
    assert.ok(runs.length > 1 && runs.length < 100, `ran ${runs.length} times`)
  },
)

AgainWhenChanged('the bound can be said, and none left means a single run', async () => {
  for (const left of [0, 1, 5]) {
    const { operation, runs } = answering(E.left(clientChanged))
    await againWhenChanged(operation, left)()
    assert.is(runs.length, left + 1)
  }
})

AgainWhenChanged('nothing runs before it is asked to', async () => {
  const { operation, runs } = answering(E.right('read'))
  const prepared = againWhenChanged(TE.flatMap(() => operation)(TE.right(undefined)))
  assert.is(runs.length, 0)
  await prepared()
  assert.is(runs.length, 1)
})

AgainWhenChanged.run()
