import type { DeliveryResult, LogoutSender } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Dispatcher } from 'undici'
import type { OutboundOptions } from './outbound-options.js'
import { strictOptions } from './outbound-options.js'
import { header } from './read-response.js'
import { retryAfter } from './retry-after.js'
import { createSafeFetchOf } from './safe-fetch.js'

const patientOptions: OutboundOptions = { ...strictOptions, timeLimit: 5_000, mostAtOnce: 32, mostWaiting: 1_000 }

// Back-Channel Logout §2.8: the status says all, so that a body, however long, is left where it is.
const readStatus = async ({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<DeliveryResult> => {
  // Because it fails when the connection ends, and nobody listens any more.
  body.on('error', () => undefined)
  return Promise.resolve({
    kind: 'answered',
    status: statusCode,
    retryAfter: retryAfter(header(headers, 'retry-after'), Date.now()),
  })
}

/** Back-Channel Logout §2.5: sends logout tokens, to public addresses only. */
export const createLogoutSender = (options: Partial<OutboundOptions> = {}): LogoutSender => {
  const safeFetch = createSafeFetchOf({ ...patientOptions, ...options }, readStatus)
  return {
    sendLogoutToken: (url, logoutToken) =>
      pipe(
        safeFetch({
          url,
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ logout_token: logoutToken }).toString(),
        }),
        TE.getOrElse((reason) => async (): Promise<DeliveryResult> => Promise.resolve({ kind: 'unanswered', reason })),
      ),
  }
}
