import type { Subject } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import { errors } from 'oidc-provider'
import { orThrow, performed } from '../errors.js'
import type { EnginePorts } from '../ports.js'

type Started = { readonly sid: Subject; readonly setCookies: ReadonlyArray<string> }

/**
 * The session of the browser goes on if the same end-user signs in again. The session of another end-user ends, and its
 * applications are notified, before the new one starts.
 */
export const startOrContinue = async (
  { sessions, sessionCookie }: Pick<EnginePorts, 'sessions' | 'sessionCookie'>,
  sub: Subject,
  cookie: string | undefined,
): Promise<Started> => {
  const value = sessionCookie.read(cookie)
  const found = value === undefined ? undefined : await performed(sessions.find(value))
  if (found !== undefined && E.isRight(found)) {
    if (found.right.sub === sub) return { sid: found.right.sid, setCookies: [] }
    await performed(sessions.end(found.right.sid))
  }
  const started = await orThrow(sessions.start({ sub }), () => new errors.SessionNotFound('no session can start'))
  return { sid: started.session.sid, setCookies: [sessionCookie.write(started.cookie)] }
}
