// End-user sessions.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Operator, TokenHash } from '../authorization/credential.js'
import type { ClientId, RegistrationId } from '../client/ids.js'
import { isSameJson } from '../kernel/json-object.js'
import {
  type InvalidRequest,
  type SessionFull,
  type Unavailable,
  type UnknownClient,
  type UnknownSession,
  sessionFull,
  unavailable,
  unknownClient,
  unknownSession,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { type LogoutPolicy, type SessionApplication, applicationsOf, notificationsOf } from '../logout/notifications.js'
import {
  type EndUserSession,
  type SessionClient,
  type SessionLifetimes,
  type SignedInClient,
  Subject,
  isLive,
  isUseDue,
  maxSessionClients,
  readCookie,
  readNewSession,
  readSignedInClient,
  unregisteredClient,
  usedSession,
  withClient,
} from '../logout/sessions.js'
import type { Answer, Clock, CredentialGenerator, Hashing, Turns } from '../ports/outside.js'
import type {
  ClientRegistry,
  ConfirmReads,
  EndUserSessions,
  EndedSession,
  SessionChanged,
  SessionTermination,
  WrittenNotifications,
} from '../ports/store.js'
import type { RegisteredClient, Registration } from '../registration/registered-client.js'
import { type AuditOperation, type AuditPorts, type OperatorRequest, type WithBody, auditedBy } from './audit.js'
import { changeSession, confirmed, serializeOnConflict } from './conflicts.js'

/** The session of the browser with the cookie, if it is not over. */
export const findLiveSession =
  (ports: EndUserSessions, at: EpochSeconds) =>
  (cookie: O.Option<TokenHash>): Answer<EndUserSession | undefined> =>
    O.isNone(cookie)
      ? TE.right(undefined)
      : pipe(
          ports.findSession(cookie.value),
          TE.map((found) => O.toUndefined(O.filter(isLive(at))(found))),
        )

/** The session with the sid, if it is not over. */
const findSessionNamed =
  (ports: EndUserSessions, at: EpochSeconds) =>
  (sid: string): Answer<EndUserSession, UnknownSession> =>
    pipe(
      ports.findSessionById(sid),
      TE.flatMapOption(O.filter(isLive(at)), () => unknownSession),
    )

/** The ids of the clients that signed in the end-user through the session. */
export const clientsOf = (session: EndUserSession | undefined): ReadonlyArray<ClientId> =>
  (session?.clients ?? []).map(({ client_id }) => client_id)

/**
 * The registered clients among the ids. An unreadable client counts as removed, so that it does not block the logout.
 */
export const findClients =
  (ports: ClientRegistry) =>
  (ids: ReadonlyArray<ClientId>): Answer<ReadonlyArray<RegisteredClient>> =>
    pipe(ports.findClients(ids), TE.map(RA.rights))

/** The clients that signed in the end-user through the session. */
export const findApplications =
  (ports: ClientRegistry) =>
  (session: EndUserSession | undefined): Answer<ReadonlyArray<SessionApplication>> =>
    pipe(
      findClients(ports)(clientsOf(session)),
      TE.map((clients) => applicationsOf(session, clients)),
    )

/** The session with the value of its cookie, which no later answer contains. */
export type StartedSession = { readonly session: EndUserSession; readonly cookie: string }

/** The body contains sub, and optionally lifetime and idle_lifetime in seconds. */
export const startSession =
  (lifetimes: SessionLifetimes, ports: EndUserSessions & CredentialGenerator & AuditPorts) =>
  ({ body, operator, origin }: OperatorRequest<'sessions'> & WithBody): Answer<StartedSession, InvalidRequest> =>
  async () => {
    if (E.isLeft(body)) return body
    const at = ports.now()
    const cookie = ports.cookie()
    const sid = Subject.decode(ports.identifier())
    if (E.isLeft(sid)) return E.left(unavailable('an identifier must be a sid'))
    const session = readNewSession(lifetimes, sid.right, at)(body.right)
    if (E.isLeft(session)) return session
    const row = auditedBy(ports, operator, { origin })(at, 'session_started', { subject: sid.right })
    const added = await ports.addSession(session.right, cookie.hash, at, row)()
    return E.isLeft(added) ? added : E.right({ session: session.right, cookie: cookie.token })
  }

export type FindSessionError = InvalidRequest | UnknownSession | Unavailable

/** The session of the browser with the cookie, which the body contains as the browser sent it; it counts as used. */
export const findSession =
  (ports: Turns & EndUserSessions & ConfirmReads & Clock & Hashing) =>
  ({ body }: WithBody & { readonly operator: Operator<'sessions'> }): TE.TaskEither<FindSessionError, EndUserSession> =>
  async () => {
    const at = ports.now()
    if (E.isLeft(body)) return body
    const sent = readCookie(body.right)
    if (E.isLeft(sent)) return sent
    const cookie = ports.hashToken(sent.right)
    return changeSession<FindSessionError, EndUserSession>(ports, cookie, async () => {
      const found = await findLiveSession(ports, at)(O.some(cookie))()
      if (E.isLeft(found)) return found
      const session = found.right
      if (session === undefined) return E.left(unknownSession)
      if (!isUseDue(session, at)) return E.right({ answer: session })
      const next = usedSession(at)(session)
      return E.right({ answer: next, change: { next, replacing: session, audit: undefined } })
    })()
  }

/** The body contains client_id, and sub and sid where the client's ID tokens do not use those of the session. */
type RecordSessionClientRequest = OperatorRequest<'sessions'> &
  WithBody & {
    readonly sid: string
    /** The registration that signed in the end-user, where the caller knows it; otherwise the present one of the client_id. */
    readonly registrationId?: RegistrationId
  }

export type RecordSessionClientError = InvalidRequest | UnknownSession | SessionFull | UnknownClient | Unavailable

type RecordSessionClientPorts = Turns & ClientRegistry & EndUserSessions & Clock & AuditPorts

type SignedIn = Registration & Pick<SignedInClient, 'sub' | 'sid'>

const joined = (
  session: EndUserSession,
  { client_id, registration_id, sub, sid }: SignedIn,
): E.Either<SessionFull, SessionClient> => {
  const known = session.clients.find((client) => client.registration_id === registration_id)
  if (known === undefined && session.clients.length >= maxSessionClients) return E.left(sessionFull)
  const names = known ?? session
  return E.right({ client_id, registration_id, sub: sub ?? names.sub, sid: sid ?? names.sid })
}

const record = (
  ports: RecordSessionClientPorts,
  sid: string,
  signedIn: SignedIn,
  row: AuditOperation,
): TE.TaskEither<RecordSessionClientError, SessionClient> => {
  const at = ports.now()
  return changeSession<RecordSessionClientError, SessionClient>(ports, sid, async () => {
    const session = await findSessionNamed(ports, at)(sid)()
    if (E.isLeft(session)) return session
    const client = joined(session.right, signedIn)
    if (E.isLeft(client)) return client
    const audit = row(at, 'session_client_recorded', { client_id: signedIn.client_id, subject: sid })
    const next = withClient(client.right, at)(session.right)
    return E.right({ answer: client.right, change: { next, replacing: session.right, audit } })
  })
}

// A session names no client of which the registration has ended.
const recordedJustNow = async (
  ports: RecordSessionClientPorts,
  { sid, registrationId }: RecordSessionClientRequest,
  sent: SignedInClient,
): Promise<SessionClient | undefined> => {
  if (registrationId === undefined) return undefined
  const at = ports.now()
  const session = await findSessionNamed(ports, at)(sid)()
  if (E.isLeft(session) || isUseDue(session.right, at)) return undefined
  const last = session.right.clients.at(-1)
  return isSameJson(last, { ...sent, registration_id: registrationId }) ? last : undefined
}

const findRegistration =
  (ports: RecordSessionClientPorts, clientId: ClientId, unregistered: RecordSessionClientError) =>
  (registrationId: RegistrationId | undefined): TE.TaskEither<RecordSessionClientError, RegisteredClient> =>
  async () => {
    const found = await ports.findClient(clientId)()
    if (E.isLeft(found)) return found
    const isNamed = ({ registration_id }: RegisteredClient): boolean =>
      registrationId === undefined || registration_id === registrationId
    return E.fromOption(() => unregistered)(O.filter(isNamed)(found.right))
  }

/**
 * Records that the client signed in the end-user; the session counts as used. Returns the sub and sid of the client's
 * ID tokens. Nothing is written where it would change nothing but the time of the use, which was recorded just now, and
 * the request has no origin that is audited.
 */
export const recordSessionClient =
  (ports: RecordSessionClientPorts) =>
  (request: RecordSessionClientRequest): TE.TaskEither<RecordSessionClientError, SessionClient> =>
  async () => {
    const { body, sid, registrationId, operator, origin } = request
    if (E.isLeft(body)) return body
    const sent = readSignedInClient(body.right)
    if (E.isLeft(sent)) return sent
    const known = await recordedJustNow(ports, request, sent.right)
    if (known !== undefined) return confirmed(ports)(E.right(known))()
    const unregistered = registrationId === undefined ? unregisteredClient : unknownClient
    const find = findRegistration(ports, sent.right.client_id, unregistered)
    const client = await find(registrationId)()
    if (E.isLeft(client)) return client
    const { registration_id } = client.right
    const recorded = await record(
      ports,
      sid,
      { ...sent.right, registration_id },
      auditedBy(ports, operator, { origin }),
    )()
    if (E.isLeft(recorded)) return recorded
    // The store records nothing for a registration that has ended in the meantime.
    const present = await find(registration_id)()
    return E.isLeft(present) ? present : recorded
  }

/** The sessions of an end-user that are not over. */
export const listSessions =
  (ports: EndUserSessions & Clock) =>
  ({ sub }: { readonly operator: Operator<'sessions'>; readonly sub: string }): Answer<ReadonlyArray<EndUserSession>> =>
    pipe(
      ports.listSessions(sub),
      TE.map((sessions) => sessions.filter(isLive(ports.now()))),
    )

type EndPolicy = Pick<LogoutPolicy, 'endsOfflineAccess' | 'backchannel' | 'notificationLimits'>

/** The session, and what is written with its end. */
export const endedSession = (
  policy: EndPolicy,
  { identifier }: CredentialGenerator,
  at: EpochSeconds,
  session: EndUserSession,
  applications: ReadonlyArray<SessionApplication>,
): EndedSession => ({
  session,
  notifications: notificationsOf(policy, applications, at, identifier),
  notificationLimits: policy.notificationLimits,
  revokesOfflineAccess: policy.endsOfflineAccess,
})

/** Ends a session for the operator; the applications are notified as for the end-user's logout. */
export const endSession =
  (
    policy: EndPolicy,
    ports: Turns & ClientRegistry & EndUserSessions & SessionTermination & CredentialGenerator & AuditPorts,
  ) =>
  ({
    sid,
    operator,
    origin,
  }: OperatorRequest<'sessions'> & { readonly sid: string }): Answer<WrittenNotifications, UnknownSession> => {
    const at = ports.now()
    const row = auditedBy(ports, operator, { origin })
    const end: Answer<WrittenNotifications, UnknownSession | SessionChanged> = async () => {
      const session = await findSessionNamed(ports, at)(sid)()
      // It may have been ended by the same request before.
      if (E.isLeft(session)) return confirmed(ports)<UnknownSession | Unavailable, never>(session)()
      const applications = await findApplications(ports)(session.right)()
      if (E.isLeft(applications)) return applications
      const ended = endedSession(policy, ports, at, session.right, applications.right)
      return ports.endSession(ended, row(at, 'session_ended', { subject: sid }))()
    }
    return serializeOnConflict(ports, `session ${sid}`)(end)
  }
