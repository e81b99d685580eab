// How clients are told that a session ended.
import * as t from 'io-ts'
import { ClientId, RegistrationId } from '../client/ids.js'
import { originOf, webUriFault } from '../client/uris.js'
import { EpochSeconds, secondsAfter } from '../kernel/time.js'
import { record } from '../kernel/values.js'
import type { KeyPolicy } from '../keys/ring.js'
import { type UnsignedToken, ownTokenTypes } from '../keys/signing.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import { type EndUserSession, type SessionClient, Subject } from './sessions.js'

/**
 * The maximum numbers of pending logout notifications. Above them, the oldest of the client, or of all, are removed.
 */
export type NotificationLimits = { readonly maxPerClient: number; readonly maxInAll: number }

/**
 * An application that is down for hours loses no notification, and repeated sign-ins and logouts do not fill the disk.
 */
export const defaultNotificationLimits: NotificationLimits = { maxPerClient: 10_000, maxInAll: 100_000 }

/** The operator's settings for logout. */
export type LogoutPolicy = {
  /** The provider: the claim iss of its ID tokens. */
  readonly issuer: string
  /** Seconds for which an expired hint is accepted; 0 for unlimited. */
  readonly hintMaxAge: number
  /** Seconds in which the confirmation page can be answered. */
  readonly confirmationLifetime: number
  /** Whether logout tokens are sent to applications. */
  readonly backchannel: boolean
  readonly notificationLimits: NotificationLimits
  /** Whether authorizations for offline access end with their session. */
  readonly endsOfflineAccess: boolean
}

// A logout notification and the result of its delivery: OpenID Back-Channel Logout §2.

/** One logout token for one client, to be delivered. The token itself is made for each attempt. */
export const LogoutNotification = record('LogoutNotification', {
  /** Random; names the notification to the operator. */
  id: t.string,
  client_id: ClientId,
  registration_id: RegistrationId,
  /** The backchannel_logout_uri at the time when the session ended. */
  uri: t.string,
  /** The algorithm of the client's ID tokens, and therefore of its logout tokens. */
  alg: t.string,
  sub: Subject,
  sid: Subject,
  created_at: EpochSeconds,
})
export interface LogoutNotification extends t.TypeOf<typeof LogoutNotification> {}

/** The receiver: one scheme, host and port, for all clients and paths. */
export const receiverOf = ({ uri }: Pick<LogoutNotification, 'uri'>): string => originOf(uri)

/** A notification that is not delivered yet. */
export const PendingNotification = t.readonly(
  t.intersection([
    LogoutNotification,
    t.exact(
      t.type({
        attempts: t.number,
        /** The time of the next attempt; unused after it has failed. */
        due_at: EpochSeconds,
        /** Given up: only a request of the operator repeats it. */
        failed: t.boolean,
        /** Why the last attempt failed; empty before the first. */
        note: t.string,
      }),
    ),
  ]),
  'PendingNotification',
)
export interface PendingNotification extends t.TypeOf<typeof PendingNotification> {}

/** Back-Channel Logout §2.4: at most two minutes into the future. */
const maxLifetime = 120

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Back-Channel Logout §2.4: the claims of the logout token; the signer adds iss, iat and exp. There is no nonce, so
 * that the token cannot pass for an ID token.
 */
export const logoutToken = (
  { retention }: Pick<KeyPolicy, 'retention'>,
  { alg, client_id, sub, sid }: LogoutNotification,
  jti: string,
  at: EpochSeconds,
): UnsignedToken => ({
  alg,
  typ: ownTokenTypes.logoutToken,
  claims: { aud: client_id, jti, sub, sid, events: { [logoutEvent]: {} } },
  expiresAt: secondsAfter(at, Math.min(maxLifetime, retention)),
})

// The applications that are notified of the end of a session: OpenID Back-Channel and Front-Channel Logout.

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
