import * as E from 'fp-ts/lib/Either.js'
import { type InsufficientScope, type InvalidToken, type MissingToken, invalidToken, missingToken } from '../errors.js'
import type { PresentedCredential } from './credential.js'

const permission: unique symbol = Symbol('operator')

/** Proof that the operator sends the request. Every management operation requires it, and only this file makes it. */
export type Operator = { readonly [permission]: true }

const operator: Operator = { [permission]: true }

/** One or several management operations for the operator alone. */
export type ForOperator<Operations> = (operator: Operator) => Operations

/** For the command line: file permissions let only the operator open the store. */
export const operatorOfTheStore = (): Operator => operator

export type OperatorRefusal = MissingToken | InvalidToken | InsufficientScope

const masterNeeded: InsufficientScope = {
  error: 'insufficient_scope',
  error_description: 'Only the master token permits this',
}

/**
 * Specification §5.3: management accepts only the master token. RFC 6750 §3.1: a registration access token or an
 * initial access token in force is valid, but its scope is insufficient.
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
