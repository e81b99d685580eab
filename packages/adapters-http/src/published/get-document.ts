import type { Handler } from '../http/handler.js'
import type { PublishedDocument } from '../settings.js'
import { publishedResponse, tagged } from './published-response.js'

/** A static document; a browser that stored it revalidates it each time. */
export const getDocument = ({ text, headers }: PublishedDocument): Handler => {
  const rendered = tagged(text)
  return (request) => publishedResponse(request, rendered, 0, headers)
}
