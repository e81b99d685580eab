import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { RegisteredClient } from '../client/registered-client.js'
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
import type { HeldAnswer, Logouts } from '../ports/logouts.js'
import { againWhenChanged } from './steps/again-when-changed.js'
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

export type ConfirmLogoutPorts = Pick<ClientRegistry, 'findClient'> &
  Pick<EndUserSessions, 'findSession'> &
  Pick<Logouts, 'answerDialog'> &
  Pick<Fresh, 'now' | 'identifier'> &
  Pick<LogoutDialogs, 'openDialog'>

/** What the browser is shown or where it is sent, after the answer that holds. */
export type ConfirmedLogout = {
  readonly answer: LogoutAnswer
  readonly location: string | undefined
  /** The client that the location belongs to. */
  readonly client: RegisteredClient | undefined
  /** The applications that are told of the end of the session, and what the browser loads to tell them. */
  readonly applications: ReadonlyArray<SessionApplication>
  readonly frames: ReadonlyArray<LogoutFrame>
}

type Opened = { readonly dialog: OfferedDialog; readonly answer: LogoutAnswer }

type Read = Opened & {
  readonly client: RegisteredClient | undefined
  readonly applications: ReadonlyArray<SessionApplication>
  readonly outcome: LogoutOutcome
}

const open =
  (ports: Pick<LogoutDialogs, 'openDialog'>) =>
  ({ value, answer, fromElsewhere }: ConfirmLogoutRequest): E.Either<DialogGone, Opened> =>
    pipe(
      O.fromNullable(fromElsewhere ? undefined : value),
      O.flatMap((text) => ports.openDialog(text)()),
      O.bindTo('dialog'),
      O.bind('answer', () => O.fromEither(LogoutAnswer.decode(answer))),
      E.fromOption(() => dialogGone),
    )

type Confirming = {
  readonly policy: LogoutPolicy
  readonly ports: ConfirmLogoutPorts
  readonly request: ConfirmLogoutRequest
  readonly at: EpochSeconds
}

const liveSession = ({ ports, request, at }: Confirming) =>
  findLiveSession(ports, at)(O.fromNullable(request.sessionCookie))

const readFacts =
  (confirming: Confirming) =>
  (opened: Opened): TE.TaskEither<DialogGone | Unavailable, Read> => {
    const { ports, request, at } = confirming
    return pipe(
      liveSession(confirming),
      TE.bindTo('session'),
      TE.bind('clients', () => findClients(ports)([opened.dialog.asked?.user.client_id ?? []].flat())),
      TE.bindW('outcome', ({ session, clients: [client] }) =>
        TE.fromEither(decideLogoutOutcome({ ...opened, session, client, browsers: request.dialogCookies, at })),
      ),
      TE.bindW('applications', ({ outcome }) => findApplications(ports)(outcome.ends)),
      TE.map(({ clients: [client], outcome, applications }) => ({ ...opened, client, outcome, applications })),
    )
  }

const answerOnce =
  ({ policy, ports, at }: Confirming) =>
  ({ dialog, answer, outcome, applications }: Read): TE.TaskEither<SessionChanged | Unavailable, HeldAnswer> => {
    // Where nobody was signed in nothing can end, and so there is nothing to remember.
    if (dialog.session.kind === 'nobody') return TE.right({ answer, isFirst: true })
    const ends = pipe(
      O.fromNullable(outcome.ends),
      O.map((session) => ({
        session,
        notices: noticesOf(applications, at, ports.identifier),
        revokesOfflineAccess: policy.endsOfflineAccess,
      })),
    )
    return ports.answerDialog({ dialog: dialog.id, answer, rememberedUntil: dialog.expires_at, ends }, at)
  }

// Sent twice, an answer shows the same end; but nobody is told of an end who has signed in since, or gave the other answer.
const stillHolds =
  (confirming: Confirming) =>
  ({
    read,
    held,
  }: {
    readonly read: Read
    readonly held: HeldAnswer
  }): TE.TaskEither<DialogGone | Unavailable, void> => {
    if (held.isFirst) return TE.right(undefined)
    if (held.answer !== read.answer) return TE.left(dialogGone)
    return held.answer === 'stay'
      ? TE.right(undefined)
      : pipe(
          liveSession(confirming),
          TE.flatMapEither((session) => (session === undefined ? E.right(undefined) : E.left(dialogGone))),
        )
  }

/** Ends the session, if that is the answer; a dialog that was answered before keeps its first answer. */
export const confirmLogout =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts) =>
  (request: ConfirmLogoutRequest): TE.TaskEither<DialogGone | Unavailable, ConfirmedLogout> => {
    const confirming = { policy, ports, request, at: ports.now() }
    return againWhenChanged(
      pipe(
        TE.fromEither(open(ports)(request)),
        TE.flatMap(readFacts(confirming)),
        TE.bindTo('read'),
        TE.bindW('held', ({ read }) => answerOnce(confirming)(read)),
        TE.tap(stillHolds(confirming)),
        TE.map(({ read: { outcome, client, applications }, held }) => {
          const ended = held.isFirst ? applications : []
          return {
            answer: held.answer,
            location: outcome.location,
            client,
            applications: toldOf(ended, policy),
            frames: framesOf(ended, policy.issuer),
          }
        }),
      ),
    )
  }
