import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Operator } from '../authorization/operator.js'
import {
  type InvalidRequest,
  type SessionFull,
  type Unavailable,
  type UnknownClient,
  type UnknownSession,
  sessionFull,
  unknownClient,
} from '../errors.js'
import type { RegisteredClient, Registration } from '../registration/registered-client.js'
import type { ClientId } from '../client/client-id.js'
import type { RegistrationId } from '../client/registration-id.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions, SessionChanged } from '../ports/end-user-sessions.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import {
  type EndUserSession,
  type SessionClient,
  isUseDue,
  maxSessionClients,
  withClient,
} from '../sessions/end-user-session.js'
import { type SignedInClient, readSignedInClient, unregisteredClient } from '../sessions/read-session-request.js'
import { type AuditOperation, type AuditPorts, type WithOrigin, auditedBy } from './steps/audited.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { findSessionNamed } from './steps/find-session.js'

/** The body contains client_id, and sub and sid where the client's ID tokens do not use those of the session. */
export type RecordSessionClientRequest = WithOrigin & {
  readonly operator: Operator<'sessions'>
  readonly sid: string
  readonly body: E.Either<InvalidRequest, unknown>
  /** The registration that signed in the end-user, where the caller knows it; otherwise the present one of the client_id. */
  readonly registrationId?: RegistrationId
}

export type RecordSessionClientError = InvalidRequest | UnknownSession | SessionFull | UnknownClient | Unavailable

export type RecordSessionClientPorts = Turns &
  Pick<ClientRegistry, 'findClient'> &
  Pick<EndUserSessions, 'findSessionById' | 'replaceSession'> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts

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
  const join: TE.TaskEither<RecordSessionClientError | SessionChanged, SessionClient> = async () => {
    const session = await findSessionNamed(ports, at)(sid)()
    if (E.isLeft(session)) return session
    const client = joined(session.right, signedIn)
    if (E.isLeft(client)) return client
    const audit = row(at, 'session_client_recorded', { client_id: signedIn.client_id, subject: sid })
    const replaced = await ports.replaceSession(withClient(client.right, at)(session.right), session.right, audit)()
    return E.isLeft(replaced) ? replaced : client
  }
  return serializeOnConflict(ports, `session ${sid}`)(join)
}

const isSame = (one: SessionClient | undefined, other: SignedIn): one is SessionClient =>
  one?.client_id === other.client_id &&
  one.registration_id === other.registration_id &&
  one.sub === other.sub &&
  one.sid === other.sid

// A session names no client of which the registration has ended.
const recordedJustNow = async (
  ports: RecordSessionClientPorts,
  { sid, registrationId, origin }: RecordSessionClientRequest,
  sent: SignedInClient,
): Promise<SessionClient | undefined> => {
  if (origin !== undefined || registrationId === undefined) return undefined
  const at = ports.now()
  const session = await findSessionNamed(ports, at)(sid)()
  if (E.isLeft(session) || isUseDue(session.right, at)) return undefined
  const last = session.right.clients.at(-1)
  return isSame(last, { ...sent, registration_id: registrationId }) ? last : undefined
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
    if (known !== undefined) return E.right(known)
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
