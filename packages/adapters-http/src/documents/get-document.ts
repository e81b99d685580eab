import * as T from 'fp-ts/lib/Task.js'
import type { Handler } from '../http/handler.js'
import { publishedResponse, tagged } from '../http/published.js'
import type { PublishedDocument } from '../settings.js'

/** A document as it is; whoever keeps it asks each time whether it is still the same. */
export const getDocument = ({ text, headers }: PublishedDocument): Handler => {
  const rendered = tagged(text)
  return (request) => T.of(publishedResponse(request, rendered, 0, headers))
}
