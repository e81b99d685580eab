// What everybody may read and keep: rendered once, and answered with 304 to whoever has it already.
import { sha256 } from '@noble/hashes/sha2.js'
import { base64url, utf8 } from './bytes.js'
import type { HttpRequest } from './request.js'
import type { HttpResponse } from './response.js'
import { emptyResponse } from './response.js'

export type Rendered = { readonly etag: string; readonly text: string }

/** RFC 9110 §8.8.3: the same text has the same entity tag, on every instance. */
export const tagged = (text: string): Rendered => ({ text, etag: `"${base64url(sha256(utf8(text)))}"` })

export const render = (value: unknown): Rendered => tagged(JSON.stringify(value))

/** Renders again only when it is given other values than the last time. */
export const renderedOnce = <Values extends ReadonlyArray<object>>(
  toJson: (...values: Values) => unknown,
): ((...values: Values) => Rendered) => {
  const last: { values?: Values; rendered?: Rendered } = {}
  return (...values) => {
    if (last.rendered !== undefined && values.every((value, place) => value === last.values?.[place]))
      return last.rendered
    last.values = values
    last.rendered = render(toJson(...values))
    return last.rendered
  }
}

// RFC 9110 §13.1.2: any of a list, or * for whatever there is; W/ does not count in this comparison
const has = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** RFC 9111 §5.2.2: may be kept by everybody for so many seconds. */
export const publishedResponse = (
  { ifNoneMatch }: HttpRequest,
  { etag, text }: Rendered,
  maxAge: number,
  described: HttpResponse['headers'] = { 'Content-Type': 'application/json' },
): HttpResponse => {
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${maxAge}` }
  return ifNoneMatch !== undefined && has(ifNoneMatch, etag)
    ? emptyResponse(304, headers)
    : { status: 200, headers: Object.assign({}, described, headers), body: { kind: 'text', text } }
}
