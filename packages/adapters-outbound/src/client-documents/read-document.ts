// draft-ietf-oauth-client-id-metadata-document-02 §5 (-00 §4): what is kept of a response.
import { type EpochSeconds, parseWellFormedJson } from '@clientele/domain/kernel'
import type { CacheFacts } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Dispatcher } from 'undici'
import { decodeUtf8, header, ignoreLateErrors, readContent, redirectionFault } from '../read-response.js'
import { reasonOf, shorten } from '../reason.js'
import { cacheFacts } from './cache-facts.js'
import { heapSize } from './heap-size.js'

export type DocumentResponse = {
  readonly status: number
  readonly media_type: string
  readonly body: unknown
  readonly cache: CacheFacts
  /** In memory. */
  readonly bytes: number
  /** Why there is no body, for the log. */
  readonly reason?: string
}

// RFC 9110 §8.3.1: types are compared in lower case; parameters do not matter for JSON (RFC 8259 §11).
const mediaTypeOf = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

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

/** -02 §5: every status but 200 is an error, whatever its body, which is not read. */
export const readDocument =
  (now: () => EpochSeconds) =>
  async (response: Dispatcher.ResponseData): Promise<DocumentResponse> => {
    ignoreLateErrors(response)
    const { statusCode: status, headers } = response
    const fault = redirectionFault(status)
    if (fault !== undefined) throw new Error(fault)
    const media_type = mediaTypeOf(header(headers, 'content-type'))
    const cache = cacheFacts((name) => header(headers, name), now())
    const parsed = status === 200 ? parse(await readContent(response)) : withoutBody(`the status is ${status}`)
    return { status, media_type, cache, ...parsed }
  }
