import * as E from 'fp-ts/lib/Either.js'
import type { OutboundFailure } from './outbound-failure.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import { type OutboundResponse, createSafeFetch, readResponse } from './safe-fetch.js'

/** The rejection of a guarded fetch; the message is short, for the log. */
export class GuardedFetchError extends Error {
  constructor(readonly failure: OutboundFailure) {
    super(failure.reason)
  }
}

export type GuardedRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** As fetch, for libraries that take one; it rejects with a GuardedFetchError only. */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<Response>

/** For a party that the operator names: no other party determines the number of requests. */
const patientOptions: OutboundOptions = { ...strictOptions, timeLimit: 5_000, maxAtOnceEach: 32, maxWaitingEach: 256 }

// RFC 9110 §6.4.1: these responses have no content
const toResponse = ({ status, headers, body }: OutboundResponse): Response =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers: { ...headers } })

const refused = (reason: string): GuardedFetchError => new GuardedFetchError({ kind: 'forbidden', reason })

const bodyOf = (body: unknown): string | undefined => {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw refused('the body of a request must be a text')
}

const guarding = (options: OutboundOptions, holderOf: (url: string) => string): GuardedFetch => {
  const safeFetch = createSafeFetch(options, readResponse)
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw refused('the method must be GET or POST')
    const text = bodyOf(body)
    const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const result = await safeFetch({
      url,
      method,
      headers: lowerCase,
      holder: holderOf(url),
      ...(text === undefined ? {} : { body: text }),
    })()
    if (E.isLeft(result)) throw new GuardedFetchError(result.left)
    return toResponse(result.right)
  }
}

/** The fetch of a library, by the rules of all outgoing requests. `holder` is the holder of the places. */
export const createGuardedFetch = (holder: string, options: Partial<OutboundOptions> = {}): GuardedFetch =>
  guarding({ ...patientOptions, ...options }, () => holder)

const hostIn = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')

/** The same, for hosts that registrants name: each has a few places only. */
export const createRegistrantFetch = (options: Partial<OutboundOptions> = {}): GuardedFetch =>
  guarding({ ...strictOptions, ...options }, hostIn)
