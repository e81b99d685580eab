// The applications that can be told of the end of a session: OpenID Back-Channel and Front-Channel Logout.
import type { RegisteredClient } from '../registration/registered-client.js'
import { originOf, webUriFault } from '../client/uri.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { EndUserSession, SessionClient } from '../sessions/end-user-session.js'
import type { LogoutNotice } from './logout-notice.js'
import type { LogoutPolicy } from './logout-policy.js'

/** A client of the session with its registration as it is now. */
export type SessionApplication = { readonly client: RegisteredClient; readonly names: SessionClient }

export const applicationsOf = (
  session: EndUserSession | undefined,
  clients: ReadonlyArray<RegisteredClient>,
): ReadonlyArray<SessionApplication> =>
  (session?.clients ?? []).flatMap((names) => {
    const client = clients.find(({ client_id }) => client_id === names.client_id)
    return client === undefined ? [] : [{ client, names }]
  })

// Back-Channel Logout §2.4 and §2.6: signed as ID tokens are, and never with none; OpenID Registration §2 has the default
const logoutTokenAlg = (idTokenAlg: string): string => (idTokenAlg === 'none' ? 'RS256' : idTokenAlg)

/** Back-Channel Logout §2.5: what is owed to each application that takes logout tokens; nothing where none is sent. */
export const noticesOf = (
  { backchannel }: Pick<LogoutPolicy, 'backchannel'>,
  applications: ReadonlyArray<SessionApplication>,
  at: EpochSeconds,
  identifier: () => string,
): ReadonlyArray<LogoutNotice> =>
  (backchannel ? applications : []).flatMap(({ client: { client_id, metadata }, names: { sub, sid } }) =>
    metadata.backchannel_logout_uri === undefined
      ? []
      : [
          {
            id: identifier(),
            client_id,
            uri: metadata.backchannel_logout_uri,
            alg: logoutTokenAlg(metadata.id_token_signed_response_alg),
            sub,
            sid,
            created_at: at,
          },
        ],
  )

/** So many frames a page loads at most: each also stands in a header. */
const mostFrames = 30

export type LogoutFrame = { readonly application: SessionApplication; readonly uri: string; readonly origin: string }

// Front-Channel Logout §2: iss and sid are added where the client asked for them, and its own query stays
const withNames = (uri: string, issuer: string, sid: string): string =>
  `${uri}${uri.includes('?') ? '&' : '?'}iss=${encodeURIComponent(issuer)}&sid=${encodeURIComponent(sid)}`

// CSP Level 3 §2.3.1: a host source has no brackets. And nobody frames the provider itself from its own page.
const canBeFramed = (uri: string, issuer: string): boolean =>
  webUriFault(uri) === undefined && !uri.includes('[') && originOf(uri) !== originOf(issuer)

const frameOf = (application: SessionApplication, issuer: string): LogoutFrame | undefined => {
  const { client, names } = application
  const uri = client.metadata.frontchannel_logout_uri
  // What was stored under older rules is judged by those of today.
  if (uri === undefined || !canBeFramed(uri, issuer)) return undefined
  const asksForNames = client.metadata.frontchannel_logout_session_required === true
  return { application, uri: asksForNames ? withNames(uri, issuer, names.sid) : uri, origin: originOf(uri) }
}

/** Front-Channel Logout §3: what the browser loads to tell the applications. */
export const framesOf = (applications: ReadonlyArray<SessionApplication>, issuer: string): ReadonlyArray<LogoutFrame> =>
  applications.flatMap((application) => frameOf(application, issuer) ?? []).slice(0, mostFrames)

/** Those that are told of the end of the session, by a logout token or by a frame. */
export const toldOf = (
  applications: ReadonlyArray<SessionApplication>,
  { issuer, backchannel }: Pick<LogoutPolicy, 'issuer' | 'backchannel'>,
): ReadonlyArray<SessionApplication> => {
  const framed = framesOf(applications, issuer).map(({ application }) => application)
  const takesTokens = ({ client }: SessionApplication): boolean => client.metadata.backchannel_logout_uri !== undefined
  return applications.filter((each) => (backchannel && takesTokens(each)) || framed.includes(each))
}
