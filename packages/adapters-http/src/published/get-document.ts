import type { Handler } from '../http/handler.js'
import type { PublishedDocument } from '../settings.js'
import { publishedResponse, tagged } from './published-response.js'

/** A document as it is; a browser that stored it asks each time whether it is still the same. */
export const getDocument = ({ text, headers }: PublishedDocument): Handler => {
  const rendered = tagged(text)
  return (request) => publishedResponse(request, rendered, 0, headers)
}
