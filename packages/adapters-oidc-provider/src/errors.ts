// From refusals to the errors of the engine, which answers them as the standards say.
import { type BudgetKind, type ExhaustedBudget, refusalReason, secondsToWait } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { presentKnown, presentRequest } from './context.js'

/** RFC 6749 §4.1.2.1; RFC 9110 §15.6.4 where the answer is no redirect. */
export class TemporarilyUnavailable extends errors.OIDCProviderError {
  constructor(detail: unknown) {
    super(503, 'temporarily_unavailable')
    this.expose = true
    this.error_description = 'the service cannot answer now: try again later'
    this.error_detail = detail instanceof Error ? detail.message : JSON.stringify(detail)
  }
}

/** RFC 6585 §4: a page, and no redirect, because the application would only send the browser again. */
export class TooManyRequests extends errors.OIDCProviderError {
  constructor(request: KoaContextWithOIDC, kind: BudgetKind, exhausted: ExhaustedBudget) {
    super(429, 'too_many_requests')
    this.allow_redirect = false
    this.error_description = 'too many requests: try again after the seconds of Retry-After'
    this.error_detail = refusalReason(kind, exhausted)
    request.set('Retry-After', String(secondsToWait(exhausted)))
  }
}

type Refused = { readonly error: string; readonly detail?: unknown }

/**
 * The result of an operation of the store; throws where it is unavailable. After that, the same request asks the store no
 * more: each operation may wait for a busy store, and their times would add up.
 */
export const performed = async <Refusal extends Refused, Value>(
  operation: TE.TaskEither<Refusal, Value>,
): Promise<E.Either<Refusal, Value>> => {
  const known = presentKnown()
  if (known?.failure !== undefined) throw known.failure
  const result = await operation()
  if (E.isRight(result) || result.left.error !== 'unavailable') return result
  const failure = new TemporarilyUnavailable(result.left.detail)
  if (known !== undefined) known.failure = failure
  // RFC 9110 §10.2.3
  presentRequest()?.set('Retry-After', '1')
  throw failure
}

/** The value; a refusal is thrown as the error that it is for the engine. */
export const orThrow = async <Refusal extends Refused, Value>(
  operation: TE.TaskEither<Refusal, Value>,
  otherwise: (refusal: Refusal) => Error = (refusal) => new TemporarilyUnavailable(refusal.detail ?? refusal.error),
): Promise<Value> => {
  const result = await performed(operation)
  if (E.isLeft(result)) throw otherwise(result.left)
  return result.right
}
