import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import {
  type DialogGone,
  type LogoutOutcome,
  decideLogoutOutcome,
  dialogGone,
} from '../logout/decide-logout-outcome.js'
import { type OfferedDialog, LogoutAnswer } from '../logout/logout-dialog.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { type LogoutFrame, type SessionApplication, framesOf, noticesOf, toldOf } from '../logout/told-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions, SessionChanged } from '../ports/end-user-sessions.js'
import type { Fresh } from '../ports/fresh.js'
import type { LogoutDialogs } from '../ports/logout-dialogs.js'
import type { Logouts, WrittenNotices } from '../ports/logouts.js'
import type { Turns } from '../ports/turns.js'
import { withDeclined } from '../sessions/end-user-session.js'
import { inTurnWhenChanged } from './steps/again-when-changed.js'
import { findApplications, findClients, findLiveSession } from './steps/find-session.js'

/** The form of the dialog, as it came back. */
export type ConfirmLogoutRequest = {
  readonly value: string | undefined
  readonly answer: string | undefined
  readonly sessionCookie: TokenHash | undefined
  /** Those that tell which browser it is: RequestLogout gives one or the other. */
  readonly dialogCookies: ReadonlyArray<TokenHash>
  /** Whether the form was sent by another site. */
  readonly fromElsewhere: boolean
}

export type ConfirmLogoutPorts = Pick<ClientRegistry, 'findClients'> &
  Pick<EndUserSessions, 'findSession' | 'replaceSession'> &
  Logouts &
  Pick<Fresh, 'now' | 'identifier'> &
  Pick<LogoutDialogs, 'openDialog'> &
  Turns

/** What the browser is shown, or where it is sent, after the answer. */
export type ConfirmedLogout = WrittenNotices & {
  readonly answer: LogoutAnswer
  readonly location: string | undefined
  /** The client that the location belongs to. */
  readonly client: RegisteredClient | undefined
  /** The applications that are told of the end of the session, and what the browser loads to tell them. */
  readonly applications: ReadonlyArray<SessionApplication>
  readonly frames: ReadonlyArray<LogoutFrame>
}

type Opened = { readonly dialog: OfferedDialog; readonly answer: LogoutAnswer }

const open =
  (ports: Pick<LogoutDialogs, 'openDialog'>, request: ConfirmLogoutRequest): TE.TaskEither<DialogGone, Opened> =>
  async () => {
    const { value, answer, fromElsewhere } = request
    if (value === undefined || fromElsewhere || !LogoutAnswer.is(answer)) return E.left(dialogGone)
    const dialog = await ports.openDialog(value)()
    return O.isNone(dialog) ? E.left(dialogGone) : E.right({ dialog: dialog.value, answer })
  }

const noneGaveWay: WrittenNotices = { gaveWay: 0 }

const carryOut =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts, at: EpochSeconds) =>
  (
    { id, expires_at }: OfferedDialog,
    { ends, declines }: LogoutOutcome,
    applications: ReadonlyArray<SessionApplication>,
  ): TE.TaskEither<SessionChanged | Unavailable, WrittenNotices> => {
    if (declines !== undefined)
      return pipe(
        ports.replaceSession(withDeclined({ dialog: id, expires_at }, at)(declines), declines),
        TE.as(noneGaveWay),
      )
    // Without a session nothing can end, and nothing is written, so that no row is made for an end-user who is not signed in.
    if (ends === undefined) return TE.right(noneGaveWay)
    return ports.endSession({
      session: ends,
      notices: noticesOf(policy, applications, at, ports.identifier),
      noticeLimits: policy.noticeLimits,
      revokesOfflineAccess: policy.endsOfflineAccess,
      by: { dialog: id, answered_at: at, expires_at },
    })
  }

const answerDialog =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts, request: ConfirmLogoutRequest, at: EpochSeconds) =>
  ({ dialog, answer }: Opened): TE.TaskEither<DialogGone | SessionChanged | Unavailable, ConfirmedLogout> =>
  async () => {
    const session = await findLiveSession(ports, at)(O.fromNullable(request.sessionCookie))()
    if (E.isLeft(session)) return session
    const clients = await findClients(ports)(dialog.asked === undefined ? [] : [dialog.asked.user.client_id])()
    if (E.isLeft(clients)) return clients
    const [client] = clients.right
    const hasEnded = await ports.hasEnded(dialog.id)()
    if (E.isLeft(hasEnded)) return hasEnded
    const facts = { dialog, answer, session: session.right, client, hasEnded: hasEnded.right, at }
    const outcome = decideLogoutOutcome({ ...facts, browsers: request.dialogCookies })
    if (E.isLeft(outcome)) return outcome
    const applications = await findApplications(ports)(outcome.right.ends)()
    if (E.isLeft(applications)) return applications
    const written = await carryOut(policy, ports, at)(dialog, outcome.right, applications.right)()
    if (E.isLeft(written)) return written
    return E.right({
      answer,
      location: outcome.right.location,
      client,
      applications: toldOf(applications.right, policy),
      frames: framesOf(applications.right, policy.issuer),
      gaveWay: written.right.gaveWay,
    })
  }

/**
 * Ends the session, if that is the answer. The first answer to a dialog holds: the session remembers a dialog that was
 * declined, and its end the dialog that ended it.
 */
export const confirmLogout =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts) =>
  (request: ConfirmLogoutRequest): TE.TaskEither<DialogGone | Unavailable, ConfirmedLogout> =>
  async () => {
    const at = ports.now()
    const opened = await open(ports, request)()
    if (E.isLeft(opened)) return opened
    const answered = answerDialog(policy, ports, request, at)(opened.right)
    return inTurnWhenChanged(ports, `session ${request.sessionCookie}`)(answered)()
  }
