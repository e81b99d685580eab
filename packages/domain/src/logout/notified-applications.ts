// The applications that are notified of the end of a session: OpenID Back-Channel and Front-Channel Logout.
import type { RegisteredClient } from '../registration/registered-client.js'
import { originOf, webUriFault } from '../client/uri.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { EndUserSession, SessionClient } from '../sessions/end-user-session.js'
import type { LogoutNotification } from './logout-notification.js'
import type { LogoutPolicy } from './logout-policy.js'

/** A client of the session, with its present metadata. */
export type SessionApplication = { readonly client: RegisteredClient; readonly names: SessionClient }

export const applicationsOf = (
  session: EndUserSession | undefined,
  clients: ReadonlyArray<RegisteredClient>,
): ReadonlyArray<SessionApplication> =>
  (session?.clients ?? []).flatMap((names) => {
    const client = clients.find(({ registration_id }) => registration_id === names.registration_id)
    return client === undefined ? [] : [{ client, names }]
  })

// Back-Channel Logout §2.4 and §2.6: signed as ID tokens are, but never with none; OpenID Registration §2 has the
// default
const logoutTokenAlg = (idTokenAlg: string): string => (idTokenAlg === 'none' ? 'RS256' : idTokenAlg)

/**
 * Back-Channel Logout §2.5: the notifications to the applications that accept logout tokens; empty when none are sent.
 */
export const notificationsOf = (
  { backchannel }: Pick<LogoutPolicy, 'backchannel'>,
  applications: ReadonlyArray<SessionApplication>,
  at: EpochSeconds,
  identifier: () => string,
): ReadonlyArray<LogoutNotification> =>
  (backchannel ? applications : []).flatMap(
    ({ client: { client_id, registration_id, metadata }, names: { sub, sid } }) =>
      metadata.backchannel_logout_uri === undefined
        ? []
        : [
            {
              id: identifier(),
              client_id,
              registration_id,
              uri: metadata.backchannel_logout_uri,
              alg: logoutTokenAlg(metadata.id_token_signed_response_alg),
              sub,
              sid,
              created_at: at,
            },
          ],
  )

/** The maximum number of frames on a page: each also needs an entry in a header. */
const maxFrames = 30

export type LogoutFrame = { readonly application: SessionApplication; readonly uri: string; readonly origin: string }

// Front-Channel Logout §2: iss and sid are added when the client requires them; its own query is preserved
const withNames = (uri: string, issuer: string, sid: string): string =>
  `${uri}${uri.includes('?') ? '&' : '?'}iss=${encodeURIComponent(issuer)}&sid=${encodeURIComponent(sid)}`

// CSP Level 3 §2.3.1: a host source has no brackets. The provider's own origin is not framed either.
const canBeFramed = (uri: string, issuer: string): boolean =>
  webUriFault(uri) === undefined && !uri.includes('[') && originOf(uri) !== originOf(issuer)

const frameOf = (application: SessionApplication, issuer: string): LogoutFrame | undefined => {
  const { client, names } = application
  const uri = client.metadata.frontchannel_logout_uri
  // The stored URI is judged by the present rules.
  if (uri === undefined || !canBeFramed(uri, issuer)) return undefined
  const asksForNames = client.metadata.frontchannel_logout_session_required === true
  return { application, uri: asksForNames ? withNames(uri, issuer, names.sid) : uri, origin: originOf(uri) }
}

/** Front-Channel Logout §3: the frames by which the browser notifies the applications. */
export const framesOf = (applications: ReadonlyArray<SessionApplication>, issuer: string): ReadonlyArray<LogoutFrame> =>
  applications.flatMap((application) => frameOf(application, issuer) ?? []).slice(0, maxFrames)

/** The applications that are notified by a logout token or by a frame. */
export const notifiedOf = (
  applications: ReadonlyArray<SessionApplication>,
  { issuer, backchannel }: Pick<LogoutPolicy, 'issuer' | 'backchannel'>,
): ReadonlyArray<SessionApplication> => {
  const framed = framesOf(applications, issuer).map(({ application }) => application)
  const takesTokens = ({ client }: SessionApplication): boolean => client.metadata.backchannel_logout_uri !== undefined
  return applications.filter((each) => (backchannel && takesTokens(each)) || framed.includes(each))
}
