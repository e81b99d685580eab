import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { ClientId } from '../client/client-id.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { type LogoutDialog, decideLogoutDialog } from '../logout/decide-logout-dialog.js'
import { clientOfUnverified, signingSecret } from '../logout/hint-secret.js'
import { type IdTokenHint, judgeIdTokenHint } from '../logout/id-token-hint.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import { type LogoutParameters, readLogoutRequest } from '../logout/logout-request.js'
import type { HintFault } from '../logout/no-way-back.js'
import { type SessionApplication, applicationsOf, toldOf } from '../logout/told-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { Fresh } from '../ports/fresh.js'
import type { IdTokenHints, SecretOfHint } from '../ports/id-token-hints.js'
import type { LogoutDialogs } from '../ports/logout-dialogs.js'
import { clientsOf, findClients, findLiveSession } from './steps/find-session.js'

/** OpenID RP-Initiated Logout §2: by GET or POST. */
export type LogoutRequestOfBrowser = {
  readonly parameters: LogoutParameters
  /** The cookies of this service, by their hashes: who is signed in, and which browser it is. */
  readonly sessionCookie: TokenHash | undefined
  readonly dialogCookie: TokenHash | undefined
  /** A POST from another site comes without cookies, whether there are any or not. */
  readonly cookiesWithheld: boolean
}

export type RequestLogoutPorts = Pick<ClientRegistry, 'findClients'> &
  Pick<EndUserSessions, 'findSession'> &
  Pick<Fresh, 'now' | 'cookie'> &
  Pick<LogoutDialogs, 'sealDialog'> &
  IdTokenHints

export type LogoutOffer = LogoutDialog & {
  /** What the form of the dialog sends back. */
  readonly value: string
  /** The cookie that tells this browser from others, where it has none of ours yet. */
  readonly newCookie: string | undefined
  /** Those that will be told when the session ends. */
  readonly applications: ReadonlyArray<SessionApplication>
}

type JudgedHint = E.Either<HintFault, IdTokenHint> | undefined

// OpenID Core §10.1: the registered client that the hint names decides which secret verifies it.
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
    dialog: LogoutDialog,
    applications: LogoutOffer['applications'],
  ): T.Task<LogoutOffer> =>
  async () => {
    // Drawn for this dialog: its hash names the dialog, and the browser too where it has no cookie yet.
    const fresh = ports.cookie()
    const value = await ports.sealDialog({
      id: fresh.hash,
      browser: known ?? fresh.hash,
      session: dialog.session,
      asked: E.isRight(dialog.wayBack) ? dialog.wayBack.right.asked : undefined,
      expires_at: secondsAfter(at, policy.dialogLifetime),
    })()
    return { ...dialog, value, newCookie: known === undefined ? fresh.token : undefined, applications }
  }

/** Nothing is written, and nothing ends: the end-user is asked. */
export const requestLogout =
  (policy: LogoutPolicy, ports: RequestLogoutPorts) =>
  ({
    parameters,
    sessionCookie,
    dialogCookie,
    cookiesWithheld,
  }: LogoutRequestOfBrowser): TE.TaskEither<Unavailable, LogoutOffer> =>
  async () => {
    const at = ports.now()
    const request = readLogoutRequest(parameters)
    const hint = await readHint(policy, ports, at, request.idTokenHint)()
    const found = await findLiveSession(ports, at)(O.fromNullable(sessionCookie))()
    if (E.isLeft(found)) return found
    const session = found.right
    const audience = audienceOf(hint)
    const clients = await findClients(ports)([...audience, ...clientsOf(session)])()
    if (E.isLeft(clients)) return clients
    const registered = clients.right.filter(({ client_id }) => audience.includes(client_id))
    const dialog = decideLogoutDialog({ request, hint, registered, session, cookiesWithheld })
    const applications = toldOf(applicationsOf(session, clients.right), policy)
    return E.right(await offer(policy, ports, at)(dialogCookie, dialog, applications)())
  }
