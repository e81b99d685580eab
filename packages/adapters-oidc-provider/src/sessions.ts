// The end-user session behind a session of the engine: docs/decisions/engine.md.
import type { TokenHash } from '@clientele/domain/authorization'
import { isPlainObject, secondsAfter } from '@clientele/domain/kernel'
import { type Subject, isLive } from '@clientele/domain/logout'
import { type StoredArtefact, LogoutElsewhere } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AdapterPayload, type Provider, errors } from 'oidc-provider'
import { sessionLifetime } from './abilities.js'
import { presentKnown, presentRequest } from './context.js'
import { orThrow, performed } from './errors.js'
import type { Engine, EnginePorts } from './ports.js'

/** The sid of the session that the cookie names; the session counts as used. */
const sidOfCookie = async (
  { sessions, sessionCookie }: EnginePorts,
  cookie: string | undefined,
): Promise<string | undefined> => {
  const value = sessionCookie.read(cookie)
  if (value === undefined) return undefined
  const found = await performed(sessions.find(value))
  return E.isRight(found) ? found.right.sid : undefined
}

/** Whether the session of the engine is that of the browser: both cookies must name the same end-user session. */
export const isOfBrowser = async (
  ports: EnginePorts,
  { session, payload }: StoredArtefact,
  cookie: string | undefined,
): Promise<boolean> =>
  session === undefined ? payload['accountId'] === undefined : (await sidOfCookie(ports, cookie)) === session

/**
 * Whether the browser is that in which the end-user signed in. The cookies of an interaction alone do not show that: the
 * party that began the interaction may have planted them in the browser of the end-user (RFC 6265 §8.6).
 */
export const isOfSignedIn = async (
  ports: EnginePorts,
  { payload: { result } }: StoredArtefact,
  cookie: string | undefined,
): Promise<boolean> => {
  const started = isPlainObject(result) ? result['endUserSession'] : undefined
  return started === undefined || (await sidOfCookie(ports, cookie)) === started
}

/** Whether the end-user session has not ended, by a logout or by its lifetimes. It does not count as used. */
export const isInForce = async (
  { sessions, now }: EnginePorts,
  { session, payload }: StoredArtefact,
): Promise<boolean> =>
  session === undefined
    ? payload['accountId'] === undefined
    : O.exists(isLive(now()))(await orThrow(sessions.findById(session)))

/**
 * Remembers the sid of a session that was found, or of the session with which a code or a token ends, for the rest of the request:
 * what is issued for it ends with the same session, and is refused if that has ended meanwhile.
 */
export const rememberSidOf = ({ kind, session, payload }: StoredArtefact): void => {
  const uid = kind === 'session' ? payload['uid'] : payload['sessionUid']
  if (session !== undefined && typeof uid === 'string') presentKnown()?.sids.set(uid, session)
}

/** The sid of the end-user session behind the session of the engine with this uid. */
export const sidOfUid = async (ports: EnginePorts, uid: string | undefined): Promise<string | undefined> => {
  if (uid === undefined) return undefined
  const known = presentKnown()?.sids.get(uid)
  if (known !== undefined) return known
  const found = await orThrow(ports.findArtefactByName('session', ports.hashToken(uid)))
  if (O.isNone(found)) return undefined
  rememberSidOf(found.value)
  return found.value.session
}

/** The sid that the answer to a login interaction started, if this request follows it. */
export const startedSid = (): string | undefined => {
  const started: unknown = presentRequest()?.oidc.result?.['endUserSession']
  return typeof started === 'string' ? started : undefined
}

type EngineSession = InstanceType<Provider['Session']>
type OfClients = NonNullable<EngineSession['authorizations']>

const withoutPrototype = (authorizations: OfClients | undefined): OfClients =>
  authorizations !== undefined && Object.getPrototypeOf(authorizations) === null
    ? authorizations
    : Object.assign(Object.create(null) as OfClients, authorizations)

/**
 * The engine keys what a session has for its clients by their client_id. Here a client with the name of something that
 * all objects have, such as constructor, has entries of its own. Two requests of a browser at once may each store the session
 * without the client of the other: the sid of a client (Back-Channel Logout §2.1) follows from the session, so that it is the same
 * again.
 */
export const keepClientsApart = ({ Session }: Provider, { hashToken }: Pick<EnginePorts, 'hashToken'>): void => {
  Object.assign(Session.prototype, {
    ensureClientContainer(this: EngineSession, clientId: string): void {
      if (this.sidFor(clientId) === undefined) this.sidFor(clientId, hashToken(JSON.stringify([this.uid, clientId])))
    },
    authorizationFor(this: EngineSession, clientId: string, value?: unknown): object {
      if (value === undefined && this.authorizations === undefined) return {}
      this.authorizations = withoutPrototype(this.authorizations)
      return (this.authorizations[clientId] ??= {})
    },
  })
}

type Bound = InstanceType<Provider['AuthorizationCode'] | Provider['AccessToken'] | Provider['RefreshToken']>

/**
 * What ends with the session of its end-user is good while that goes on. The engine demands in addition that it belongs to the
 * grant which the session has for the client now. But a further authorization may have another grant, for example that of
 * another installation of the application, and requests at once may store the session without the grant of the other. What
 * was revoked is not stored any more.
 */
export const bindToSessions = (provider: Provider): void => {
  for (const model of [provider.AuthorizationCode, provider.AccessToken, provider.RefreshToken]) {
    const { find } = model as { readonly find: (...given: ReadonlyArray<unknown>) => Promise<Bound | undefined> }
    Object.assign(model, {
      find: async (value: string, options?: object): Promise<Bound | undefined> => {
        const found = await find.call(model, value, { ...options, ignoreSessionBinding: true })
        if (found?.expiresWithSession !== true) return found
        const session = await provider.Session.findByUid(found.sessionUid ?? '')
        return session?.accountId === found.accountId ? found : undefined
      },
    })
  }
}

/**
 * The session of the browser goes on if the same end-user signs in again. The session of another end-user ends, and its
 * applications are notified, before the new one starts.
 */
export const startOrContinue = async (
  { sessions, sessionCookie }: EnginePorts,
  sub: Subject,
  cookie: string | undefined,
): Promise<{ readonly sid: Subject; readonly setCookies: ReadonlyArray<string> }> => {
  const value = sessionCookie.read(cookie)
  const found = value === undefined ? undefined : await performed(sessions.find(value))
  if (found !== undefined && E.isRight(found)) {
    if (found.right.sub === sub) return { sid: found.right.sid, setCookies: [] }
    await performed(sessions.end(found.right.sid))
  }
  const started = await orThrow(sessions.start({ sub }), () => new errors.SessionNotFound('no session can start'))
  return { sid: started.session.sid, setCookies: [sessionCookie.write(started.cookie)] }
}

// The engine stores the session of the browser after each authorization request, to extend it: docs/decisions/speed.md.

/** Seconds by which the stored end may be earlier; the session has a year, and ends with its end-user session. */
const tolerance = 86_400

const textOf = (payload: AdapterPayload): string => JSON.stringify({ ...payload, exp: undefined, jti: undefined })

/** Remembers the session as it was read. */
export const rememberRead = (id: string, payload: AdapterPayload): void => {
  const known = presentKnown()
  if (known !== undefined) known.session = { id, exp: payload.exp, text: textOf(payload) }
}

/** Whether to store the session again would only extend it, by less than a day. */
export const isUnchanged = (id: string, payload: AdapterPayload): boolean => {
  const { session: read, storedWith, sids } = presentKnown() ?? {}
  const { uid } = payload
  // The store has just stored something that ends with the end-user session, so that this has not ended.
  const isStoredWith = uid !== undefined && storedWith !== undefined && storedWith === sids?.get(uid)
  return (
    read?.id === id &&
    isStoredWith &&
    Number(payload.exp) - Number(read.exp) < tolerance &&
    textOf(payload) === read.text
  )
}

// docs/decisions/sign-in.md: the logout at the OpenID provider that authenticated the end-user, for as long as the session.

const hashOf = ({ hashToken }: EnginePorts, sid: string): TokenHash => hashToken(`logout elsewhere of ${sid}`)

/** Stores it with the session, in place of that of an earlier login. The payload, with the ID token, is sealed at rest. */
export const storeLogoutElsewhere = async (
  ports: EnginePorts,
  session: Subject,
  { end_session_endpoint, client_id, id_token_hint }: LogoutElsewhere,
): Promise<void> => {
  const at = ports.now()
  const payload = { end_session_endpoint, client_id, id_token_hint }
  const expires_at = secondsAfter(at, sessionLifetime)
  const hash = hashOf(ports, session)
  await orThrow(
    ports.storeArtefact({ kind: 'logout_elsewhere', hash, session, expires_at, payload }, at),
    () => new errors.SessionNotFound('the end-user session has ended'),
  )
}

export const findLogoutElsewhere =
  (ports: EnginePorts): Engine['findLogoutElsewhere'] =>
  (sid) =>
    pipe(
      ports.findArtefact('logout_elsewhere', hashOf(ports, sid)),
      TE.map(O.flatMap(({ payload }) => O.fromEither(LogoutElsewhere.decode(payload)))),
    )
