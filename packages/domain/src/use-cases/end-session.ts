import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Operator } from '../authorization/operator.js'
import type { Unavailable, UnknownSession } from '../errors.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { notificationsOf } from '../logout/notified-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions, SessionChanged } from '../ports/end-user-sessions.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { SessionTermination, WrittenNotifications } from '../ports/session-termination.js'
import type { Turns } from '../ports/turns.js'
import { type AuditPorts, type WithOrigin, auditedBy } from './steps/audited.js'
import { confirmed } from './steps/confirmed.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { findApplications, findSessionNamed } from './steps/find-session.js'

export type EndSessionRequest = WithOrigin & { readonly operator: Operator<'sessions'>; readonly sid: string }

export type EndSessionPorts = Turns &
  Pick<ClientRegistry, 'findClients' | 'confirmReads'> &
  Pick<EndUserSessions, 'findSessionById'> &
  Pick<SessionTermination, 'endSession'> &
  Pick<CredentialGenerator, 'now' | 'identifier'> &
  AuditPorts

/** Ends a session for the operator; the applications are notified as for the end-user's logout. */
export const endSession =
  (policy: Pick<LogoutPolicy, 'endsOfflineAccess' | 'backchannel' | 'notificationLimits'>, ports: EndSessionPorts) =>
  ({ sid, operator, origin }: EndSessionRequest): TE.TaskEither<UnknownSession | Unavailable, WrittenNotifications> => {
    const at = ports.now()
    const row = auditedBy(ports, operator, { origin })
    const end: TE.TaskEither<UnknownSession | SessionChanged | Unavailable, WrittenNotifications> = async () => {
      const session = await findSessionNamed(ports, at)(sid)()
      // It may have been ended by the same request before.
      if (E.isLeft(session)) return confirmed(ports)<UnknownSession | Unavailable, never>(session)()
      const applications = await findApplications(ports)(session.right)()
      if (E.isLeft(applications)) return applications
      const ended = {
        session: session.right,
        notifications: notificationsOf(policy, applications.right, at, ports.identifier),
        notificationLimits: policy.notificationLimits,
        revokesOfflineAccess: policy.endsOfflineAccess,
      }
      return ports.endSession(ended, row(at, 'session_ended', { subject: sid }))()
    }
    return serializeOnConflict(ports, `session ${sid}`)(end)
  }
