import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Operator } from '../authorization/operator.js'
import { type InvalidRequest, type Unavailable, unavailable } from '../errors.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import { type EndUserSession, Subject } from '../sessions/end-user-session.js'
import { type AuditPorts, type WithOrigin, auditedBy } from './steps/audited.js'
import { type SessionLifetimes, readNewSession } from '../sessions/read-session-request.js'

/** The body contains sub, and optionally lifetime and idle_lifetime in seconds. */
export type StartSessionRequest = WithOrigin & {
  readonly operator: Operator<'sessions'>
  readonly body: E.Either<InvalidRequest, unknown>
}

export type StartSessionPorts = Pick<EndUserSessions, 'addSession'> &
  Pick<CredentialGenerator, 'now' | 'cookie' | 'identifier'> &
  AuditPorts

/** The session with the value of its cookie, which no later answer contains. */
export type StartedSession = { readonly session: EndUserSession; readonly cookie: string }

export const startSession =
  (lifetimes: SessionLifetimes, ports: StartSessionPorts) =>
  ({ body, operator, origin }: StartSessionRequest): TE.TaskEither<InvalidRequest | Unavailable, StartedSession> =>
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
