// Identifiers that must not be used again: RFC 7523 §3, RFC 9449 §11.1.
import { secondsAfter } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Provider, errors } from 'oidc-provider'
import { orThrow, performed } from './errors.js'
import type { EnginePorts } from './ports.js'

export type ReplayPorts = Pick<EnginePorts, 'storeArtefact' | 'consumeArtefact' | 'hashToken' | 'now'>

/** RFC 7523 §3: what is valid for longer is refused, because its identifier would have to be kept for as long. */
const maxLifetime = 86_400

/** The first of several requests at the same time wins, in whatever instance. */
export const replaceReplayDetection = (
  { ReplayDetection }: Pick<Provider, 'ReplayDetection'>,
  { storeArtefact, consumeArtefact, hashToken, now }: ReplayPorts,
): void => {
  Object.assign(ReplayDetection, {
    unique: async (iss: string, jti: string, exp: number): Promise<boolean> => {
      const at = now()
      if (!(exp - at <= maxLifetime)) throw new errors.InvalidClientAuth('the JWT is valid for too long')
      // The identifier with its issuer: neither is a prefix of the other in JSON.
      const hash = hashToken(JSON.stringify([iss, jti]))
      const expires_at = secondsAfter(at, Math.max(1, Math.ceil(exp - at)))
      await orThrow(storeArtefact({ kind: 'replay', hash, expires_at, payload: {} }, at))
      return E.isRight(await performed(consumeArtefact('replay', hash, at)))
    },
  })
}
