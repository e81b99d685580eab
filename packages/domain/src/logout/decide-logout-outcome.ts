// What the end-user's answer does: OpenID RP-Initiated Logout §2 and §3. All that the dialog was shown for is judged once more.
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import type { LogoutAnswer, OfferedDialog } from './logout-dialog.js'
import type { WayBackFacts } from './way-back.js'
import { locationOf, wayBackFault } from './way-back.js'

export type AnswerFacts = WayBackFacts & {
  readonly dialog: OfferedDialog
  readonly answer: LogoutAnswer
  /** The cookies that the browser presents, by their hashes. */
  readonly browsers: ReadonlyArray<TokenHash>
  readonly at: EpochSeconds
}

/** The dialog has expired, belongs to another browser, or was shown for another session: nothing happens. */
export type DialogGone = { readonly error: 'dialog_gone' }
export const dialogGone: DialogGone = { error: 'dialog_gone' }

export type LogoutOutcome = {
  readonly ends: EndUserSession | undefined
  /** Where the browser is sent, whichever the answer was. */
  readonly location: string | undefined
}

// Whoever signed in since then was not asked.
const isOfSession = ({ session: shown }: OfferedDialog, session: EndUserSession | undefined): boolean =>
  session === undefined || shown.kind === 'unseen' || (shown.kind === 'signed_in' && shown.sid === session.sid)

const locationFor = ({ dialog: { asked }, client, session }: AnswerFacts): string | undefined =>
  asked === undefined || wayBackFault(asked, { client, session }) !== undefined ? undefined : locationOf(asked)

export const decideLogoutOutcome = (facts: AnswerFacts): E.Either<DialogGone, LogoutOutcome> => {
  const { dialog, answer, browsers, session, at } = facts
  if (dialog.expires_at <= at || !browsers.includes(dialog.browser) || !isOfSession(dialog, session))
    return E.left(dialogGone)
  return E.right({ ends: answer === 'logout' ? session : undefined, location: locationFor(facts) })
}
