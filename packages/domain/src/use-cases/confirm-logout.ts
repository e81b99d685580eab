import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/credential.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import {
  type ConfirmationGone,
  type LogoutOutcome,
  decideLogoutOutcome,
  confirmationGone,
} from '../logout/decide-logout-outcome.js'
import { type OfferedConfirmation, LogoutAnswer } from '../logout/logout-confirmation.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import {
  type LogoutFrame,
  type SessionApplication,
  framesOf,
  notificationsOf,
  notifiedOf,
} from '../logout/notified-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions, SessionChanged } from '../ports/end-user-sessions.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { LogoutConfirmations } from '../ports/logout-confirmations.js'
import type { LogoutElsewherePorts } from '../ports/logout-elsewhere.js'
import type { SessionTermination, WrittenNotifications } from '../ports/session-termination.js'
import type { Turns } from '../ports/turns.js'
import { type EndUserSession, withDeclined } from '../sessions/end-user-session.js'
import { confirmed } from './steps/confirmed.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { findApplications, findClients, findLiveSession } from './steps/find-session.js'

/** The submitted form of the confirmation page. */
export type ConfirmLogoutRequest = {
  readonly value: string | undefined
  readonly answer: string | undefined
  readonly sessionCookie: TokenHash | undefined
  /** The cookies that identify the browser: RequestLogout sets one or the other. */
  readonly confirmationCookies: ReadonlyArray<TokenHash>
  /** Whether another site sent the form. */
  readonly fromElsewhere: boolean
}

export type ConfirmLogoutPorts = Pick<ClientRegistry, 'findClients' | 'confirmReads'> &
  Pick<EndUserSessions, 'findSession' | 'replaceSession'> &
  SessionTermination &
  Pick<CredentialGenerator, 'now' | 'identifier'> &
  Pick<LogoutConfirmations, 'openConfirmation'> &
  Partial<LogoutElsewherePorts> &
  Turns

/** The page or the redirect after the answer. */
export type ConfirmedLogout = WrittenNotifications & {
  readonly answer: LogoutAnswer
  readonly location: string | undefined
  /** The client of the location. */
  readonly client: RegisteredClient | undefined
  /**
   * The applications that are notified of the end of the session, and the frames by which the browser notifies them.
   */
  readonly applications: ReadonlyArray<SessionApplication>
  readonly frames: ReadonlyArray<LogoutFrame>
  /** The logout at the OpenID provider that authenticated the end-user, of the session that ended. */
  readonly elsewhere: string | undefined
}

type Opened = { readonly confirmation: OfferedConfirmation; readonly answer: LogoutAnswer }

const open =
  (
    ports: Pick<LogoutConfirmations, 'openConfirmation'>,
    request: ConfirmLogoutRequest,
  ): TE.TaskEither<ConfirmationGone, Opened> =>
  async () => {
    const { value, answer, fromElsewhere } = request
    if (value === undefined || fromElsewhere || !LogoutAnswer.is(answer)) return E.left(confirmationGone)
    const confirmation = await ports.openConfirmation(value)()
    return O.isNone(confirmation) ? E.left(confirmationGone) : E.right({ confirmation: confirmation.value, answer })
  }

// The end of the session here never depends on it: where it cannot be read, it is not offered.
const findElsewhere =
  ({ findLogoutElsewhere }: Partial<LogoutElsewherePorts>) =>
  async ({ ends }: LogoutOutcome): Promise<string | undefined> => {
    if (ends === undefined || findLogoutElsewhere === undefined) return undefined
    const found = await findLogoutElsewhere(ends.sid)()
    return E.isRight(found) ? O.toUndefined(found.right) : undefined
  }

type FoundState = { readonly session: EndUserSession | undefined; readonly hasEnded: boolean }

/**
 * The session, and whether an answer to the page has ended one. A second click on "Sign out" finds what the first one
 * left, or the state before it, and never the session of before with the record of after.
 */
const findState =
  (ports: ConfirmLogoutPorts, { sessionCookie }: ConfirmLogoutRequest, at: EpochSeconds) =>
  ({ confirmation, answer }: Opened): TE.TaskEither<Unavailable, FoundState> =>
  async () => {
    const before = await ports.hasEnded(confirmation.id)()
    if (E.isLeft(before)) return before
    const session = await findLiveSession(ports, at)(O.fromNullable(sessionCookie))()
    if (E.isLeft(session)) return session
    if (answer === 'logout') return E.right({ session: session.right, hasEnded: before.right })
    // Who stays must not overlook an end of the meantime.
    const after = await ports.hasEnded(confirmation.id)()
    return E.isLeft(after) ? after : E.right({ session: session.right, hasEnded: after.right })
  }

const noneGaveWay: WrittenNotifications = { gaveWay: 0 }

const carryOut =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts, at: EpochSeconds) =>
  (
    { id, expires_at }: OfferedConfirmation,
    { ends, declines }: LogoutOutcome,
    applications: ReadonlyArray<SessionApplication>,
  ): TE.TaskEither<SessionChanged | Unavailable, WrittenNotifications> => {
    if (declines !== undefined)
      return pipe(
        ports.replaceSession(withDeclined({ confirmation: id, expires_at }, at)(declines), declines),
        TE.as(noneGaveWay),
      )
    // Without a session, nothing is written, so that requests without a sign-in add no rows: the answer may come again.
    if (ends === undefined) return confirmed(ports)(E.right(noneGaveWay))
    return ports.endSession({
      session: ends,
      notifications: notificationsOf(policy, applications, at, ports.identifier),
      notificationLimits: policy.notificationLimits,
      revokesOfflineAccess: policy.endsOfflineAccess,
      by: { confirmation: id, answered_at: at, expires_at },
    })
  }

const answerConfirmation =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts, request: ConfirmLogoutRequest, at: EpochSeconds) =>
  ({ confirmation, answer }: Opened): TE.TaskEither<ConfirmationGone | SessionChanged | Unavailable, ConfirmedLogout> =>
  async () => {
    const found = await findState(ports, request, at)({ confirmation, answer })()
    if (E.isLeft(found)) return found
    const clients = await findClients(ports)(
      confirmation.requested === undefined ? [] : [confirmation.requested.user.client_id],
    )()
    if (E.isLeft(clients)) return clients
    const [client] = clients.right
    const facts = { confirmation, answer, ...found.right, client, at }
    const outcome = decideLogoutOutcome({ ...facts, browsers: request.confirmationCookies })
    if (E.isLeft(outcome)) return outcome
    const applications = await findApplications(ports)(outcome.right.ends)()
    if (E.isLeft(applications)) return applications
    // It is removed with the session.
    const elsewhere = await findElsewhere(ports)(outcome.right)
    const written = await carryOut(policy, ports, at)(confirmation, outcome.right, applications.right)()
    if (E.isLeft(written)) return written
    return E.right({
      answer,
      location: outcome.right.location,
      client,
      applications: notifiedOf(applications.right, policy),
      frames: framesOf(applications.right, policy.issuer),
      elsewhere,
      gaveWay: written.right.gaveWay,
    })
  }

/**
 * Ends the session if the answer says so. The first answer to a confirmation page counts: the store records a declined
 * page with the session, and the page that ended a session with the end.
 */
export const confirmLogout =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts) =>
  (request: ConfirmLogoutRequest): TE.TaskEither<ConfirmationGone | Unavailable, ConfirmedLogout> =>
  async () => {
    const at = ports.now()
    const opened = await open(ports, request)()
    if (E.isLeft(opened)) return opened
    const answered = answerConfirmation(policy, ports, request, at)(opened.right)
    return serializeOnConflict(ports, `session ${request.sessionCookie}`)(answered)()
  }
