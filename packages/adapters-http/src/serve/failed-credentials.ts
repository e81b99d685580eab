// Failed credentials have a budget; a valid one costs nothing, so that no party is locked out that shares its address
// with an attacker.
import { sourceOf, tooManyRequests } from '@clientele/domain/kernel'
import type { BudgetConsumption } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { errorResponse } from '../http/error-response.js'
import type { ReceivedRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'

export type CountFailure = (received: ReceivedRequest, response: HttpResponse) => Promise<HttpResponse>

/** RFC 6585 §4 in place of RFC 6750 §3.1, where the source has failed too often. */
export const countingFailures =
  ({ consumeBudget }: BudgetConsumption): CountFailure =>
  async ({ remoteAddress }, response) => {
    if (response.refusal?.error !== 'invalid_token') return response
    const consumed = await consumeBudget('credentials', sourceOf(remoteAddress))()
    return E.isLeft(consumed) ? errorResponse(tooManyRequests('credentials')(consumed.left)) : response
  }
