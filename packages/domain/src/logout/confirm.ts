// The confirmation page, and the effect of its answer.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { TokenHash } from '../authorization/credential.js'
import { ClientId, RegistrationId } from '../client/ids.js'
import {
  type ApplicationType,
  answerWithState,
  isWebScheme,
  redirectUriFault,
  redirectionUriFault,
  uriParts,
} from '../client/uris.js'
import type { RuleId } from '../kernel/all-rules.js'
import { ownMember } from '../kernel/json-object.js'
import { EpochSeconds } from '../kernel/time.js'
import { record } from '../kernel/values.js'
import { withdrawalOf } from '../life-cycle/states.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import {
  type HintFault,
  type IdTokenHint,
  type LogoutRequest,
  type PostLogoutRedirectRefusal,
  clockSkew,
} from './hint.js'
import { type EndUserSession, Subject, hasDeclined } from './sessions.js'

// The logout confirmation page as the browser received it: all facts that its answer needs.

export const LogoutAnswer = t.keyof({ logout: null, stay: null }, 'LogoutAnswer')
export type LogoutAnswer = t.TypeOf<typeof LogoutAnswer>

/** The end-user that the hint names. */
const HintSubject = record('HintSubject', {
  client_id: ClientId,
  registration_id: RegistrationId,
  sub: Subject,
  sid: t.union([Subject, t.undefined]),
})
interface HintSubject extends t.TypeOf<typeof HintSubject> {}

/** The requested post-logout redirect, with the subject of its hint. */
export const RequestedRedirect = record('RequestedRedirect', {
  user: HintSubject,
  uri: t.string,
  state: t.union([t.string, t.undefined]),
})
export interface RequestedRedirect extends t.TypeOf<typeof RequestedRedirect> {}

/** The session that was known; unknown when a cross-site request came without cookies. */
export const ShownSession = t.union(
  [
    record('signed_in', { kind: t.literal('signed_in'), sid: Subject }),
    record('nobody', { kind: t.literal('nobody') }),
    record('unseen', { kind: t.literal('unseen') }),
  ],
  'ShownSession',
)
export type ShownSession = t.TypeOf<typeof ShownSession>

export const OfferedConfirmation = record('OfferedConfirmation', {
  /** The hash of a random value, unique to the page. */
  id: TokenHash,
  /** The hash of the browser's cookie; equal to the id for a browser without a cookie. */
  browser: TokenHash,
  session: ShownSession,
  requested: t.union([RequestedRedirect, t.undefined]),
  expires_at: EpochSeconds,
})
export interface OfferedConfirmation extends t.TypeOf<typeof OfferedConfirmation> {}

// Whether the end-user is redirected to the application after logout, and to which URI: OpenID RP-Initiated Logout §3.

// For a client that is not recorded in the session, the hint is compared with the session's sub and sid.
const namesFor = (
  registration_id: RegistrationId,
  { sub, sid, clients }: EndUserSession,
): Pick<HintSubject, 'sub' | 'sid'> =>
  clients.find((client) => client.registration_id === registration_id) ?? { sub, sid }

/** RP-Initiated Logout §2: whether the hint names the end-user and the session of this browser. */
const userFault = (
  { registration_id, sub, sid }: HintSubject,
  session: EndUserSession,
): PostLogoutRedirectRefusal | undefined => {
  const known = namesFor(registration_id, session)
  if (sub !== known.sub) return 'other_user'
  return sid === undefined || sid === known.sid || sid === session.sid ? undefined : 'other_session'
}

// The operator's policy applies at registration and update only.
const judgedAs = (applicationType: ApplicationType): ((uri: string) => RuleId | undefined) =>
  redirectUriFault({ applicationType, implicit: false, answer: answerWithState, schemes: 'any', privateHttp: true })
const judged = { web: judgedAs('web'), native: judgedAs('native') }

// RP-Initiated Logout §3: compared byte for byte; the stored URI is judged by the present rules
const uriFaultFor = ({ metadata }: RegisteredClient, uri: string): PostLogoutRedirectRefusal | undefined => {
  if (metadata.post_logout_redirect_uris?.includes(uri) !== true) return 'unregistered_uri'
  const faultOfUri = redirectionUriFault(uri) ?? judged[metadata.application_type](uri)
  return faultOfUri === undefined ? undefined : 'refused_uri'
}

/** The present facts: the hint's client, and the session of the browser. */
type PostLogoutRedirectFacts = {
  readonly client: RegisteredClient | undefined
  readonly session: EndUserSession | undefined
}

/** Why there is no post-logout redirect; undefined where there is one. */
export const postLogoutRedirectFault = (
  { user, uri }: RequestedRedirect,
  { client, session }: PostLogoutRedirectFacts,
): PostLogoutRedirectRefusal | undefined => {
  if (client === undefined || client.registration_id !== user.registration_id) return 'hint_audience'
  // A redirect sends the end-user to the application.
  if (withdrawalOf(client) !== undefined) return 'client_suspended'
  return uriFaultFor(client, uri) ?? (session === undefined ? undefined : userFault(user, session))
}

// RFC 3986 §3.3, §3.4: a path may end with &, and a query with ?, as part of its last parameter
const separatorFor = (uri: string): string => {
  const start = uri.indexOf('?')
  if (start === -1) return '?'
  return start === uri.length - 1 || uri.endsWith('&') ? '' : '&'
}

/** The registered URI, with the state as one parameter: OpenID RP-Initiated Logout §3. */
export const locationOf = ({ uri, state }: Pick<RequestedRedirect, 'uri' | 'state'>): string =>
  state === undefined ? uri : `${uri}${separatorFor(uri)}state=${encodeURIComponent(state)}`

// The logout confirmation page, and the post-logout redirect that it offers: OpenID RP-Initiated Logout §2 and §3.

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

type PostLogoutRedirect = { readonly requested: RequestedRedirect; readonly client: RegisteredClient }

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

// The effect of the end-user's answer: OpenID RP-Initiated Logout §2 and §3. The conditions of the confirmation page
// are checked again.

export type AnswerFacts = PostLogoutRedirectFacts & {
  readonly confirmation: OfferedConfirmation
  readonly answer: LogoutAnswer
  /** The hashes of the cookies that the browser presents. */
  readonly browsers: ReadonlyArray<TokenHash>
  /** Whether an answer to this confirmation page has ended a session. */
  readonly hasEnded: boolean
  readonly at: EpochSeconds
}

/**
 * The confirmation page has expired, belongs to another browser or session, or has another answer already: nothing
 * happens.
 */
export type ConfirmationGone = { readonly error: 'dialog_gone' }
export const confirmationGone: ConfirmationGone = { error: 'dialog_gone' }

export type LogoutOutcome = {
  /** The session that the answer ends. */
  readonly ends: EndUserSession | undefined
  /** The session that the end-user declined to end, when it has not stored this answer yet. */
  readonly declines: EndUserSession | undefined
  /** The URI to which the browser is redirected, for either answer. */
  readonly location: string | undefined
}

// The page asked about another session, or none, when the end-user signed in after it was shown.
const isOfSession = ({ session: shown }: OfferedConfirmation, session: EndUserSession | undefined): boolean =>
  session === undefined || shown.kind === 'unseen' || (shown.kind === 'signed_in' && shown.sid === session.sid)

// The first answer counts: staying after the end, a second end, or an end after a refusal is refused.
const isAnsweredOtherwise = ({ confirmation, answer, session, hasEnded }: AnswerFacts): boolean =>
  answer === 'stay' ? hasEnded : session !== undefined && (hasEnded || hasDeclined(session, confirmation.id))

const locationFor = ({ confirmation: { requested }, client, session }: AnswerFacts): string | undefined =>
  requested === undefined || postLogoutRedirectFault(requested, { client, session }) !== undefined
    ? undefined
    : locationOf(requested)

// Without a session, staying only has the effect of the redirect.
const meansNothing = ({ answer, session }: AnswerFacts, location: string | undefined): boolean =>
  answer === 'stay' && session === undefined && location === undefined

const isGone = (facts: AnswerFacts): boolean => {
  const { confirmation, browsers, session, at } = facts
  return (
    confirmation.expires_at <= at ||
    !browsers.includes(confirmation.browser) ||
    !isOfSession(confirmation, session) ||
    isAnsweredOtherwise(facts)
  )
}

/** The session that the end-user declined to end, unless it has stored this answer already. */
const newlyDeclined = ({ confirmation, answer, session }: AnswerFacts): EndUserSession | undefined =>
  answer === 'stay' && session !== undefined && !hasDeclined(session, confirmation.id) ? session : undefined

export const decideLogoutOutcome = (facts: AnswerFacts): E.Either<ConfirmationGone, LogoutOutcome> => {
  const location = locationFor(facts)
  if (isGone(facts) || meansNothing(facts, location)) return E.left(confirmationGone)
  return E.right({
    ends: facts.answer === 'logout' ? facts.session : undefined,
    declines: newlyDeclined(facts),
    location,
  })
}

// How a page names an application. Registrants choose names freely, so that the host always follows the name.

export type ShownApplication = { readonly name: string | undefined; readonly host: string }

// The registrant chooses the rest of the URI freely, so that it is not shown.
const shownHost = (uri: string): string => {
  const { scheme, authority } = uriParts(uri)
  return isWebScheme(scheme) ? (authority ?? '').toLowerCase() : `${scheme}:`
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

type ShownMember = 'client_name' | 'policy_uri' | 'tos_uri' | 'logo_uri'

/** RFC 7591 §2.2: the name of the member, or of its variant in the language. */
export const memberIn = (
  language: string,
  { metadata }: Pick<RegisteredClient, 'metadata'>,
  member: ShownMember,
): string =>
  Object.keys(metadata).find(
    (name) => name.startsWith(`${member}#`) && primary(name.slice(member.length + 1)) === primary(language),
  ) ?? member

const nameIn = (language: string, client: RegisteredClient): string | undefined => {
  const name = ownMember({ ...client.metadata }, memberIn(language, client, 'client_name'))
  return typeof name === 'string' ? name : client.metadata.client_name
}

/** The name of the application in the language, and the host of the URI. */
export const shownApplication =
  (language: string) =>
  (client: RegisteredClient, uri: string): ShownApplication => ({
    name: nameIn(language, client),
    host: shownHost(uri),
  })
