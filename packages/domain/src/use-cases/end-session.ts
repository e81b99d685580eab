import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Operator } from '../authorization/operator.js'
import type { Unavailable, UnknownSession } from '../errors.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { noticesOf } from '../logout/told-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions, SessionChanged } from '../ports/end-user-sessions.js'
import type { Fresh } from '../ports/fresh.js'
import type { Logouts, WrittenNotices } from '../ports/logouts.js'
import type { Turns } from '../ports/turns.js'
import { inTurnWhenChanged } from './steps/again-when-changed.js'
import { findApplications, findSessionNamed } from './steps/find-session.js'

export type EndSessionRequest = { readonly operator: Operator; readonly sid: string }

export type EndSessionPorts = Turns &
  Pick<ClientRegistry, 'findClients'> &
  Pick<EndUserSessions, 'findSessionById'> &
  Pick<Logouts, 'endSession'> &
  Pick<Fresh, 'now' | 'identifier'>

/** The operator ends a session: the applications are told as when the end-user does. */
export const endSession =
  (policy: Pick<LogoutPolicy, 'endsOfflineAccess' | 'backchannel' | 'noticeLimits'>, ports: EndSessionPorts) =>
  ({ sid }: EndSessionRequest): TE.TaskEither<UnknownSession | Unavailable, WrittenNotices> => {
    const at = ports.now()
    const end: TE.TaskEither<UnknownSession | SessionChanged | Unavailable, WrittenNotices> = async () => {
      const session = await findSessionNamed(ports, at)(sid)()
      if (E.isLeft(session)) return session
      const applications = await findApplications(ports)(session.right)()
      if (E.isLeft(applications)) return applications
      return ports.endSession({
        session: session.right,
        notices: noticesOf(policy, applications.right, at, ports.identifier),
        noticeLimits: policy.noticeLimits,
        revokesOfflineAccess: policy.endsOfflineAccess,
      })()
    }
    return inTurnWhenChanged(ports, `session ${sid}`)(end)
  }
