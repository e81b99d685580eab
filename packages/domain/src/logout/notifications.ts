// How clients are told that a session ended: by which notifications, and when each is tried again and given up.
import * as t from 'io-ts'
import { ClientId, RegistrationId } from '../client/ids.js'
import { originOf, webUriFault } from '../client/uris.js'
import { EpochSeconds, earlier, secondsAfter } from '../kernel/time.js'
import { record, recordWith } from '../kernel/values.js'
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

// The result of a delivery attempt: delivered, repeated later, or given up. Back-Channel Logout §2.8.

export type DeliveryPolicy = {
  /** The maximum number of attempts; after these, the notification has failed. */
  readonly maxTries: number
  /** Seconds before the second attempt; each further wait is twice as long. */
  readonly firstWait: number
  /** The maximum wait in seconds. */
  readonly maxWait: number
  /** Seconds before an unsent notification is attempted again: a quarter of its age, within these bounds. */
  readonly minUnsentWait: number
  readonly maxUnsentWait: number
  /** Seconds after which an undelivered notification is removed. */
  readonly maxAge: number
  /** The maximum number of notifications that a pass claims. */
  readonly maxInPass: number
  /** Seconds after which a pass begins no further attempt; the rest of its notifications are postponed. */
  readonly passLength: number
  /**
   * Seconds for which a dispatcher has its claims. They exceed the sum of a pass, the longest attempt, which may begin
   * at its end, and the clock difference of two instances, so that no other dispatcher repeats an attempt that is under
   * way.
   */
  readonly claimLength: number
  /** The number of receivers that are notified concurrently. */
  readonly concurrency: number
}

const day = 86_400

/** Nine attempts in four hours; failed notifications are listed for a month. */
export const defaultDelivery: DeliveryPolicy = {
  maxTries: 9,
  firstWait: 60,
  maxWait: 7_200,
  minUnsentWait: 10,
  maxUnsentWait: 300,
  maxAge: 30 * day,
  maxInPass: 500,
  passLength: 5,
  claimLength: 30,
  concurrency: 16,
}

export type DeliveryResult =
  /** The receiver's response, with the seconds of its Retry-After. */
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: number | undefined }
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** It cannot be sent, now or later. */
  | { readonly kind: 'impossible'; readonly reason: string }
  /** This service could not connect, or its name servers did not answer: the receiver is not the cause. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** There was no token to send. */
  | { readonly kind: 'unsigned'; readonly reason: string }
  /** It cannot be sent before the time. */
  | { readonly kind: 'too_early'; readonly until: EpochSeconds; readonly reason: string }

export type AttemptedNotification =
  | { readonly id: string; readonly kind: 'delivered' }
  | {
      readonly id: string
      readonly kind: 'later' | 'failed'
      readonly attempts: number
      readonly due_at: EpochSeconds
      readonly note: string
    }

// RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4, and the 5xx: possibly temporary
const mayPass = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

// Back-Channel Logout §2.8: 200, or 204 as some receivers send, confirms the logout
const isDone = (status: number): boolean => status === 200 || status === 204

/** Whether the receiver is down, so that other notifications would fail as well. */
const isDown = (result: DeliveryResult): boolean =>
  result.kind === 'unanswered' || (result.kind === 'answered' && mayPass(result.status))

const noteOf = (result: DeliveryResult): string => {
  if (result.kind === 'answered') return `the status was ${result.status}`
  return result.kind === 'unsent' ? `not sent: ${result.reason}` : result.reason
}

// Back-Channel Logout §2.5: a logout token is repeated only after a possibly temporary failure
const isFinal = (result: DeliveryResult): boolean =>
  result.kind === 'impossible' || (result.kind === 'answered' && !mayPass(result.status))

// RFC 9110 §10.2.3: the receiver's Retry-After, within the maximum; each failure at the receiver doubles the wait.
const dueAgain = (
  { firstWait, maxWait }: DeliveryPolicy,
  at: EpochSeconds,
  entries: ReadonlyArray<PendingNotification>,
  result: DeliveryResult,
): EpochSeconds => {
  const retryAfter = result.kind === 'answered' ? (result.retryAfter ?? 0) : 0
  const failures = entries.reduce((sum, { attempts }) => sum + attempts, 0)
  return secondsAfter(at, Math.min(maxWait, Math.max(retryAfter, firstWait * 2 ** failures)))
}

// The wait grows with the age of the notification, because these attempts are not counted.
const dueUnsent = (
  { minUnsentWait, maxUnsentWait }: DeliveryPolicy,
  at: EpochSeconds,
  { created_at }: PendingNotification,
): EpochSeconds => secondsAfter(at, Math.min(maxUnsentWait, Math.max(minUnsentWait, Math.ceil((at - created_at) / 4))))

/** The notification, due at another time; this does not count as an attempt. */
export const postpone =
  (due_at: EpochSeconds, note?: string) =>
  (entry: PendingNotification): AttemptedNotification => ({
    id: entry.id,
    kind: 'later',
    attempts: entry.attempts,
    due_at,
    note: note ?? entry.note,
  })

/** The notification after a result that does not count as an attempt; undefined where the result counts. */
const decideUntried = (
  policy: DeliveryPolicy,
  at: EpochSeconds,
  entry: PendingNotification,
  result: DeliveryResult,
): AttemptedNotification | undefined => {
  switch (result.kind) {
    case 'too_early':
      return postpone(earlier(result.until, secondsAfter(at, policy.maxWait)), noteOf(result))(entry)
    case 'unsent':
    case 'unsigned':
      return postpone(dueUnsent(policy, at, entry), noteOf(result))(entry)
    case 'answered':
    case 'unanswered':
    case 'impossible':
      return undefined
  }
}

/**
 * The notification after one more attempt. `others` are due at the same receiver: each failure among them makes the
 * wait longer.
 */
export const decideDelivery =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  (
    entry: PendingNotification,
    result: DeliveryResult,
    others: ReadonlyArray<PendingNotification> = [],
  ): AttemptedNotification => {
    if (result.kind === 'answered' && isDone(result.status)) return { id: entry.id, kind: 'delivered' }
    const untried = decideUntried(policy, at, entry, result)
    if (untried !== undefined) return untried
    const note = noteOf(result)
    const attempts = entry.attempts + 1
    return isFinal(result) || attempts >= policy.maxTries
      ? { id: entry.id, kind: 'failed', attempts, due_at: at, note }
      : { id: entry.id, kind: 'later', attempts, due_at: dueAgain(policy, at, [entry, ...others], result), note }
  }

/**
 * The other notifications to the receiver after the attempt, which does not count for them: they wait when the receiver
 * is down or could not be reached. Undefined where they are attempted as well.
 */
export const decideOthers =
  (policy: DeliveryPolicy, at: EpochSeconds) =>
  (
    entry: PendingNotification,
    result: DeliveryResult,
    others: ReadonlyArray<PendingNotification>,
  ): ReadonlyArray<AttemptedNotification> | undefined => {
    if (result.kind === 'unsent')
      return others.map((other) => postpone(dueUnsent(policy, at, other), noteOf(result))(other))
    return isDown(result)
      ? others.map(
          postpone(dueAgain(policy, at, [entry, ...others], result), `waits for its receiver: ${noteOf(result)}`),
        )
      : undefined
  }

/** A logout notification for operators, without the end-user. */
export const NotificationDescription = recordWith(
  'NotificationDescription',
  {
    id: t.string,
    client_id: ClientId,
    /** The backchannel_logout_uri. */
    uri: t.string,
    state: t.keyof({ waits: null, failed: null }),
    created_at: EpochSeconds,
    attempts: t.number,
    /** Why it is not delivered yet; empty before the first attempt. */
    note: t.string,
  },
  /** The time of the next attempt, if there is one. */
  { due_at: EpochSeconds },
)
export interface NotificationDescription extends t.TypeOf<typeof NotificationDescription> {}

/** The reason when no notification is delivered. */
export const deliveryIsOff = 'outbound-fetches is off'

export const describeNotification =
  ({ delivers }: { readonly delivers: boolean }) =>
  ({
    id,
    client_id,
    uri,
    created_at,
    attempts,
    note,
    failed,
    due_at,
  }: PendingNotification): NotificationDescription => {
    const reported = { id, client_id, uri, created_at, attempts }
    if (failed) return { ...reported, state: 'failed', note }
    return delivers
      ? { ...reported, state: 'waits', note, due_at }
      : { ...reported, state: 'waits', note: deliveryIsOff }
  }
