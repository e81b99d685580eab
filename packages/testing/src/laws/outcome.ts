import * as E from 'fp-ts/lib/Either.js'
import type { Outcome } from './authorization-rules.js'

/** The code of the refusal, or that there is none. */
export const codeOf = (outcome: Outcome<unknown>): string => (E.isLeft(outcome) ? outcome.left.error : 'permitted')

export const isPermitted = (outcome: Outcome<unknown>): boolean => E.isRight(outcome)

/** The value of an outcome that must not be a refusal. */
export const valueOf = <Value>(outcome: Outcome<Value>): Value => {
  if (E.isLeft(outcome)) throw new Error(`refused: ${outcome.left.error}`)
  return outcome.right
}
