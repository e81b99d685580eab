import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { DialogGone, LogoutOutcome } from '../logout/decide-logout-outcome.js'
import { decideLogoutOutcome, dialogGone } from '../logout/decide-logout-outcome.js'
import type { OfferedDialog } from '../logout/logout-dialog.js'
import { LogoutAnswer } from '../logout/logout-dialog.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import type { LogoutFrame, SessionApplication } from '../logout/told-applications.js'
import { framesOf, noticesOf, toldOf } from '../logout/told-applications.js'
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
  (ports: Pick<LogoutDialogs, 'openDialog'>) =>
  ({ value, answer, fromElsewhere }: ConfirmLogoutRequest): TE.TaskEither<DialogGone, Opened> =>
    pipe(
      TE.fromNullable(dialogGone)(fromElsewhere ? undefined : value),
      TE.flatMap((text) => TE.fromTaskOption(() => dialogGone)(ports.openDialog(text))),
      TE.bindTo('dialog'),
      TE.bind('answer', () => TE.fromOption(() => dialogGone)(O.fromEither(LogoutAnswer.decode(answer)))),
    )

type Confirming = {
  readonly policy: LogoutPolicy
  readonly ports: ConfirmLogoutPorts
  readonly request: ConfirmLogoutRequest
  readonly at: EpochSeconds
}

type Decided = {
  readonly outcome: LogoutOutcome
  readonly client: RegisteredClient | undefined
  /** Those of the session that ends. */
  readonly applications: ReadonlyArray<SessionApplication>
}

const decide =
  ({ ports, request, at }: Confirming) =>
  (opened: Opened): TE.TaskEither<DialogGone | Unavailable, Decided> =>
    pipe(
      findLiveSession(ports, at)(O.fromNullable(request.sessionCookie)),
      TE.bindTo('session'),
      TE.bind('clients', () => findClients(ports)([opened.dialog.asked?.user.client_id ?? []].flat())),
      TE.bind('hasEnded', () => ports.hasEnded(opened.dialog.id)),
      TE.bindW('outcome', ({ session, hasEnded, clients: [client] }) =>
        TE.fromEither(
          decideLogoutOutcome({ ...opened, session, client, hasEnded, browsers: request.dialogCookies, at }),
        ),
      ),
      TE.bindW('applications', ({ outcome }) => findApplications(ports)(outcome.ends)),
      TE.map(({ clients: [client], outcome, applications }) => ({ client, outcome, applications })),
    )

const noneGaveWay: WrittenNotices = { gaveWay: 0 }

const carryOut =
  ({ policy, ports, at }: Confirming, { dialog }: Opened) =>
  ({
    outcome: { ends, declines },
    applications,
  }: Decided): TE.TaskEither<SessionChanged | Unavailable, WrittenNotices> => {
    const { id, expires_at } = dialog
    if (declines !== undefined)
      return pipe(
        ports.replaceSession(withDeclined({ dialog: id, expires_at }, at)(declines), declines),
        TE.as(noneGaveWay),
      )
    // Without a session nothing can end, and nothing is written, so that no row is made for anybody who is not signed in.
    if (ends === undefined) return TE.right(noneGaveWay)
    return ports.endSession({
      session: ends,
      notices: noticesOf(policy, applications, at, ports.identifier),
      noticeLimits: policy.noticeLimits,
      revokesOfflineAccess: policy.endsOfflineAccess,
      by: { dialog: id, answered_at: at, expires_at },
    })
  }

const confirmed =
  (policy: LogoutPolicy, answer: LogoutAnswer) =>
  ({ outcome: { location }, client, applications, gaveWay }: Decided & WrittenNotices): ConfirmedLogout => ({
    answer,
    location,
    client,
    applications: toldOf(applications, policy),
    frames: framesOf(applications, policy.issuer),
    gaveWay,
  })

/**
 * Ends the session, if that is the answer. The first answer to a dialog holds: the session remembers a dialog that was
 * declined, and its end the dialog that ended it.
 */
export const confirmLogout =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts) =>
  (request: ConfirmLogoutRequest): TE.TaskEither<DialogGone | Unavailable, ConfirmedLogout> => {
    const confirming = { policy, ports, request, at: ports.now() }
    return pipe(
      open(ports)(request),
      TE.flatMap((opened) =>
        pipe(
          decide(confirming)(opened),
          TE.flatMap((decided) =>
            pipe(
              carryOut(confirming, opened)(decided),
              TE.map(({ gaveWay }) => ({ ...decided, gaveWay })),
            ),
          ),
          TE.map(confirmed(policy, opened.answer)),
          inTurnWhenChanged(ports, `session ${request.sessionCookie}`),
        ),
      ),
    )
  }
