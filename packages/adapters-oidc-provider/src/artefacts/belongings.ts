import { ClientId } from '@clientele/domain/client'
import type { ArtefactKind } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import { type AdapterPayload, errors } from 'oidc-provider'
import { registrationOf } from '../clients/find-client.js'
import { presentRequest, presentStoring } from '../context.js'
import { orThrow } from '../errors.js'
import type { EnginePorts, EngineSettings } from '../ports.js'
import { type SessionsPorts, sidOfUid, startedSid } from '../sessions/session-of.js'
import type { Belongings } from './stored-form.js'

export type BelongingsPorts = SessionsPorts & Pick<EnginePorts, 'findClient'>
export type BelongingsSettings = Pick<EngineSettings, 'logoutEndsOfflineAccess'>

const clientIdOf = ({ clientId, params }: AdapterPayload): string | undefined => {
  const requested = params?.['client_id']
  return clientId ?? (typeof requested === 'string' ? requested : undefined)
}

// The registration that the request began with, also if the client_id is registered again meanwhile.
const registrationFor = async (
  { findClient }: BelongingsPorts,
  clientId: string | undefined,
): Promise<Registration | undefined> => {
  const loaded = presentRequest()?.oidc.client
  if (loaded !== undefined && (clientId === undefined || loaded.clientId === clientId)) return registrationOf(loaded)
  const given = presentStoring()
  if (given !== undefined) return given.registration
  if (!ClientId.is(clientId)) return undefined
  const found = await orThrow(findClient(clientId))
  if (O.isNone(found)) throw new errors.InvalidClient('client is invalid', 'client not found')
  const { client_id, registration_id } = found.value
  return { client_id, registration_id }
}

const sidFor = async (
  ports: BelongingsPorts,
  { logoutEndsOfflineAccess }: BelongingsSettings,
  kind: ArtefactKind,
  { uid, sessionUid, expiresWithSession }: AdapterPayload,
): Promise<string | undefined> => {
  switch (kind) {
    case 'session':
      return startedSid() ?? sidOfUid(ports, uid)
    case 'authorization_code':
      return sidOfUid(ports, sessionUid)
    case 'access_token':
    case 'refresh_token':
      return expiresWithSession === true || logoutEndsOfflineAccess ? sidOfUid(ports, sessionUid) : undefined
    case 'grant':
    case 'client_credentials':
    case 'interaction':
    case 'pushed_authorization_request':
    case 'replay':
    case 'account':
    case 'logout_elsewhere':
    case 'document':
      return undefined
  }
}

// A session belongs to no client, and neither does an identifier that must not be used again.
const ofNoClient: ReadonlyArray<ArtefactKind> = ['session', 'replay', 'account', 'logout_elsewhere']
const isOfClient = (kind: ArtefactKind): boolean => !ofNoClient.includes(kind)

// A request of a documented client precedes its approval; what it grants does not.
const precedesApproval: ReadonlyArray<ArtefactKind> = ['interaction', 'pushed_authorization_request']

const clientOf = async (
  ports: BelongingsPorts,
  kind: ArtefactKind,
  payload: AdapterPayload,
): Promise<Registration | undefined> => {
  if (!isOfClient(kind)) return undefined
  const registration = await registrationFor(ports, clientIdOf(payload))
  if (registration === undefined && clientIdOf(payload) !== undefined && !precedesApproval.includes(kind))
    throw new errors.InvalidClient('client is invalid', 'nobody has approved its document')
  return registration
}

const rotated = (kind: ArtefactKind): string | undefined =>
  kind === 'refresh_token' ? presentRequest()?.oidc.entities.RotatedRefreshToken?.jti : undefined

export const belongingsOf = async (
  ports: BelongingsPorts,
  settings: BelongingsSettings,
  kind: ArtefactKind,
  payload: AdapterPayload,
): Promise<Belongings> => ({
  client: await clientOf(ports, kind, payload),
  session: await sidFor(ports, settings, kind, payload),
  predecessor: rotated(kind),
})
