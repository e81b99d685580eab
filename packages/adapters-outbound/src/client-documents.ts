// Requests for Client ID Metadata Documents and the key sets that they name (draft-ietf-oauth-client-id-metadata-document-02
// §5, §8.6). Any visitor makes the service send one, so that they are cached, shared and counted: docs/decisions/outgoing-requests.md.
import { type ClientIdUrl, type ReadStatement, statementIn } from '@clientele/domain/client'
import { type EpochSeconds, parseWellFormedJson, secondsAfter } from '@clientele/domain/kernel'
import type { DocumentPolicy } from '@clientele/domain/policy'
import type { ClientDocuments } from '@clientele/domain/ports'
import { type CacheFacts, type SeenDocument, freshnessEnd, showsDocument } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import { pipe } from 'fp-ts/lib/function.js'
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import { type GuardedFetch, GuardedFetchError } from './guarded-fetch.js'
import { cacheFacts } from './http-fields.js'
import { reasonOf, shorten } from './outbound-failure.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import { createSafeFetch, decodeUtf8, header, ignoreLateErrors, readContent, refuseRedirection } from './safe-fetch.js'

/** What was used last, of so many entries and bytes; an entry that is larger alone is not stored. */
export const createBoundedCache = <Value extends object>(entries: number, bytes: number): LRUCache<string, Value> =>
  new LRUCache({ max: entries, maxSize: bytes })

export const mebibyte = 2 ** 20

/** Seconds without a second request to a URL that leads to nothing valid. */
const pauseAfterFailure = 10

/** In a window of so many seconds: to one host, and in all. */
export const documentBudget = { each: 30, all: 300, window: 60 }

/** Whether a request to the host may be sent now; if so, it counts. Windows follow each other, so that little is counted. */
export const createRequestBudget = ({
  each,
  all,
  window,
}: typeof documentBudget): ((host: string, now: EpochSeconds) => boolean) => {
  const sent = new Map<string, number>()
  let began = -Infinity
  let inAll = 0
  return (host, now) => {
    // A clock that was set back begins a window, too.
    if (now < began || now >= began + window) {
      sent.clear()
      began = now
      inAll = 0
    }
    const toHost = sent.get(host) ?? 0
    if (toHost >= each || inAll >= all) return false
    sent.set(host, toHost + 1)
    inAll += 1
    return true
  }
}

/** Callers of one key at the same time share one result. */
export const createSingleFlight = <Value>(): ((key: string, work: () => Promise<Value>) => Promise<Value>) => {
  const flights = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = flights.get(key)
    if (known !== undefined) return known
    const flight = work().finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}

// All ports of a host are one holder, so that they are not scanned.
export const hostOf = (url: string): string => new URL(url).hostname

// What follows one of these characters in a JSON text is a value with a place of its own in memory.
const beginsValue = /[{[,:]/g

const perValue = 48
const perEntry = 1_024

/** About how many bytes a parsed JSON text takes in memory, with its URL and the rest of its entry. */
export const heapSize = (text: string): number =>
  perEntry + 2 * text.length + perValue * (text.match(beginsValue)?.length ?? 0)

type DocumentResponse = {
  readonly status: number
  readonly media_type: string
  readonly body: unknown
  readonly cache: CacheFacts
  /** In memory. */
  readonly bytes: number
  /** Why there is no body, for the log. */
  readonly reason?: string
}

type Parsed = Pick<DocumentResponse, 'body' | 'bytes' | 'reason'>

const withoutBody = (reason: string): Parsed => ({ body: undefined, bytes: heapSize(''), reason })

// RFC 8259 §8.1: JSON is in UTF-8; other bytes are none.
const parse = (content: Buffer): Parsed =>
  pipe(
    E.tryCatch(() => decodeUtf8(content), reasonOf),
    E.flatMap((text) =>
      pipe(
        parseWellFormedJson(text),
        E.mapLeft(({ error_description }) => shorten(error_description)),
        E.map((body): Parsed => ({ body, bytes: heapSize(text) })),
      ),
    ),
    E.getOrElse(withoutBody),
  )

/** -02 §5 (-00 §4): every status but 200 is an error, whatever its body, which is not read. */
const readDocument = async (response: Dispatcher.ResponseData, at: EpochSeconds): Promise<DocumentResponse> => {
  ignoreLateErrors(response)
  const { statusCode: status, headers } = response
  refuseRedirection(status)
  // RFC 9110 §8.3.1: types are compared in lower case; parameters do not matter for JSON (RFC 8259 §11).
  const [type = ''] = header(headers, 'content-type').split(';')
  const cache = cacheFacts((name) => header(headers, name), at)
  const parsed = status === 200 ? parse(await readContent(response)) : withoutBody(`the status is ${status}`)
  return { status, media_type: type.trim().toLowerCase(), cache, ...parsed }
}

export type ClientDocumentsOptions = Partial<OutboundOptions> & {
  /** Read at each use, because policies are reloaded. */
  readonly policy: () => Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>
  readonly now: () => EpochSeconds
  /** Verifies the software statement in a document; without it, none is read. */
  readonly readStatement?: (statement: string) => T.Task<ReadStatement>
  /** Whether a document may be cached. -02 §5.2: those with faults may not; by default, every JSON object may. */
  readonly isValid?: (url: ClientIdUrl, seen: SeenDocument) => boolean
  /** For the log: why there is no document. The reason is short, and contains no value of the response. */
  readonly onFailure?: (url: ClientIdUrl, reason: string) => void
}

type Requested = { readonly seen: SeenDocument; readonly bytes: number }

// A document is read once, and so is its statement.
const requestingBy = (
  options: ClientDocumentsOptions,
  onFailure: (url: ClientIdUrl, reason: string) => void,
): ((url: ClientIdUrl, at: EpochSeconds) => Promise<Requested>) => {
  const { now, readStatement } = options
  const safeFetch = createSafeFetch({ ...strictOptions, ...options }, (response) => readDocument(response, now()))
  return async (url, at) => {
    const headers = { accept: 'application/json' }
    const result = await safeFetch({ url, method: 'GET', headers, holder: hostOf(url) })()
    if (E.isLeft(result)) {
      onFailure(url, result.left.reason)
      return { seen: { kind: 'unreachable', at }, bytes: heapSize('') }
    }
    const { bytes, reason, ...answered } = result.right
    if (reason !== undefined) onFailure(url, reason)
    const found = statementIn(answered.body)
    const statement =
      readStatement === undefined || O.isNone(found) ? O.none : O.some(await readStatement(found.value)())
    return { seen: { kind: 'answered', at, ...answered, statement }, bytes }
  }
}

/** Sees documents at public addresses only, each once until another request is due; the requests are limited in number. */
export const createClientDocuments = (options: ClientDocumentsOptions): ClientDocuments => {
  const { policy, now, isValid = () => true, onFailure = () => undefined } = options
  const request = requestingBy(options, onFailure)
  const share = createSingleFlight<SeenDocument>()
  const documents = createBoundedCache<SeenDocument>(1_000, 16 * mebibyte)
  // Failures have a place of their own, so that they displace no document.
  const failures = createBoundedCache<SeenDocument>(1_000, 8 * mebibyte)
  // A flood of new URLs leaves the requests for known documents, and so do documents that were valid once only.
  const budgets = {
    new: createRequestBudget(documentBudget),
    known: createRequestBudget(documentBudget),
    failing: createRequestBudget(documentBudget),
  }
  // A clock that was set back would make what was seen last as long.
  const isBefore = (seen: SeenDocument, end: EpochSeconds, at: EpochSeconds): boolean => seen.at <= at && at < end

  /** What was seen, while no other request is due: -02 §5.2 (-00 §4.4). */
  const find = (url: ClientIdUrl, at: EpochSeconds): SeenDocument | undefined => {
    const document = documents.get(url)
    if (document?.kind === 'answered' && isBefore(document, freshnessEnd(policy(), document.at, document.cache), at))
      return document
    const failure = failures.get(url)
    return failure !== undefined && isBefore(failure, secondsAfter(failure.at, pauseAfterFailure), at)
      ? failure
      : undefined
  }

  /** Known: a valid document is stored, even if another request is due; failing: it was seen no more since. */
  const standingOf = (url: ClientIdUrl): keyof typeof budgets => {
    const document = documents.get(url)
    if (document === undefined) return 'new'
    return (failures.get(url)?.at ?? -Infinity) > document.at ? 'failing' : 'known'
  }

  const see = async (url: ClientIdUrl, at: EpochSeconds): Promise<SeenDocument> => {
    if (!budgets[standingOf(url)](hostOf(url), at)) {
      onFailure(url, 'too many requests for documents in this minute')
      return { kind: 'unreachable', at }
    }
    const { seen, bytes } = await request(url, at)
    const cache = showsDocument(seen) && isValid(url, seen) ? documents : failures
    cache.set(url, seen, { size: bytes + url.length })
    return seen
  }

  return {
    seeDocument: (url, since) => async () => {
      const at = now()
      const seen = find(url, at)
      const isEnough = seen !== undefined && (since === undefined || seen.at >= since)
      return isEnough ? seen : share(url, () => see(url, at))
    },
  }
}

/** Seconds: the key set of a registered client is requested as often. */
const keySetFreshness = 60

type KeptKeySet = { readonly at: EpochSeconds; readonly until: EpochSeconds } & (
  | { readonly answer: { readonly status: number; readonly headers: Headers; readonly body: string } }
  | { readonly failure: unknown }
)

/** The same fetch, of each URL once a minute for all requests, and of few at once: key sets (RFC 7591 §2), request objects. */
export const createDocumentKeySets = (fetch: GuardedFetch, now: () => EpochSeconds): GuardedFetch => {
  const kept = createBoundedCache<KeptKeySet>(1_000, 16 * mebibyte)
  const share = createSingleFlight<KeptKeySet>()
  const mayRequest = createRequestBudget(documentBudget)
  const request = async (at: EpochSeconds, ...[url, sent]: Parameters<GuardedFetch>): Promise<KeptKeySet> => {
    if (!mayRequest(hostOf(url), at))
      throw new GuardedFetchError({
        kind: 'forbidden',
        reason: 'too many requests to hosts that any visitor names in this minute',
      })
    const found = await fetch(url, sent)
      .then(async (response) => ({
        at,
        until: secondsAfter(at, keySetFreshness),
        answer: { status: response.status, headers: response.headers, body: await response.text() },
      }))
      .catch((failure: unknown) => ({ at, until: secondsAfter(at, pauseAfterFailure), failure }))
    kept.set(url, found, { size: url.length + ('answer' in found ? 2 * found.answer.body.length : 0) })
    return found
  }
  return async (url, sent) => {
    const at = now()
    const known = kept.get(url)
    // A clock that was set back would keep it as long.
    const isFresh = known !== undefined && known.at <= at && at < known.until
    const found = isFresh ? known : await share(url, () => request(at, url, sent))
    if ('failure' in found) throw found.failure
    const { body, status, headers } = found.answer
    return new Response(body, { status, headers })
  }
}
