import { type EndUserSession, endOf } from '@clientele/domain'

/** A session as the login system sees it; `ends_at` is when it is over if it is not used any more. */
export const describedSession = (session: EndUserSession): object => ({
  sid: session.sid,
  sub: session.sub,
  auth_time: session.auth_time,
  used_at: session.used_at,
  idle_lifetime: session.idle_lifetime,
  expires_at: session.expires_at,
  ends_at: endOf(session),
  clients: session.clients,
})
