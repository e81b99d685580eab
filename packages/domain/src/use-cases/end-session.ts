import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Operator } from '../authorization/operator.js'
import type { Unavailable, UnknownSession } from '../errors.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { noticesOf } from '../logout/told-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
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
    return pipe(
      findSessionNamed(ports, at)(sid),
      TE.bindTo('session'),
      TE.bindW('applications', ({ session }) => findApplications(ports)(session)),
      TE.flatMap(({ session, applications }) =>
        ports.endSession({
          session,
          notices: noticesOf(policy, applications, at, ports.identifier),
          noticeLimits: policy.noticeLimits,
          revokesOfflineAccess: policy.endsOfflineAccess,
        }),
      ),
      inTurnWhenChanged(ports, `session ${sid}`),
    )
  }
