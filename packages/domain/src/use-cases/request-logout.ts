import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { ClientId } from '../client/client-id.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { LogoutDialog } from '../logout/decide-logout-dialog.js'
import { decideLogoutDialog } from '../logout/decide-logout-dialog.js'
import { clientOfUnverified, signingSecret } from '../logout/hint-secret.js'
import type { IdTokenHint } from '../logout/id-token-hint.js'
import { judgeIdTokenHint } from '../logout/id-token-hint.js'
import type { OfferedDialog } from '../logout/logout-dialog.js'
import type { LogoutPolicy } from '../logout/logout-policy.js'
import type { LogoutParameters } from '../logout/logout-request.js'
import { readLogoutRequest } from '../logout/logout-request.js'
import type { HintFault } from '../logout/no-way-back.js'
import type { SessionApplication } from '../logout/told-applications.js'
import { applicationsOf, toldOf } from '../logout/told-applications.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { Fresh } from '../ports/fresh.js'
import type { IdTokenHints, SecretOfHint } from '../ports/id-token-hints.js'
import type { LogoutDialogs } from '../ports/logout-dialogs.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import { andThen } from './steps/and-then.js'
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

// OpenID Core §10.1: nothing but the registered client that the hint names decides which secret verifies it.
const secretOf =
  (ports: Pick<ClientRegistry, 'findClients'>): SecretOfHint =>
  (unverified) => {
    const id = clientOfUnverified(unverified)
    return pipe(
      findClients(ports)(id === undefined ? [] : [id]),
      TE.match(
        () => undefined,
        ([client]) => (client === undefined ? undefined : signingSecret(unverified.alg, client)),
      ),
    )
  }

const readHint =
  (policy: LogoutPolicy, ports: IdTokenHints & Pick<ClientRegistry, 'findClients'>, at: EpochSeconds) =>
  (hint: string | undefined): TE.TaskEither<never, JudgedHint> =>
    hint === undefined
      ? TE.right(undefined)
      : pipe(
          ports.readIdTokenHint(hint, secretOf(ports)),
          T.map((signed) => E.right(E.isLeft(signed) ? signed : judgeIdTokenHint(policy, at)(signed.right))),
        )

const audienceOf = (hint: JudgedHint): ReadonlyArray<ClientId> =>
  hint !== undefined && E.isRight(hint) ? hint.right.audience : []

type Named = {
  readonly hint: JudgedHint
  readonly session: EndUserSession | undefined
  readonly clients: ReadonlyArray<RegisteredClient>
}

const findWhatIsNamed =
  (ports: RequestLogoutPorts, at: EpochSeconds, cookie: TokenHash | undefined) =>
  (hint: JudgedHint): TE.TaskEither<Unavailable, Named> =>
    pipe(
      findLiveSession(ports, at)(O.fromNullable(cookie)),
      andThen((session) =>
        pipe(
          findClients(ports)([...audienceOf(hint), ...clientsOf(session)]),
          TE.map((clients) => ({ hint, session, clients })),
        ),
      ),
    )

type Requesting = {
  readonly policy: LogoutPolicy
  readonly ports: RequestLogoutPorts
  readonly request: LogoutRequestOfBrowser
  readonly at: EpochSeconds
}

const offer = (
  { policy, ports, request, at }: Requesting,
  dialog: LogoutDialog,
  applications: LogoutOffer['applications'],
): T.Task<LogoutOffer> => {
  // Drawn for this dialog: its hash names the dialog, and the browser too where it has no cookie yet.
  const known = request.dialogCookie
  const fresh = ports.cookie()
  const offered: OfferedDialog = {
    id: fresh.hash,
    browser: known ?? fresh.hash,
    session: dialog.session,
    asked: pipe(
      dialog.wayBack,
      E.match(
        () => undefined,
        ({ asked }) => asked,
      ),
    ),
    expires_at: secondsAfter(at, policy.dialogLifetime),
  }
  return pipe(
    ports.sealDialog(offered),
    T.map((value) => ({
      value,
      newCookie: known === undefined ? fresh.token : undefined,
      applications,
      ...dialog,
    })),
  )
}

/** Nothing is written, and nothing ends: the end-user is asked. */
export const requestLogout =
  (policy: LogoutPolicy, ports: RequestLogoutPorts) =>
  (sent: LogoutRequestOfBrowser): TE.TaskEither<Unavailable, LogoutOffer> => {
    const at = ports.now()
    const request = readLogoutRequest(sent.parameters)
    return pipe(
      readHint(policy, ports, at)(request.idTokenHint),
      andThen(findWhatIsNamed(ports, at, sent.sessionCookie)),
      TE.flatMapTask(({ clients, hint, session }) => {
        const registered = clients.filter(({ client_id }) => audienceOf(hint).includes(client_id))
        const { cookiesWithheld } = sent
        const dialog = decideLogoutDialog({ request, hint, registered, session, cookiesWithheld })
        return offer({ policy, ports, request: sent, at }, dialog, toldOf(applicationsOf(session, clients), policy))
      }),
    )
  }
