import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ExhaustedBudget } from '../abuse/budget-kinds.js'
import { sourceOf } from '../abuse/source.js'
import type { TokenHash } from '../authorization/credential.js'
import type { ClientId } from '../client/client-id.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { type LogoutConfirmation, decideLogoutConfirmation } from '../logout/decide-logout-confirmation.js'
import { clientOfUnverified, signingSecret } from '../logout/signing-secret.js'
import { type IdTokenHint, judgeIdTokenHint } from '../logout/id-token-hint.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { type LogoutParameters, readLogoutRequest } from '../logout/logout-request.js'
import type { HintFault } from '../logout/post-logout-redirect-refusal.js'
import { type SessionApplication, applicationsOf, notifiedOf } from '../logout/notified-applications.js'
import type { BudgetConsumption } from '../ports/budget-consumption.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { IdTokenHints, SecretOfHint } from '../ports/id-token-hints.js'
import type { LogoutConfirmations } from '../ports/logout-confirmations.js'
import type { EndUserSession, Subject } from '../sessions/end-user-session.js'
import { clientsOf, findClients, findLiveSession } from './steps/find-session.js'

/** OpenID RP-Initiated Logout §2: by GET or POST. */
export type LogoutRequestOfBrowser = {
  readonly parameters: LogoutParameters
  /** The cookies of this service, by hash: they identify the session and the browser. */
  readonly sessionCookie: TokenHash | undefined
  readonly confirmationCookie: TokenHash | undefined
  /** Whether the browser may have withheld cookies, as it does in a POST from another site. */
  readonly cookiesWithheld: boolean
  readonly remoteAddress?: string | undefined
}

export type RequestLogoutPorts = Pick<ClientRegistry, 'findClients'> &
  Pick<EndUserSessions, 'findSession'> &
  Pick<CredentialGenerator, 'now' | 'cookie'> &
  Pick<LogoutConfirmations, 'sealConfirmation'> &
  IdTokenHints &
  Partial<BudgetConsumption>

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

// OpenID Core §10.1: the registered client that the hint names determines the secret that verifies it.
const secretOf =
  (ports: Pick<ClientRegistry, 'findClients'>): SecretOfHint =>
  (unverified) =>
  async () => {
    const id = clientOfUnverified(unverified)
    const found = await findClients(ports)(id === undefined ? [] : [id])()
    if (E.isLeft(found)) return undefined
    const [client] = found.right
    return client === undefined ? undefined : signingSecret(unverified.alg, client)
  }

const readHint =
  (policy: LogoutPolicy, ports: RequestLogoutPorts, at: EpochSeconds, hint: string | undefined): T.Task<JudgedHint> =>
  async () => {
    if (hint === undefined) return undefined
    const signed = await ports.readIdTokenHint(hint, secretOf(ports))()
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

// A request without a session could come from any party: its hint is verified within a budget.
const consumeFor = (
  { consumeBudget }: RequestLogoutPorts,
  session: EndUserSession | undefined,
  remoteAddress: string | undefined,
): TE.TaskEither<ExhaustedBudget, void> =>
  session !== undefined || consumeBudget === undefined
    ? TE.right(undefined)
    : consumeBudget('logout_pages', sourceOf(remoteAddress))

/** Returns the confirmation page; nothing is written, and no session ends. */
export const requestLogout =
  (policy: LogoutPolicy, ports: RequestLogoutPorts) =>
  ({
    parameters,
    sessionCookie,
    confirmationCookie,
    cookiesWithheld,
    remoteAddress,
  }: LogoutRequestOfBrowser): TE.TaskEither<ExhaustedBudget | Unavailable, LogoutOffer> =>
  async () => {
    const at = ports.now()
    const request = readLogoutRequest(parameters)
    const found = await findLiveSession(ports, at)(O.fromNullable(sessionCookie))()
    if (E.isLeft(found)) return found
    const session = found.right
    const consumed = await consumeFor(ports, session, remoteAddress)()
    if (E.isLeft(consumed)) return consumed
    const hint = await readHint(policy, ports, at, request.idTokenHint)()
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
