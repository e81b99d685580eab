// What the end-user is asked, and whether there is a way back to the application: OpenID RP-Initiated Logout §2 and §3.
import * as E from 'fp-ts/lib/Either.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import { type IdTokenHint, clockSkew } from './id-token-hint.js'
import type { AskedWayBack, ShownSession } from './logout-dialog.js'
import type { LogoutRequest } from './logout-request.js'
import type { HintFault, NoWayBack } from './no-way-back.js'
import { wayBackFault } from './way-back.js'

export type LogoutFacts = {
  readonly request: LogoutRequest
  /** Judged; undefined where there is none. */
  readonly hint: E.Either<HintFault, IdTokenHint> | undefined
  /** Of those that the hint's audience names, the ones that are registered. */
  readonly registered: ReadonlyArray<RegisteredClient>
  /** Who is signed in in this browser; whether a request that came without cookies could have had them. */
  readonly session: EndUserSession | undefined
  readonly cookiesWithheld: boolean
}

export type WayBack = { readonly asked: AskedWayBack; readonly client: RegisteredClient }

export type LogoutDialog = {
  readonly session: ShownSession
  readonly wayBack: E.Either<NoWayBack, WayBack>
}

const shownSession = ({ session, cookiesWithheld }: LogoutFacts): ShownSession => {
  if (session !== undefined) return { kind: 'signed_in', sid: session.sid }
  return { kind: cookiesWithheld ? 'unseen' : 'nobody' }
}

// OpenID RP-Initiated Logout §2: client_id, if it is given, names the client of the hint
// OpenID Core §3.1.3.7: azp, if it is there, is the client, too
const hintedClient = (
  { request: { clientId }, registered }: LogoutFacts,
  { azp, iat }: IdTokenHint,
): E.Either<NoWayBack, RegisteredClient> => {
  const [client, ...more] = registered
  if (client === undefined || more.length > 0) return E.left('hint_audience')
  const { client_id, client_id_issued_at } = client
  if (![clientId ?? client_id, azp ?? client_id].every((named) => named === client_id))
    return E.left('hint_other_client')
  return iat < client_id_issued_at - clockSkew ? E.left('hint_before_registration') : E.right(client)
}

const decideWayBack = (facts: LogoutFacts): E.Either<NoWayBack, WayBack> => {
  const { request, hint, session } = facts
  const uri = request.postLogoutRedirectUri
  if (request.repeated) return E.left('repeated_parameter')
  if (uri === undefined) return E.left('not_asked')
  if (hint === undefined) return E.left('no_hint')
  if (E.isLeft(hint)) return hint
  const hinted = hintedClient(facts, hint.right)
  if (E.isLeft(hinted)) return hinted
  const [{ sub, sid }, client] = [hint.right, hinted.right]
  const asked = { user: { client_id: client.client_id, sub, sid }, uri, state: request.state }
  const fault = wayBackFault(asked, { client, session })
  return fault === undefined ? E.right({ asked, client }) : E.left(fault)
}

/** Total: whatever is asked, there is a dialog; at worst one without a way back. */
export const decideLogoutDialog = (facts: LogoutFacts): LogoutDialog => ({
  session: shownSession(facts),
  wayBack: decideWayBack(facts),
})
