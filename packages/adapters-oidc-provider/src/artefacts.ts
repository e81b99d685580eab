// From what the engine stores to an artefact, and back.
import { ClientId } from '@clientele/domain/client'
import { type JsonObject, EpochSeconds, isParsedObject } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { Artefact, ArtefactKind, StoredArtefact } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import { type AdapterPayload, errors } from 'oidc-provider'
import { registrationOf } from './clients.js'
import { presentRequest, storingFor } from './context.js'
import { orThrow } from './errors.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { sidOfUid, startedSid } from './sessions.js'

// The registration that the request began with, also if the client_id is registered again meanwhile.
const registrationFor = async (
  { findClient }: EnginePorts,
  clientId: string | undefined,
): Promise<Registration | undefined> => {
  const loaded = presentRequest()?.oidc.client
  if (loaded !== undefined && (clientId === undefined || loaded.clientId === clientId)) return registrationOf(loaded)
  const given = storingFor.getStore()
  if (given !== undefined) return given.registration
  if (!ClientId.is(clientId)) return undefined
  const found = await orThrow(findClient(clientId))
  if (O.isNone(found)) throw new errors.InvalidClient('client is invalid', 'client not found')
  const { client_id, registration_id } = found.value
  return { client_id, registration_id }
}

// A session belongs to no client, and neither does an identifier that must not be used again.
const ofNoClient: ReadonlyArray<ArtefactKind> = ['session', 'replay', 'account', 'logout_elsewhere']

// A request of a documented client precedes its approval; what it grants does not.
const precedesApproval: ReadonlyArray<ArtefactKind> = ['interaction', 'pushed_authorization_request']

const clientFor = async (
  ports: EnginePorts,
  kind: ArtefactKind,
  { clientId, params }: AdapterPayload,
): Promise<Registration | undefined> => {
  if (ofNoClient.includes(kind)) return undefined
  const requested = params?.['client_id']
  const id = clientId ?? (typeof requested === 'string' ? requested : undefined)
  const registration = await registrationFor(ports, id)
  if (registration === undefined && id !== undefined && !precedesApproval.includes(kind))
    throw new errors.InvalidClient('client is invalid', 'nobody has approved its document')
  return registration
}

/** The sid of the end-user session with which it ends. */
const sidFor = async (
  ports: EnginePorts,
  { logoutEndsOfflineAccess }: EngineSettings,
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

// JSON has no undefined. The identifier is the value of a token or a cookie: the party that asks for the artefact has it.
const withoutIdentifier = (payload: AdapterPayload): JsonObject => {
  const json: unknown = JSON.parse(JSON.stringify({ ...payload, jti: undefined }))
  return isParsedObject(json) ? json : {}
}

const endOf = (now: EpochSeconds, seconds: number | undefined, exp: number | undefined): EpochSeconds => {
  const end = seconds === undefined ? (exp ?? now) : now + Math.max(seconds, 0)
  return EpochSeconds.is(end) ? end : now
}

type Optional = Pick<Artefact, 'name' | 'client' | 'grant' | 'session' | 'sub' | 'predecessor'>

// The members that have a value.
const present = (members: { readonly [Name in keyof Optional]: Optional[Name] | undefined }): Optional =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** What the engine stores under the id, for so many seconds or until its `exp`, as the store has it. */
export const artefactOf = async (
  ports: EnginePorts,
  settings: EngineSettings,
  kind: ArtefactKind,
  id: string,
  payload: AdapterPayload,
  at: EpochSeconds,
  expiresIn: number | undefined,
): Promise<Artefact> => {
  const hash = ports.hashToken
  const client = await clientFor(ports, kind, payload)
  const session = await sidFor(ports, settings, kind, payload)
  const sub = payload.accountId ?? payload.session?.accountId
  // The refresh token in whose place it is issued.
  const replaced = kind === 'refresh_token' ? presentRequest()?.oidc.entities.RotatedRefreshToken?.jti : undefined
  return {
    kind,
    hash: hash(id),
    ...present({
      name: kind === 'session' && payload.uid !== undefined ? hash(payload.uid) : undefined,
      client,
      grant: payload.grantId === undefined ? undefined : hash(payload.grantId),
      session: Subject.is(session) ? session : undefined,
      sub: Subject.is(sub) ? sub : undefined,
      predecessor: replaced === undefined ? undefined : hash(replaced),
    }),
    expires_at: endOf(at, expiresIn, payload.exp),
    payload: withoutIdentifier(payload),
  }
}

/** What the engine stored; `consumed` is the time of the first use. */
export const payloadOf = ({ payload, consumed_at }: StoredArtefact, id: string | undefined): AdapterPayload => ({
  ...payload,
  ...(id === undefined ? {} : { jti: id }),
  ...(consumed_at === undefined ? {} : { consumed: consumed_at }),
})
