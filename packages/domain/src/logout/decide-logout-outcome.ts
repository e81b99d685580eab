// What the end-user's answer does: OpenID RP-Initiated Logout §2 and §3. All that the dialog was shown for is judged once more.
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { type EndUserSession, hasDeclined } from '../sessions/end-user-session.js'
import type { LogoutAnswer, OfferedDialog } from './logout-dialog.js'
import { type WayBackFacts, locationOf, wayBackFault } from './way-back.js'

export type AnswerFacts = WayBackFacts & {
  readonly dialog: OfferedDialog
  readonly answer: LogoutAnswer
  /** The cookies that the browser presents, by their hashes. */
  readonly browsers: ReadonlyArray<TokenHash>
  /** Whether an answer to the dialog ended a session before. */
  readonly hasEnded: boolean
  readonly at: EpochSeconds
}

/** The dialog has expired, belongs to another browser or session, or was answered otherwise before: nothing happens. */
export type DialogGone = { readonly error: 'dialog_gone' }
export const dialogGone: DialogGone = { error: 'dialog_gone' }

export type LogoutOutcome = {
  /** The session that the answer ends. */
  readonly ends: EndUserSession | undefined
  /** The session of which the end-user declined the dialog, when that is not known of it yet. */
  readonly declines: EndUserSession | undefined
  /** Where the browser is sent, whichever the answer was. */
  readonly location: string | undefined
}

// An end-user who signed in after the dialog was shown for another session, or for none, was not asked by it.
const isOfSession = ({ session: shown }: OfferedDialog, session: EndUserSession | undefined): boolean =>
  session === undefined || shown.kind === 'unseen' || (shown.kind === 'signed_in' && shown.sid === session.sid)

// The first answer holds: to stay after the end means nothing, nor does another end after the first, nor one after a refusal.
const isAnsweredOtherwise = ({ dialog, answer, session, hasEnded }: AnswerFacts): boolean =>
  answer === 'stay' ? hasEnded : session !== undefined && (hasEnded || hasDeclined(session, dialog.id))

const locationFor = ({ dialog: { asked }, client, session }: AnswerFacts): string | undefined =>
  asked === undefined || wayBackFault(asked, { client, session }) !== undefined ? undefined : locationOf(asked)

// Where nobody is signed in, to stay can only lead back.
const meansNothing = ({ answer, session }: AnswerFacts, location: string | undefined): boolean =>
  answer === 'stay' && session === undefined && location === undefined

const isGone = (facts: AnswerFacts): boolean => {
  const { dialog, browsers, session, at } = facts
  return (
    dialog.expires_at <= at ||
    !browsers.includes(dialog.browser) ||
    !isOfSession(dialog, session) ||
    isAnsweredOtherwise(facts)
  )
}

/** The session whose end-user declines the dialog, unless that is known of it already. */
const newlyDeclined = ({ dialog, answer, session }: AnswerFacts): EndUserSession | undefined =>
  answer === 'stay' && session !== undefined && !hasDeclined(session, dialog.id) ? session : undefined

export const decideLogoutOutcome = (facts: AnswerFacts): E.Either<DialogGone, LogoutOutcome> => {
  const location = locationFor(facts)
  if (isGone(facts) || meansNothing(facts, location)) return E.left(dialogGone)
  return E.right({
    ends: facts.answer === 'logout' ? facts.session : undefined,
    declines: newlyDeclined(facts),
    location,
  })
}
