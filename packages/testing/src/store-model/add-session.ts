import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, epochSeconds } from '@clientele/domain/kernel'
import { type EndUserSession, defaultNotificationLimits, isLive } from '@clientele/domain/logout'
import type { StoragePorts } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as fc from 'fast-check'
import { exampleHash, noRow } from '../examples/examples.js'
import { type Run, type Step, subsetsOf } from './step.js'

const names = ['one', 'other']

/** The name of a cookie: at most one session has it at a time. */
export const cookie = fc.constantFrom(...names)
export const cookieOf = (name: string): TokenHash => exampleHash(`cookie-${name}`)
export const cookies = names.map(cookieOf)

const beforeAll = epochSeconds(0)

/** Removes the session of the cookie, if it is over. */
const removeOver = async (
  { endUserSessions, sessionTermination }: StoragePorts,
  of: TokenHash,
  at: EpochSeconds,
): Promise<boolean> => {
  const found = await endUserSessions.findSession(of)()
  if (E.isLeft(found) || O.isNone(found.right) || isLive(at)(found.right.value)) return false
  const session = found.right.value
  const notificationLimits = defaultNotificationLimits
  const ended = { session, notifications: [], notificationLimits, revokesOfflineAccess: false }
  return E.isRight(await sessionTermination.endSession(ended, noRow)())
}

/** The addition of the session, and the removal of these sessions. */
const addRemoving =
  (session: EndUserSession, own: TokenHash, at: EpochSeconds) =>
  (over: ReadonlyArray<TokenHash>): Run =>
  (ports) =>
  async () => {
    for (const each of over) if (!(await removeOver(ports, each, at))) return E.left('the session is not over')
    const added = await ports.endUserSessions.addSession(session, own, beforeAll, noRow)()
    // A refused addition removes nothing.
    return E.isLeft(added) && over.length > 0 ? E.left('refused') : added
  }

/** Sessions that are over at the time may be removed, some or all of them. */
export const addSession = (
  session: EndUserSession,
  own: TokenHash,
  at: EpochSeconds,
): Pick<Step, 'run' | 'permitted'> => ({
  run: ({ endUserSessions }) => endUserSessions.addSession(session, own, at, noRow),
  permitted: subsetsOf(cookies).map(addRemoving(session, own, at)),
})
