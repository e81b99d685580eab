// The repetition of what failed for a reason that passes, until the request is refused.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { Failure, Outcome } from './connections.js'

/** Milliseconds until a request is refused. */
const patience = 4_000
/** Milliseconds for the question whether a commit took effect, after a request would be refused. */
const patienceInDoubt = 1_000
/** The maximum number of repetitions after another transaction was faster. */
const maxAgain = 8
/** Milliseconds between two attempts to find a database that writes. */
const pauseElsewhere = 50
const pauseAgain = 5

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

// Half of the pause is random, so that two instances do not collide again.
const jittered = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2)

export const pauseAfter = ({ verdict }: Failure, attempts: number): Promise<void> =>
  pause(jittered(verdict === 'again' ? pauseAgain * attempts : pauseElsewhere))

export const isFinal = ({ verdict }: Failure, attempts: number, deadline: number): boolean =>
  verdict === 'undone' || performance.now() > deadline || (verdict === 'again' && attempts > maxAgain)

export type Deadlines = { readonly ofRequest: number; readonly inDoubt: number }

/** `limit` is the time in milliseconds until the request is refused. */
export const deadlinesFromNow = (limit = patience): Deadlines => {
  const ofRequest = performance.now() + limit
  return { ofRequest, inDoubt: ofRequest + patienceInDoubt }
}

export const repeat = async <Result>(
  run: () => Promise<Outcome<Result>>,
  { ofRequest, inDoubt }: Deadlines,
): Promise<E.Either<Unavailable, Result>> => {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await run()
    if (E.isRight(outcome)) return outcome
    const failure = outcome.left
    if (isFinal(failure, attempts, failure.verdict === 'in_doubt' ? inDoubt : ofRequest))
      return E.left(unavailable(failure.error))
    await pauseAfter(failure, attempts)
  }
}
