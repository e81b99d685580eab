// RP-initiated logout: the page, and its answer.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/credential.js'
import type { ClientId } from '../client/ids.js'
import { type ExhaustedBudget, sourceOf } from '../kernel/budgets.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import {
  type ConfirmationGone,
  type LogoutConfirmation,
  type LogoutOutcome,
  type OfferedConfirmation,
  LogoutAnswer,
  confirmationGone,
  decideLogoutConfirmation,
  decideLogoutOutcome,
} from '../logout/confirm.js'
import {
  type HintFault,
  type IdTokenHint,
  type LogoutParameters,
  type LogoutRequest,
  clientOfUnverified,
  judgeIdTokenHint,
  readLogoutRequest,
  secretsOfHint,
} from '../logout/hint.js'
import {
  type LogoutFrame,
  type LogoutPolicy,
  type SessionApplication,
  applicationsOf,
  framesOf,
  notifiedOf,
} from '../logout/notifications.js'
import { type EndUserSession, type Subject, withDeclined } from '../logout/sessions.js'
import type {
  Answer,
  BudgetConsumption,
  CredentialGenerator,
  IdTokenHints,
  LogoutConfirmations,
  LogoutElsewherePorts,
  SecretsOfHint,
  Turns,
} from '../ports/outside.js'
import type {
  ClientRegistry,
  EndUserSessions,
  SessionChanged,
  SessionTermination,
  WrittenNotifications,
} from '../ports/store.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import { confirmed, serializeOnConflict } from './conflicts.js'
import { clientsOf, endedSession, findApplications, findClients, findLiveSession } from './sessions.js'

/** OpenID RP-Initiated Logout §2: by GET or POST. */
type LogoutRequestOfBrowser = {
  readonly parameters: LogoutParameters
  /** The cookies of this service, by hash: they identify the session and the browser. */
  readonly sessionCookie: TokenHash | undefined
  readonly confirmationCookie: TokenHash | undefined
  /** Whether the browser may have withheld cookies, as it does in a POST from another site. */
  readonly cookiesWithheld: boolean
  readonly remoteAddress?: string | undefined
}

type RequestLogoutPorts = ClientRegistry &
  EndUserSessions &
  CredentialGenerator &
  LogoutConfirmations &
  IdTokenHints &
  BudgetConsumption

export type LogoutOffer = LogoutConfirmation & {
  /** The value that the form of the page sends back. */
  readonly value: string
  /** A new cookie to identify the browser, if it has none. */
  readonly newCookie: string | undefined
  /** The end-user of the session. */
  readonly sub: Subject | undefined
  /** The applications that are notified when the session ends. */
  readonly applications: ReadonlyArray<SessionApplication>
}

type JudgedHint = E.Either<HintFault, IdTokenHint> | undefined

// OpenID Core §10: the registered client that the hint or the request names determines the secret that verifies or decrypts it.
const secretsOf =
  (ports: ClientRegistry, requested: string | undefined, at: EpochSeconds): SecretsOfHint =>
  (unverified) =>
  async () => {
    const id = clientOfUnverified(unverified, requested)
    const found = await findClients(ports)(id === undefined ? [] : [id])()
    return E.isLeft(found) ? [] : found.right.flatMap(secretsOfHint(unverified.alg, at))
  }

const readHint =
  (
    policy: LogoutPolicy,
    ports: RequestLogoutPorts,
    at: EpochSeconds,
    { idTokenHint: hint, clientId }: LogoutRequest,
  ): T.Task<JudgedHint> =>
  async () => {
    if (hint === undefined) return undefined
    const signed = await ports.readIdTokenHint(hint, secretsOf(ports, clientId, at))()
    return E.isLeft(signed) ? signed : judgeIdTokenHint(policy, at)(signed.right)
  }

const audienceOf = (hint: JudgedHint): ReadonlyArray<ClientId> =>
  hint !== undefined && E.isRight(hint) ? hint.right.audience : []

const offer =
  (policy: LogoutPolicy, ports: RequestLogoutPorts, at: EpochSeconds) =>
  (
    known: TokenHash | undefined,
    confirmation: LogoutConfirmation,
    { sub, applications }: Pick<LogoutOffer, 'sub' | 'applications'>,
  ): T.Task<LogoutOffer> =>
  async () => {
    // Generated for this page: its hash identifies the page, and a browser without a cookie.
    const generated = ports.cookie()
    const value = await ports.sealConfirmation({
      id: generated.hash,
      browser: known ?? generated.hash,
      session: confirmation.session,
      requested: E.isRight(confirmation.redirect) ? confirmation.redirect.right.requested : undefined,
      expires_at: secondsAfter(at, policy.confirmationLifetime),
    })()
    return { ...confirmation, value, newCookie: known === undefined ? generated.token : undefined, sub, applications }
  }

/** Returns the confirmation page; nothing is written, and no session ends. */
export const requestLogout =
  (policy: LogoutPolicy, ports: RequestLogoutPorts) =>
  ({
    parameters,
    sessionCookie,
    confirmationCookie,
    cookiesWithheld,
    remoteAddress,
  }: LogoutRequestOfBrowser): Answer<LogoutOffer, ExhaustedBudget> =>
  async () => {
    const at = ports.now()
    const request = readLogoutRequest(parameters)
    const found = await findLiveSession(ports, at)(O.fromNullable(sessionCookie))()
    if (E.isLeft(found)) return found
    const session = found.right
    if (session === undefined) {
      // Such a request could come from any party: its hint is verified within a budget.
      const consumed = await ports.consumeBudget('logout_pages', sourceOf(remoteAddress))()
      if (E.isLeft(consumed)) return consumed
    }
    const hint = await readHint(policy, ports, at, request)()
    const audience = audienceOf(hint)
    const clients = await findClients(ports)([...audience, ...clientsOf(session)])()
    if (E.isLeft(clients)) return clients
    const registered = clients.right.filter(({ client_id }) => audience.includes(client_id))
    const confirmation = decideLogoutConfirmation({ request, hint, registered, session, cookiesWithheld })
    const applications = notifiedOf(applicationsOf(session, clients.right), policy)
    return E.right(
      await offer(policy, ports, at)(confirmationCookie, confirmation, { sub: session?.sub, applications })(),
    )
  }

/** The submitted form of the confirmation page. */
type ConfirmLogoutRequest = {
  readonly value: string | undefined
  readonly answer: string | undefined
  readonly sessionCookie: TokenHash | undefined
  /** The cookies that identify the browser: RequestLogout sets one or the other. */
  readonly confirmationCookies: ReadonlyArray<TokenHash>
  /** Whether another site sent the form. */
  readonly fromElsewhere: boolean
}

type ConfirmLogoutPorts = ClientRegistry &
  EndUserSessions &
  SessionTermination &
  CredentialGenerator &
  LogoutConfirmations &
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
  (ports: LogoutConfirmations, request: ConfirmLogoutRequest): TE.TaskEither<ConfirmationGone, Opened> =>
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
  ({ confirmation, answer }: Opened): Answer<FoundState> =>
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
  ): Answer<WrittenNotifications, SessionChanged> => {
    if (declines !== undefined)
      return pipe(
        ports.replaceSession({
          next: withDeclined({ confirmation: id, expires_at }, at)(declines),
          replacing: declines,
          audit: undefined,
        }),
        TE.as(noneGaveWay),
      )
    // Without a session, nothing is written, so that requests without a sign-in add no rows: the answer may come again.
    if (ends === undefined) return confirmed(ports)(E.right(noneGaveWay))
    const ended = endedSession(policy, ports, at, ends, applications)
    return ports.endSession({ ...ended, by: { confirmation: id, answered_at: at, expires_at } }, undefined)
  }

const answerConfirmation =
  (policy: LogoutPolicy, ports: ConfirmLogoutPorts, request: ConfirmLogoutRequest, at: EpochSeconds) =>
  ({ confirmation, answer }: Opened): Answer<ConfirmedLogout, ConfirmationGone | SessionChanged> =>
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
  (request: ConfirmLogoutRequest): Answer<ConfirmedLogout, ConfirmationGone> =>
  async () => {
    const at = ports.now()
    const opened = await open(ports, request)()
    if (E.isLeft(opened)) return opened
    const answered = answerConfirmation(policy, ports, request, at)(opened.right)
    return serializeOnConflict(ports, `session ${request.sessionCookie}`)(answered)()
  }
