// The steps of the use cases are the library's flatMap, flatMapEither and tap, in fewer promises.
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { andAlso, andDecide, andThen } from '../../../src/use-cases/steps/and-then.js'

const steps = suite('steps of a use case')

type Outcome = E.Either<string, unknown>

const outcome = fc.oneof(fc.string().map(E.left), fc.anything().map(E.right)) as fc.Arbitrary<Outcome>

const task =
  (result: Outcome): TE.TaskEither<string, unknown> =>
  () =>
    Promise.resolve(result)

type Step = (first: TE.TaskEither<string, unknown>) => TE.TaskEither<string, unknown>

/** What came of it each time, and which values the step was given. */
const ran = async (step: (next: (value: unknown) => Outcome) => Step, first: Outcome, next: Outcome) => {
  const given: Array<unknown> = []
  const asked = step((value) => {
    given.push(value)
    return next
  })(task(first))
  // Twice, because a use case is run again when what it read has changed.
  return { results: [await asked(), await asked()], given }
}

const pairs = {
  andDecide: [(next) => andDecide(next), (next) => TE.flatMapEither(next)],
  andThen: [(next) => andThen((value) => task(next(value))), (next) => TE.flatMap((value) => task(next(value)))],
  andAlso: [(next) => andAlso((value) => task(next(value))), (next) => TE.tap((value) => task(next(value)))],
} satisfies Record<string, readonly [Parameters<typeof ran>[0], Parameters<typeof ran>[0]]>

for (const [name, [ours, theirs]] of Object.entries(pairs))
  steps(`${name} does what the library does, with the same value, and nothing after a failure`, () =>
    fc.assert(
      fc.asyncProperty(outcome, outcome, async (first, next) => {
        assert.equal(await ran(ours, first, next), await ran(theirs, first, next))
      }),
    ),
  )

steps.run()
