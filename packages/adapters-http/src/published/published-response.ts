// Public, cacheable documents: rendered once, and answered with 304 to a client that has the same text.
import { sha256 } from '@noble/hashes/sha2.js'
import { base64url, utf8 } from '../http/bytes.js'
import type { HttpRequest } from '../http/request.js'
import { type HttpResponse, type ResponseHeaders, emptyResponse } from '../http/response.js'

export type Rendered = { readonly etag: string; readonly text: string }

/** RFC 9110 §8.8.3: equal texts have equal entity tags on every instance. */
export const tagged = (text: string): Rendered => ({ text, etag: `"${base64url(sha256(utf8(text)))}"` })

export const render = (value: unknown): Rendered => tagged(JSON.stringify(value))

/** Renders again only if the value is another object than the last time. */
export const renderedOnce = (): ((value: object) => Rendered) => {
  let last: { readonly value: object; readonly rendered: Rendered } | undefined
  return (value) => {
    if (last?.value !== value) last = { value, rendered: render(value) }
    return last.rendered
  }
}

// RFC 9110 §13.1.2: one of a list, or * for any; W/ is ignored in this comparison
const has = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** A handler that reads no credential and no body, and whose answers are the same values while nothing changes. */
export type PublishedHandler = (request: Pick<HttpRequest, 'headers'>) => HttpResponse

/** Both answers of a text, made once. RFC 9111 §5.2.2: public, cacheable for so many seconds. */
export const publishing = (
  { etag, text }: Rendered,
  maxAge: number,
  described: ResponseHeaders = { 'Content-Type': 'application/json' },
): PublishedHandler => {
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${maxAge}` }
  const whole: HttpResponse = {
    status: 200,
    headers: Object.assign({}, described, headers),
    body: { kind: 'text', text },
  }
  const unchanged = emptyResponse(304, headers)
  return (request) => {
    const ifNoneMatch = request.headers['if-none-match']
    return ifNoneMatch !== undefined && has(ifNoneMatch, etag) ? unchanged : whole
  }
}

/** The same for a value that changes: made anew only for another value, or another time. */
export const publishingOnce = (): ((value: object, maxAge: number) => PublishedHandler) => {
  const rendered = renderedOnce()
  let last: { readonly text: Rendered; readonly maxAge: number; readonly handler: PublishedHandler } | undefined
  return (value, maxAge) => {
    const text = rendered(value)
    if (last?.text !== text || last.maxAge !== maxAge) last = { text, maxAge, handler: publishing(text, maxAge) }
    return last.handler
  }
}
