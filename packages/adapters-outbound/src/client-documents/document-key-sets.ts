// The key sets that documents name (RFC 7591 §2): any visitor makes the service request one, as it does a document.
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type GuardedFetch, GuardedFetchError } from '../guarded-fetch.js'
import { createBoundedCache } from './bounded-cache.js'
import { documentBounds, pauseAfterFailure } from './cached-documents.js'
import { createRequestBudget, documentBudget } from './request-budget.js'
import { createSingleFlight } from './single-flight.js'

/** Seconds: a registered client's set is requested as often. */
const freshness = 60

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }

type Kept = { readonly at: EpochSeconds; readonly until: EpochSeconds } & (
  { readonly answer: Answer } | { readonly failure: unknown }
)

const tooMany = (): GuardedFetchError =>
  new GuardedFetchError({ kind: 'forbidden', reason: 'too many requests for key sets of documents in this minute' })

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: await response.text(),
})

/** The same fetch, of each URL once a minute for all requests, and of few at once: decision 0144. */
export const createDocumentKeySets = (fetch: GuardedFetch, now: () => EpochSeconds): GuardedFetch => {
  const kept = createBoundedCache<Kept>(documentBounds)
  const share = createSingleFlight<Kept>()
  const mayRequest = createRequestBudget(documentBudget)
  const request = async (url: string, at: EpochSeconds, ...sent: Parameters<GuardedFetch>): Promise<Kept> => {
    if (!mayRequest(new URL(url).hostname, at)) throw tooMany()
    const found = await fetch(...sent)
      .then(answerOf)
      .then(
        (answer): Kept => ({ at, until: secondsAfter(at, freshness), answer }),
        (failure: unknown): Kept => ({ at, until: secondsAfter(at, pauseAfterFailure), failure }),
      )
    kept.set(url, found, url.length + ('answer' in found ? 2 * found.answer.body.length : 0))
    return found
  }
  return async (url, sent) => {
    const at = now()
    const known = kept.get(url)
    // A clock that was set back would keep it as long.
    const isFresh = known !== undefined && known.at <= at && at < known.until
    const found = isFresh ? known : await share(url, () => request(url, at, url, sent))
    if ('failure' in found) throw found.failure
    const { body, status, headers } = found.answer
    return new Response(body, { status, headers })
  }
}
