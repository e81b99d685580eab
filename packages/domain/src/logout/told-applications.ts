// The applications that can be told of the end of a session: OpenID Back-Channel and Front-Channel Logout.
import type { RegisteredClient } from '../client/registered-client.js'
import { originOf, webUriFault } from '../client/uri.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { EndUserSession, SessionClient } from '../sessions/end-user-session.js'
import type { LogoutNotice } from './logout-notice.js'

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

export const canBeTold = ({ client: { metadata } }: SessionApplication): boolean =>
  metadata.backchannel_logout_uri !== undefined || metadata.frontchannel_logout_uri !== undefined

// Back-Channel Logout §2.4 and §2.6: signed as ID tokens are, and never with none; OpenID Registration §2 has the default
const logoutTokenAlg = (idTokenAlg: string): string => (idTokenAlg === 'none' ? 'RS256' : idTokenAlg)

/** Back-Channel Logout §2.5: what is owed to each application that takes logout tokens. */
export const noticesOf = (
  applications: ReadonlyArray<SessionApplication>,
  at: EpochSeconds,
  identifier: () => string,
): ReadonlyArray<LogoutNotice> =>
  applications.flatMap(({ client: { client_id, metadata }, names: { sub, sid } }) =>
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

export type LogoutFrame = { readonly uri: string; readonly origin: string }

// Front-Channel Logout §2: iss and sid are added where the client asked for them, and its own query stays
const withNames = (uri: string, issuer: string, sid: string): string =>
  `${uri}${uri.includes('?') ? '&' : '?'}iss=${encodeURIComponent(issuer)}&sid=${encodeURIComponent(sid)}`

const frameOf = (
  { client: { metadata }, names: { sid } }: SessionApplication,
  issuer: string,
): LogoutFrame | undefined => {
  const uri = metadata.frontchannel_logout_uri
  // What was stored under older rules is judged by those of today.
  if (uri === undefined || webUriFault(uri) !== undefined) return undefined
  const asksForNames = metadata.frontchannel_logout_session_required === true
  return { uri: asksForNames ? withNames(uri, issuer, sid) : uri, origin: originOf(uri) }
}

/** Front-Channel Logout §3: what the browser loads to tell the applications. */
export const framesOf = (applications: ReadonlyArray<SessionApplication>, issuer: string): ReadonlyArray<LogoutFrame> =>
  applications.flatMap((application) => frameOf(application, issuer) ?? []).slice(0, mostFrames)
