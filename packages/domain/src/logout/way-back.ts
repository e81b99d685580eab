// Whether the end-user may be sent back to the application, and where to: OpenID RP-Initiated Logout §3.
import { type ApplicationType, answerWithState, redirectUriFault } from '../client/redirect-uri.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import { uriFault } from '../client/uri.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import type { AskedWayBack, HintedUser } from './logout-dialog.js'
import type { NoWayBack } from './no-way-back.js'

// A hint of a client that is not recorded in the session is compared with the session's own names.
const namesFor = (client_id: string, { sub, sid, clients }: EndUserSession): Pick<HintedUser, 'sub' | 'sid'> =>
  clients.find((client) => client.client_id === client_id) ?? { sub, sid }

/** RP-Initiated Logout §2: whether the hint is of the end-user, and the session, that is signed in here. */
const userFault = ({ client_id, sub, sid }: HintedUser, session: EndUserSession): NoWayBack | undefined => {
  const known = namesFor(client_id, session)
  if (sub !== known.sub) return 'other_user'
  return sid === undefined || sid === known.sid || sid === session.sid ? undefined : 'other_session'
}

// What the operator's policy takes is asked when a client is registered or updated.
const judgedAs = (applicationType: ApplicationType): ((uri: string) => RuleId | undefined) =>
  redirectUriFault({ applicationType, implicit: false, answer: answerWithState, schemes: 'any' })
const judged = { web: judgedAs('web'), native: judgedAs('native') }

// RP-Initiated Logout §3: compared byte for byte; what was stored under older rules is judged by those of today
const uriFaultFor = ({ metadata }: RegisteredClient, uri: string): NoWayBack | undefined => {
  if (metadata.post_logout_redirect_uris?.includes(uri) !== true) return 'unregistered_uri'
  const faultOfUri = uriFault(uri) ?? judged[metadata.application_type](uri)
  return faultOfUri === undefined ? undefined : 'refused_uri'
}

/** What the decision rests on, as it is now: the hint's client, and the session of the browser. */
export type WayBackFacts = {
  readonly client: RegisteredClient | undefined
  readonly session: EndUserSession | undefined
}

/** Why there is no way back, or undefined where there is one. */
export const wayBackFault = ({ user, uri }: AskedWayBack, { client, session }: WayBackFacts): NoWayBack | undefined => {
  if (client === undefined || client.client_id !== user.client_id) return 'hint_audience'
  return uriFaultFor(client, uri) ?? (session === undefined ? undefined : userFault(user, session))
}

// RFC 3986 §3.3, §3.4: a path may end with &, and a query with ?, which is part of its last parameter
const separatorFor = (uri: string): string => {
  const start = uri.indexOf('?')
  if (start === -1) return '?'
  return start === uri.length - 1 || uri.endsWith('&') ? '' : '&'
}

/** The registered bytes, with the state as one parameter: OpenID RP-Initiated Logout §3. */
export const locationOf = ({ uri, state }: Pick<AskedWayBack, 'uri' | 'state'>): string =>
  state === undefined ? uri : `${uri}${separatorFor(uri)}state=${encodeURIComponent(state)}`
