// The use of what may be used once: RFC 6749 §4.1.2, RFC 9126 §4, RFC 9700 §4.14.2.
import type { ArtefactKind } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { errors } from 'oidc-provider'
import { rememberRedeemedCode } from '../context.js'
import { orThrow, performed } from '../errors.js'
import type { EnginePorts, EngineSettings } from '../ports.js'

export type ConsumptionPorts = Pick<
  EnginePorts,
  'consumeArtefact' | 'useRefreshToken' | 'findArtefact' | 'removeGrant' | 'hashToken' | 'now'
>
export type ConsumptionSettings = Pick<EngineSettings, 'refreshTokenGrace'>

const replayed = (kind: ArtefactKind): Error =>
  kind === 'pushed_authorization_request'
    ? new errors.InvalidRequestUri('request_uri is invalid, expired, or was already used')
    : new errors.InvalidGrant(`${kind} was used before`)

/** Uses the artefact. A replay ends the grant with everything that was issued on it, and is refused. */
export const consumptionOf = (ports: ConsumptionPorts, { refreshTokenGrace }: ConsumptionSettings) => {
  const { hashToken, now } = ports
  const endGrantOf = async (kind: ArtefactKind, id: string): Promise<void> => {
    const found = await orThrow(ports.findArtefact(kind, hashToken(id)))
    if (O.isSome(found) && found.value.grant !== undefined) await orThrow(ports.removeGrant(found.value.grant))
  }
  return async (kind: ArtefactKind, id: string): Promise<void> => {
    const use = { at: now(), grace: refreshTokenGrace }
    const consumed = await performed(
      kind === 'refresh_token'
        ? ports.useRefreshToken(hashToken(id), use)
        : ports.consumeArtefact(kind, hashToken(id), use.at),
    )
    if (E.isRight(consumed)) {
      if (kind === 'authorization_code') rememberRedeemedCode()
      return
    }
    await endGrantOf(kind, id)
    throw replayed(kind)
  }
}
