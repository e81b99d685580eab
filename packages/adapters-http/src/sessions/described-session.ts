import { type EndUserSession, type SessionClient, sessionEnd } from '@clientele/domain/logout'

/** A client of a session for the login system. */
export const describedClient = ({ client_id, sub, sid }: SessionClient): object => ({ client_id, sub, sid })

/** A session for the login system; `ends_at` is the time at which it ends without further use. */
export const describedSession = (session: EndUserSession): object => ({
  sid: session.sid,
  sub: session.sub,
  auth_time: session.auth_time,
  used_at: session.used_at,
  idle_lifetime: session.idle_lifetime,
  expires_at: session.expires_at,
  ends_at: sessionEnd(session),
  clients: session.clients.map(describedClient),
})
