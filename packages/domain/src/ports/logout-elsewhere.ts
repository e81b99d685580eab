// The logout at the OpenID provider that authenticated the end-user: OpenID Connect RP-Initiated Logout §2.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { Subject } from '../sessions/end-user-session.js'

export type LogoutElsewherePorts = {
  /**
   * The URL of the logout request for the session, which leads back to this service; none where the end-user was
   * authenticated here, or where that provider has no end_session_endpoint. It ends with the session.
   */
  readonly findLogoutElsewhere: (sid: Subject) => TE.TaskEither<Unavailable, O.Option<string>>
}
