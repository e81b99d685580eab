import type { JwkSetSource } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { errorResponse } from '../http/error-response.js'
import { type PublishedHandler, publishingOnce } from './published-response.js'

/** RFC 7517 §5: the public keys; a verifier may cache them until the next change, within the maximum of the policy. */
export const getJwks = ({ publishedJwkSet }: JwkSetSource): PublishedHandler => {
  const publishedAs = publishingOnce()
  return (request) => {
    const published = publishedJwkSet()
    if (E.isLeft(published)) return errorResponse(published.left)
    const { jwkSet, maxAge } = published.right
    return publishedAs(jwkSet, maxAge)(request)
  }
}
