import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeMaster } from '../authorization/authorize-master.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { InvalidToken, MissingToken, Unavailable, UnknownSession } from '../errors.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { noticesOf } from '../logout/told-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { Fresh } from '../ports/fresh.js'
import type { Logouts } from '../ports/logouts.js'
import { againWhenChanged } from './steps/again-when-changed.js'
import { findApplications, findSessionNamed } from './steps/find-session.js'

export type EndSessionRequest = { readonly credential: PresentedCredential; readonly sid: string }

export type EndSessionPorts = Pick<ClientRegistry, 'findClient'> &
  Pick<EndUserSessions, 'findSessionById'> &
  Pick<Logouts, 'endSession'> &
  Pick<Fresh, 'now' | 'identifier'>

/** The operator ends a session: the applications are told as when the end-user does. */
export const endSession =
  (policy: Pick<LogoutPolicy, 'endsOfflineAccess'>, ports: EndSessionPorts) =>
  ({
    credential,
    sid,
  }: EndSessionRequest): TE.TaskEither<MissingToken | InvalidToken | UnknownSession | Unavailable, void> => {
    const at = ports.now()
    return pipe(
      TE.fromEither<MissingToken | InvalidToken | UnknownSession | Unavailable, unknown>(authorizeMaster(credential)),
      TE.flatMap(() =>
        againWhenChanged(
          pipe(
            findSessionNamed(ports, at)(sid),
            TE.bindTo('session'),
            TE.bindW('applications', ({ session }) => findApplications(ports)(session)),
            TE.flatMap(({ session, applications }) =>
              ports.endSession(
                {
                  session,
                  notices: noticesOf(applications, at, ports.identifier),
                  revokesOfflineAccess: policy.endsOfflineAccess,
                },
                at,
              ),
            ),
          ),
        ),
      ),
    )
  }
