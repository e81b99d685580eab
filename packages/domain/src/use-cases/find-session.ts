import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Operator } from '../authorization/operator.js'
import type { TokenHash } from '../authorization/credential.js'
import { type InvalidRequest, type Unavailable, type UnknownSession, unknownSession } from '../errors.js'
import type { EndUserSessions, SessionChanged } from '../ports/end-user-sessions.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import { type EndUserSession, isUseDue, usedSession } from '../sessions/end-user-session.js'
import { readCookie } from '../sessions/read-session-request.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { findLiveSession } from './steps/find-session.js'

/** The body contains cookie, as the browser sent it. */
export type FindSessionRequest = {
  readonly operator: Operator<'sessions'>
  readonly body: E.Either<InvalidRequest, unknown>
}

export type FindSessionError = InvalidRequest | UnknownSession | Unavailable

export type FindSessionPorts = Turns &
  Pick<EndUserSessions, 'findSession' | 'replaceSession'> &
  Pick<CredentialGenerator, 'now'> & { readonly hashToken: (token: string) => TokenHash }

/** The session of the browser with the cookie; it counts as used. */
export const findSession =
  (ports: FindSessionPorts) =>
  ({ body }: FindSessionRequest): TE.TaskEither<FindSessionError, EndUserSession> =>
  async () => {
    const at = ports.now()
    if (E.isLeft(body)) return body
    const sent = readCookie(body.right)
    if (E.isLeft(sent)) return sent
    const cookie = ports.hashToken(sent.right)
    const use: TE.TaskEither<UnknownSession | SessionChanged | Unavailable, EndUserSession> = async () => {
      const found = await findLiveSession(ports, at)(O.some(cookie))()
      if (E.isLeft(found)) return found
      const session = found.right
      if (session === undefined) return E.left(unknownSession)
      if (!isUseDue(session, at)) return E.right(session)
      const next = usedSession(at)(session)
      const replaced = await ports.replaceSession(next, session)()
      return E.isLeft(replaced) ? replaced : E.right(next)
    }
    return serializeOnConflict(ports, `session ${cookie}`)(use)()
  }
