import * as fc from 'fast-check'
import type { TokenHash } from '@clientele/domain/authorization'
import { type JsonObject, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { type Artefact, artefactKinds } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import { tokenHash } from './credentials.js'
import { subject } from './end-user-session.js'
import { epochSecond } from './generated-credentials.js'
import { customData } from './json-values.js'

const payload = (): fc.Arbitrary<JsonObject> => customData().filter(isJsonObject(maxDepth))

/** An artefact with any members beside those that say what it ends with, of which it has some of the given ones. */
export const artefact = (endsWith: {
  readonly client: Registration
  readonly grant: TokenHash
  readonly session: Artefact['session'] & string
}): fc.Arbitrary<Artefact> =>
  fc.record(
    {
      kind: fc.constantFrom(...artefactKinds),
      hash: tokenHash(),
      name: tokenHash(),
      client: fc.constant(endsWith.client),
      grant: fc.constant(endsWith.grant),
      session: fc.constant(endsWith.session),
      sub: subject(),
      predecessor: tokenHash(),
      expires_at: epochSecond(),
      payload: payload(),
    },
    { requiredKeys: ['kind', 'hash', 'expires_at', 'payload'], noNullPrototype: true },
  )
