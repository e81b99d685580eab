// Requests for Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document-02 §5, §8.6): decision 0144.
import { type ClientIdUrl, type ReadStatement, statementIn } from '@clientele/domain/client'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { ClientDocuments } from '@clientele/domain/ports'
import { type SeenDocument, showsDocument } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import { type OutboundOptions, strictOptions } from '../outbound-options.js'
import { createSafeFetchOf } from '../safe-fetch.js'
import { heapSize } from './heap-size.js'
import { type FreshnessPolicy, type CachedDocuments, createCachedDocuments } from './cached-documents.js'
import { readDocument } from './read-document.js'
import { createRequestBudget, documentBudget } from './request-budget.js'
import { createSingleFlight } from './single-flight.js'

export type ClientDocumentsOptions = Partial<OutboundOptions> & {
  /** Read at each use, because policies are reloaded. */
  readonly policy: () => FreshnessPolicy
  readonly now: () => EpochSeconds
  /** Verifies the software statement in a document; without it, none is read. */
  readonly readStatement?: (statement: string) => T.Task<ReadStatement>
  /** Whether a document may be cached. -02 §5.2: those with faults may not; by default, every JSON object may. */
  readonly isValid?: (url: ClientIdUrl, seen: SeenDocument) => boolean
  /** For the log: why there is no document. The reason is short, and contains no value of the response. */
  readonly onFailure?: (url: ClientIdUrl, reason: string) => void
}

type Requested = { readonly seen: SeenDocument; readonly bytes: number }

// All ports of a host are one holder, so that they are not scanned.
const hostOf = (url: ClientIdUrl): string => new URL(url).hostname

// A document is read once, and so is its statement.
const readStatementIn = async (
  body: unknown,
  { readStatement }: ClientDocumentsOptions,
): Promise<O.Option<ReadStatement>> => {
  const statement = statementIn(body)
  return readStatement === undefined || O.isNone(statement) ? O.none : O.some(await readStatement(statement.value)())
}

type Request = (url: ClientIdUrl, at: EpochSeconds) => Promise<Requested>

const createRequest = (options: ClientDocumentsOptions, fail: (url: ClientIdUrl, reason: string) => void): Request => {
  const safeFetch = createSafeFetchOf({ ...strictOptions, ...options }, readDocument(options.now))
  return async (url, at) => {
    const headers = { accept: 'application/json' }
    const result = await safeFetch({ url, method: 'GET', headers, holder: hostOf(url) })()
    if (E.isLeft(result)) {
      fail(url, result.left.reason)
      return { seen: { kind: 'unreachable', at }, bytes: heapSize('') }
    }
    const { status, media_type, body, cache, bytes, reason } = result.right
    if (reason !== undefined) fail(url, reason)
    const statement = await readStatementIn(body, options)
    return { seen: { kind: 'answered', at, status, media_type, body, statement, cache }, bytes }
  }
}

type See = (url: ClientIdUrl, at: EpochSeconds) => Promise<SeenDocument>

// A flood of new URLs leaves the requests for known documents, and so do documents that were valid once only.
const createSee = (options: ClientDocumentsOptions, cached: CachedDocuments): See => {
  const { isValid = () => true, onFailure = () => undefined } = options
  const budgets = {
    new: createRequestBudget(documentBudget),
    known: createRequestBudget(documentBudget),
    failing: createRequestBudget(documentBudget),
  }
  const request = createRequest(options, onFailure)
  return async (url, at) => {
    if (!budgets[cached.standingOf(url)](hostOf(url), at)) {
      onFailure(url, 'too many requests for documents in this minute')
      return { kind: 'unreachable', at }
    }
    const { seen, bytes } = await request(url, at)
    cached.store(url, seen, showsDocument(seen) && isValid(url, seen), bytes)
    return seen
  }
}

/** Sees documents at public addresses only, each once until another request is due; the requests are limited in number. */
export const createClientDocuments = (options: ClientDocumentsOptions): ClientDocuments => {
  const cached = createCachedDocuments(options.policy)
  const see = createSee(options, cached)
  const share = createSingleFlight<SeenDocument>()
  return {
    seeDocument: (url, since) => async () => {
      const at = options.now()
      const seen = cached.find(url, at)
      const isEnough = seen !== undefined && (since === undefined || seen.at >= since)
      return isEnough ? seen : share(url, () => see(url, at))
    },
  }
}
