import type { DeliveryResult } from '@clientele/domain/logout'
import type { LogoutSender } from '@clientele/domain/ports'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Dispatcher } from 'undici'
import { retryAfter } from './http-fields.js'
import type { OutboundFailure } from './outbound-failure.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import { createSafeFetch, header, ignoreLateErrors } from './safe-fetch.js'

/** For logout tokens, which have places of their own. The caller ensures that a receiver gets one request at a time. */
const patientOptions: OutboundOptions = {
  ...strictOptions,
  timeLimit: 5_000,
  maxAtOnce: 32,
  maxAtOnceEach: 32,
  maxWaiting: 1_000,
  maxWaitingEach: 1_000,
}

const resultOf = ({ kind, reason }: OutboundFailure): DeliveryResult => {
  switch (kind) {
    case 'unable':
      return { kind: 'unsent', reason }
    case 'forbidden':
      return { kind: 'impossible', reason }
    case 'failed':
      return { kind: 'unanswered', reason }
  }
}

// Back-Channel Logout §2.8: the status is the result, so that the body is not read.
const readStatus = (response: Dispatcher.ResponseData): Promise<DeliveryResult> => {
  ignoreLateErrors(response)
  const { statusCode: status, headers } = response
  const after = retryAfter(header(headers, 'retry-after'), Date.now())
  return Promise.resolve({ kind: 'answered', status, retryAfter: after })
}

/** Back-Channel Logout §2.5: sends logout tokens, to allowed addresses only. */
export const createLogoutSender = (options: Partial<OutboundOptions> = {}): LogoutSender => {
  const safeFetch = createSafeFetch({ ...patientOptions, ...options }, readStatus)
  return {
    sendLogoutToken: (url, logoutToken) =>
      pipe(
        safeFetch({
          url,
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ logout_token: logoutToken }).toString(),
          holder: 'logout',
        }),
        TE.getOrElse((failure) => T.of(resultOf(failure))),
      ),
  }
}
