import type { JwkSetSource } from '@clientele/domain'
import type { Handler } from '../http/handler.js'
import { publishedResponse, renderedOnce } from './published-response.js'

/** RFC 7517 §5: the public keys; a verifier may cache them until the next change, within the maximum of the policy. */
export const getJwks = ({ publishedJwkSet }: JwkSetSource): Handler => {
  const rendered = renderedOnce()
  return (request) => {
    const { jwkSet, maxAge } = publishedJwkSet()
    return publishedResponse(request, rendered(jwkSet), maxAge)
  }
}
