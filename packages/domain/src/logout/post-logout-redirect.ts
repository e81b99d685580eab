// Whether the end-user is redirected to the application after logout, and to which URI: OpenID RP-Initiated Logout §3.
import { type ApplicationType, answerWithState, redirectUriFault } from '../client/redirect-uri.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { RegistrationId } from '../client/registration-id.js'
import { isSuspended } from '../life-cycle/doors.js'
import { uriFault } from '../client/uri.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import type { RequestedRedirect, HintSubject } from './logout-confirmation.js'
import type { PostLogoutRedirectRefusal } from './post-logout-redirect-refusal.js'

// For a client that is not recorded in the session, the hint is compared with the session's sub and sid.
const namesFor = (
  registration_id: RegistrationId,
  { sub, sid, clients }: EndUserSession,
): Pick<HintSubject, 'sub' | 'sid'> =>
  clients.find((client) => client.registration_id === registration_id) ?? { sub, sid }

/** RP-Initiated Logout §2: whether the hint names the end-user and the session of this browser. */
const userFault = (
  { registration_id, sub, sid }: HintSubject,
  session: EndUserSession,
): PostLogoutRedirectRefusal | undefined => {
  const known = namesFor(registration_id, session)
  if (sub !== known.sub) return 'other_user'
  return sid === undefined || sid === known.sid || sid === session.sid ? undefined : 'other_session'
}

// The operator's policy applies at registration and update only.
const judgedAs = (applicationType: ApplicationType): ((uri: string) => RuleId | undefined) =>
  redirectUriFault({ applicationType, implicit: false, answer: answerWithState, schemes: 'any' })
const judged = { web: judgedAs('web'), native: judgedAs('native') }

// RP-Initiated Logout §3: compared byte for byte; the stored URI is judged by the present rules
const uriFaultFor = ({ metadata }: RegisteredClient, uri: string): PostLogoutRedirectRefusal | undefined => {
  if (metadata.post_logout_redirect_uris?.includes(uri) !== true) return 'unregistered_uri'
  const faultOfUri = uriFault(uri) ?? judged[metadata.application_type](uri)
  return faultOfUri === undefined ? undefined : 'refused_uri'
}

/** The present facts: the hint's client, and the session of the browser. */
export type PostLogoutRedirectFacts = {
  readonly client: RegisteredClient | undefined
  readonly session: EndUserSession | undefined
}

/** Why there is no post-logout redirect; undefined where there is one. */
export const postLogoutRedirectFault = (
  { user, uri }: RequestedRedirect,
  { client, session }: PostLogoutRedirectFacts,
): PostLogoutRedirectRefusal | undefined => {
  if (client === undefined || client.registration_id !== user.registration_id) return 'hint_audience'
  // A redirect sends the end-user to the application.
  if (isSuspended(client)) return 'client_suspended'
  return uriFaultFor(client, uri) ?? (session === undefined ? undefined : userFault(user, session))
}

// RFC 3986 §3.3, §3.4: a path may end with &, and a query with ?, as part of its last parameter
const separatorFor = (uri: string): string => {
  const start = uri.indexOf('?')
  if (start === -1) return '?'
  return start === uri.length - 1 || uri.endsWith('&') ? '' : '&'
}

/** The registered URI, with the state as one parameter: OpenID RP-Initiated Logout §3. */
export const locationOf = ({ uri, state }: Pick<RequestedRedirect, 'uri' | 'state'>): string =>
  state === undefined ? uri : `${uri}${separatorFor(uri)}state=${encodeURIComponent(state)}`
