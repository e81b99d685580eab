import type { Unavailable } from '@clientele/domain/kernel'
import { type LoginRefused, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

type Failure = LoginRefused | Unavailable

// The message of an error could contain what another party sent.
const thrown = (error: unknown): LoginRefused =>
  loginRefused(`the login method failed: ${error instanceof Error ? error.name : 'it threw no error'}`)

/** The result within the time limit. A function of the host may throw, reject, or never settle. */
export const withTimeLimit =
  (milliseconds: number) =>
  <A>(work: () => TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<E.Either<Failure, A>>((resolve) => {
      const refusal = E.left(loginRefused(`the login method did not answer within ${milliseconds} ms`))
      timer = setTimeout(() => resolve(refusal), milliseconds)
    })
    try {
      return await Promise.race([work()(), late])
    } catch (error) {
      return E.left(thrown(error))
    } finally {
      clearTimeout(timer)
    }
  }
