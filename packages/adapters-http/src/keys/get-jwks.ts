import type { ForeignKey, KeyRing } from '@clientele/domain'
import { maxAgeAt, publishedKeys } from '@clientele/domain'
import * as T from 'fp-ts/lib/Task.js'
import type { Handler } from '../http/handler.js'
import { publishedResponse, renderedOnce } from '../http/published.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

/** RFC 7517 §5: the public keys; a verifier may keep them until the next change, and no longer than the policy says. */
export const getJwks = (
  { keyPolicy }: HttpSettings,
  ports: Pick<HttpPorts, 'keyRings' | 'foreignKeys' | 'now'>,
): Handler => {
  const rendered = renderedOnce((rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey>) =>
    publishedKeys(rings, foreign),
  )
  return (request) => {
    const rings = ports.keyRings()
    // Where there are no keys yet there are soon, so that nobody is to keep that.
    const maxAge = rings.length === 0 ? 0 : maxAgeAt(keyPolicy, rings, ports.now())
    return T.of(publishedResponse(request, rendered(rings, ports.foreignKeys()), maxAge))
  }
}
