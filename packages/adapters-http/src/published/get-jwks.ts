import type { JwkSetSource } from '@clientele/domain'
import type { Handler } from '../http/handler.js'
import { publishedResponse, renderedOnce } from './published-response.js'

/** RFC 7517 §5: the public keys; a verifier may keep them until the next change, and no longer than the policy says. */
export const getJwks = ({ publishedJwkSet }: JwkSetSource): Handler => {
  const rendered = renderedOnce()
  return (request) => {
    const { jwkSet, maxAge } = publishedJwkSet()
    return publishedResponse(request, rendered(jwkSet), maxAge)
  }
}
