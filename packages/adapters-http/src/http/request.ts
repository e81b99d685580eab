import type { InvalidRequest } from '@clientele/domain'
import type { Either } from 'fp-ts/lib/Either.js'

/** What a page needs to know of the browser that asks for it. */
export type RequestHeaders = Readonly<
  Partial<Record<'cookie' | 'origin' | 'sec-fetch-site' | 'accept-language', string | undefined>>
>

/** A request as the handlers see it: a value, without the framework. */
export type HttpRequest = {
  readonly method: string
  /** From the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Every value of a parameter, so that a repeated one stays visible. */
  readonly query: Readonly<Record<string, ReadonlyArray<string>>>
  /** Every Authorization header, because Node keeps only the first in its headers. */
  readonly authorization: ReadonlyArray<string>
  /** RFC 9110 §13.1.2: what the client has already. */
  readonly ifNoneMatch: string | undefined
  readonly headers: RequestHeaders
  /** The address that it came from, as far as the host knows. */
  readonly remoteAddress: string | undefined
  /** The body as JSON, or as the values of a form, or why it cannot be read. */
  readonly body: Either<InvalidRequest, unknown>
}
