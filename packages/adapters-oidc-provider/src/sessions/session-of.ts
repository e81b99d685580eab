// The end-user session behind a session of the engine: docs/decisions/0102.
import { isPlainObject } from '@clientele/domain/kernel'
import { isLive } from '@clientele/domain/logout'
import type { StoredArtefact } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Provider } from 'oidc-provider'
import { presentRequest, rememberSid, rememberedSid } from '../context.js'
import { orThrow, performed } from '../errors.js'
import type { EnginePorts } from '../ports.js'

export type SessionsPorts = Pick<EnginePorts, 'sessions' | 'sessionCookie' | 'now' | 'hashToken' | 'findArtefactByName'>

/** The sid of the session that the cookie names; the session counts as used. */
const sidOfCookie = async (
  { sessions, sessionCookie }: SessionsPorts,
  cookie: string | undefined,
): Promise<string | undefined> => {
  const value = sessionCookie.read(cookie)
  if (value === undefined) return undefined
  const found = await performed(sessions.find(value))
  return E.isRight(found) ? found.right.sid : undefined
}

/** Whether the session of the engine is that of the browser: both cookies must name the same end-user session. */
export const isOfBrowser = async (
  ports: SessionsPorts,
  { session, payload }: StoredArtefact,
  cookie: string | undefined,
): Promise<boolean> => {
  if (session === undefined) return payload['accountId'] === undefined
  return (await sidOfCookie(ports, cookie)) === session
}

/**
 * Whether the browser is that in which the end-user signed in. The cookies of an interaction alone do not show that: the
 * party that began the interaction may have planted them in the browser of the end-user (RFC 6265 §8.6).
 */
export const isOfSignedIn = async (
  ports: SessionsPorts,
  { payload }: StoredArtefact,
  cookie: string | undefined,
): Promise<boolean> => {
  const { result } = payload
  const started = isPlainObject(result) ? result['endUserSession'] : undefined
  return started === undefined || (await sidOfCookie(ports, cookie)) === started
}

/** Whether the end-user session has not ended, by a logout or by its lifetimes. It does not count as used. */
export const isInForce = async (
  { sessions, now }: Pick<SessionsPorts, 'sessions' | 'now'>,
  { session, payload }: StoredArtefact,
): Promise<boolean> => {
  if (session === undefined) return payload['accountId'] === undefined
  return O.exists(isLive(now()))(await orThrow(sessions.findById(session)))
}

/** Remembers the sid of a session that was found for the rest of the request. */
export const rememberSidOf = ({ session, payload }: StoredArtefact): void => {
  const { uid } = payload
  if (session !== undefined && typeof uid === 'string') rememberSid(uid, session)
}

/** The sid of the end-user session behind the session of the engine with this uid. */
export const sidOfUid = async (ports: SessionsPorts, uid: string | undefined): Promise<string | undefined> => {
  if (uid === undefined) return undefined
  const known = rememberedSid(uid)
  if (known !== undefined) return known
  const found = await orThrow(ports.findArtefactByName('session', ports.hashToken(uid)))
  if (O.isNone(found)) return undefined
  rememberSidOf(found.value)
  return found.value.session
}

type EngineSession = InstanceType<Provider['Session']>
type OfClients = NonNullable<EngineSession['authorizations']>

const withoutPrototype = (authorizations: OfClients | undefined): OfClients =>
  authorizations !== undefined && Object.getPrototypeOf(authorizations) === null
    ? authorizations
    : Object.assign(Object.create(null) as OfClients, authorizations)

/**
 * The engine keys what a session has for its clients by their client_id. Here a client with the name of something that
 * all objects have, such as constructor, has entries of its own.
 */
export const keepClientsApart = ({ Session }: Pick<Provider, 'Session'>): void => {
  Object.assign(Session.prototype, {
    authorizationFor(this: EngineSession, clientId: string, value?: unknown): object {
      if (value === undefined && this.authorizations === undefined) return {}
      this.authorizations = withoutPrototype(this.authorizations)
      return (this.authorizations[clientId] ??= {})
    },
  })
}

/** The sid that the answer to a login interaction started, if this request follows it. */
export const startedSid = (): string | undefined => {
  const started: unknown = presentRequest()?.oidc.result?.['endUserSession']
  return typeof started === 'string' ? started : undefined
}
