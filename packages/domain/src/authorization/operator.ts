import * as E from 'fp-ts/lib/Either.js'
import { type InsufficientScope, type InvalidToken, type MissingToken, invalidToken, missingToken } from '../errors.js'
import type { PresentedCredential } from './presented-credential.js'

const permission: unique symbol = Symbol('operator')

/** That the operator asks. Every management operation demands one, and only this file makes it. */
export type Operator = { readonly [permission]: true }

const operator: Operator = { [permission]: true }

/** A management operation, or several, for the operator alone. */
export type ForOperator<Operations> = (operator: Operator) => Operations

/** For the command line: the file system lets only the operator open the store. */
export const operatorOfTheStore = (): Operator => operator

export type OperatorRefusal = MissingToken | InvalidToken | InsufficientScope

const masterNeeded: InsufficientScope = {
  error: 'insufficient_scope',
  error_description: 'Only the master token permits this',
}

/**
 * Specification §5.3: management takes the master token alone. RFC 6750 §3.1: a token that counts elsewhere, as a registration
 * access token or an initial access token in force does, is valid and permits too little.
 */
export const authorizeOperator = (
  credential: PresentedCredential,
  countsElsewhere: boolean,
): E.Either<OperatorRefusal, Operator> => {
  switch (credential.kind) {
    case 'none':
      return E.left(missingToken)
    case 'master':
      return E.right(operator)
    case 'unusable':
      return E.left(invalidToken)
    case 'token':
      return E.left(countsElsewhere ? masterNeeded : invalidToken)
  }
}
