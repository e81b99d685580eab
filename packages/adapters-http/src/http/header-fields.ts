// What the handlers see of the header of a request.
import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from './request.js'

const authorizationOf = ({ rawHeaders }: IncomingMessage): ReadonlyArray<string> =>
  rawHeaders.filter((_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === 'authorization')

export const fieldsOf = (request: IncomingMessage): Pick<HttpRequest, 'authorization' | 'ifNoneMatch' | 'headers'> => {
  const { headers } = request
  return {
    authorization: authorizationOf(request),
    ifNoneMatch: headers['if-none-match'],
    headers: {
      cookie: headers.cookie,
      origin: headers.origin,
      'sec-fetch-site': [headers['sec-fetch-site'] ?? []].flat()[0],
      'accept-language': headers['accept-language'],
    },
  }
}

// RFC 9110 §5.3: a repeated field is one list, so two types are not one type
export const contentTypeOf = ({ headersDistinct }: IncomingMessage): string =>
  (headersDistinct['content-type'] ?? []).join(', ')
