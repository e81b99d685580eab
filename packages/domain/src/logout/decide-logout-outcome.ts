// The effect of the end-user's answer: OpenID RP-Initiated Logout §2 and §3. The conditions of the confirmation page
// are checked again.
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { type EndUserSession, hasDeclined } from '../sessions/end-user-session.js'
import type { LogoutAnswer, OfferedConfirmation } from './logout-confirmation.js'
import { type PostLogoutRedirectFacts, locationOf, postLogoutRedirectFault } from './post-logout-redirect.js'

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
