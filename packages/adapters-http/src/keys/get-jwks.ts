import { maxAgeAt, publishedKeys } from '@clientele/domain'
import * as T from 'fp-ts/lib/Task.js'
import type { Handler } from '../http/handler.js'
import { publishedResponse, renderedOnce } from '../http/published.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

/** RFC 7517 §5: the public keys; whoever asks may keep them until the next change, and no longer than the policy says. */
export const getJwks = ({ keyPolicy }: HttpSettings, ports: Pick<HttpPorts, 'keyRings' | 'now'>): Handler => {
  const rendered = renderedOnce(publishedKeys)
  return (request) => {
    const rings = ports.keyRings()
    // Because there are keys soon where there are none yet, nobody is to keep that.
    const maxAge = rings.length === 0 ? 0 : maxAgeAt(keyPolicy, rings, ports.now())
    return T.of(publishedResponse(request, rendered(rings), maxAge))
  }
}
