// From refusals to the errors of the engine, which answers them as the standards say.
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { errors } from 'oidc-provider'
import { presentRequest } from './context.js'

/** RFC 6749 §4.1.2.1; RFC 9110 §15.6.4 where the answer is no redirect. */
export class TemporarilyUnavailable extends errors.OIDCProviderError {
  constructor(detail: unknown) {
    super(503, 'temporarily_unavailable')
    this.expose = true
    this.error_description = 'the service cannot answer now: try again later'
    this.error_detail = detail instanceof Error ? detail.message : JSON.stringify(detail)
  }
}

type Refused = { readonly error: string; readonly detail?: unknown }

/** The value; a refusal is thrown as the error that it is for the engine. */
export const orThrow = async <Refusal extends Refused, Value>(
  operation: TE.TaskEither<Refusal, Value>,
  otherwise: (refusal: Refusal) => Error = (refusal) => new TemporarilyUnavailable(refusal.detail ?? refusal.error),
): Promise<Value> => {
  const result = await operation()
  if (E.isRight(result)) return result.right
  if (result.left.error !== 'unavailable') throw otherwise(result.left)
  // RFC 9110 §10.2.3
  presentRequest()?.set('Retry-After', '1')
  throw new TemporarilyUnavailable(result.left.detail)
}
