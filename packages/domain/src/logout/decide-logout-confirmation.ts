// The logout confirmation page, and the post-logout redirect that it offers: OpenID RP-Initiated Logout §2 and §3.
import * as E from 'fp-ts/lib/Either.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import { type IdTokenHint, clockSkew } from './id-token-hint.js'
import type { RequestedRedirect, ShownSession } from './logout-confirmation.js'
import type { LogoutRequest } from './logout-request.js'
import type { HintFault, PostLogoutRedirectRefusal } from './post-logout-redirect-refusal.js'
import { postLogoutRedirectFault } from './post-logout-redirect.js'

export type LogoutFacts = {
  readonly request: LogoutRequest
  /** The verified hint; undefined when the request has none. */
  readonly hint: E.Either<HintFault, IdTokenHint> | undefined
  /** The registered clients among the hint's audience. */
  readonly registered: ReadonlyArray<RegisteredClient>
  /** The session of this browser; whether the browser may have withheld its cookies. */
  readonly session: EndUserSession | undefined
  readonly cookiesWithheld: boolean
}

export type PostLogoutRedirect = { readonly requested: RequestedRedirect; readonly client: RegisteredClient }

export type LogoutConfirmation = {
  readonly session: ShownSession
  readonly redirect: E.Either<PostLogoutRedirectRefusal, PostLogoutRedirect>
}

const shownSession = ({ session, cookiesWithheld }: LogoutFacts): ShownSession => {
  if (session !== undefined) return { kind: 'signed_in', sid: session.sid }
  return { kind: cookiesWithheld ? 'unseen' : 'nobody' }
}

// OpenID RP-Initiated Logout §2: client_id, if present, names the client of the hint. OpenID Core §3.1.3.7: so does
// azp.
const hintClient = (
  { request: { clientId }, registered }: LogoutFacts,
  { azp, iat }: IdTokenHint,
): E.Either<PostLogoutRedirectRefusal, RegisteredClient> => {
  const [client, ...more] = registered
  if (client === undefined || more.length > 0) return E.left('hint_audience')
  const { client_id, client_id_issued_at } = client
  if (![clientId ?? client_id, azp ?? client_id].every((named) => named === client_id))
    return E.left('hint_other_client')
  return iat < client_id_issued_at - clockSkew ? E.left('hint_before_registration') : E.right(client)
}

const decidePostLogoutRedirect = (facts: LogoutFacts): E.Either<PostLogoutRedirectRefusal, PostLogoutRedirect> => {
  const { request, hint, session } = facts
  const uri = request.postLogoutRedirectUri
  if (request.repeated) return E.left('repeated_parameter')
  if (uri === undefined) return E.left('not_asked')
  if (hint === undefined) return E.left('no_hint')
  if (E.isLeft(hint)) return hint
  const hintSubject = hintClient(facts, hint.right)
  if (E.isLeft(hintSubject)) return hintSubject
  const client = hintSubject.right
  const { client_id, registration_id } = client
  const { sub, sid } = hint.right
  const requested = { user: { client_id, registration_id, sub, sid }, uri, state: request.state }
  const fault = postLogoutRedirectFault(requested, { client, session })
  return fault === undefined ? E.right({ requested, client }) : E.left(fault)
}

/** Total: every request gets a confirmation page, at worst without a post-logout redirect. */
export const decideLogoutConfirmation = (facts: LogoutFacts): LogoutConfirmation => ({
  session: shownSession(facts),
  redirect: decidePostLogoutRedirect(facts),
})
