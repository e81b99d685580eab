// Tokens that one answer contains are stored together: docs/decisions/0154.
import type { ArtefactKind } from '@clientele/domain/provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { knownOfRequest, presentKnown, presentRequest } from '../context.js'

const grantTypes = ['authorization_code', 'refresh_token']

const isOpenId = (scope: unknown): boolean => typeof scope === 'string' && scope.split(' ').includes('openid')

const issuesIdToken = ({ params, entities, route }: KoaContextWithOIDC['oidc']): boolean => {
  const { grant_type, scope } = params ?? {}
  const source = entities.AuthorizationCode ?? entities.RefreshToken
  return (
    route === 'token' &&
    grantTypes.includes(String(grant_type)) &&
    (scope === undefined || isOpenId(scope)) &&
    isOpenId(source?.scope)
  )
}

/** Whether the engine issues an ID token after it has stored such an artefact; the ID token waits for the artefact. */
export const precedesIdToken = (kind: ArtefactKind): boolean => {
  if (kind !== 'access_token' && kind !== 'refresh_token') return false
  const request = presentRequest()
  return request !== undefined && issuesIdToken(request.oidc)
}

/** Goes on while it is stored: `allStored` waits for it. */
export const storeMeanwhile = (store: () => Promise<void>): void => {
  const stored = store().then(
    () => undefined,
    (refusal: unknown) => (refusal instanceof Error ? refusal : new Error(String(refusal))),
  )
  presentKnown()?.storing.push(stored)
}

/** Throws the first refusal of what the request stores. */
export const allStored = async (request = presentRequest()): Promise<void> => {
  const storing = request === undefined ? [] : knownOfRequest(request).storing.splice(0)
  const refusals = await Promise.all(storing)
  const first = refusals.find((refusal) => refusal !== undefined)
  if (first !== undefined) throw first
}
