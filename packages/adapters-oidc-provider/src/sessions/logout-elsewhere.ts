// docs/decisions/0106: the logout at the OpenID provider that authenticated the end-user, for as long as the session.
import type { TokenHash } from '@clientele/domain/authorization'
import { type Unavailable, secondsAfter } from '@clientele/domain/kernel'
import type { Subject } from '@clientele/domain/logout'
import { LogoutElsewhere } from '@clientele/domain/provider'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { errors } from 'oidc-provider'
import { orThrow } from '../errors.js'
import { sessionLifetime } from '../lifetimes.js'
import type { EnginePorts } from '../ports.js'

type StoringPorts = Pick<EnginePorts, 'storeArtefact' | 'hashToken' | 'now'>
type FindingPorts = Pick<EnginePorts, 'findArtefact' | 'hashToken'>

const hashOf = ({ hashToken }: Pick<EnginePorts, 'hashToken'>, sid: string): TokenHash =>
  hashToken(`logout elsewhere of ${sid}`)

/** Stores it with the session, in place of that of an earlier login. The payload, with the ID token, is sealed at rest. */
export const storeLogoutElsewhere = async (
  ports: StoringPorts,
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

/** What the logout elsewhere of a session needs; none where the end-user was authenticated here. */
export type FindLogoutElsewhere = (sid: Subject) => TE.TaskEither<Unavailable, O.Option<LogoutElsewhere>>

export const findLogoutElsewhere =
  (ports: FindingPorts): FindLogoutElsewhere =>
  (sid) =>
    pipe(
      ports.findArtefact('logout_elsewhere', hashOf(ports, sid)),
      TE.map(O.flatMap(({ payload }) => O.fromEither(LogoutElsewhere.decode(payload)))),
    )
