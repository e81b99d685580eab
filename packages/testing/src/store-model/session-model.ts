import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import {
  type AttemptedNotification,
  type EndUserSession,
  isLive,
  usedSession,
  withClient,
  withDeclined,
} from '@clientele/domain/logout'
import type { EndedSession, StoragePorts } from '@clientele/domain/ports'
import { done } from '../contracts/contract.js'
import { registerExamples } from '../contracts/steps.js'
import {
  addition,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  noRow,
  removal,
  replacement,
  endOf,
} from '../examples.js'
import { type Run, type Seen, type Step, type StoreModel, ago, steps, subsetsOf, time } from './explain.js'

const names = ['one', 'other']

/** The name of a cookie: at most one session has it at a time. */
const cookie = fc.constantFrom(...names)
const cookieOf = (name: string): TokenHash => exampleHash(`cookie-${name}`)
const cookies = names.map(cookieOf)

const beforeAll = epochSeconds(0)

/** Removes the session of the cookie, if it is over. */
const removeOver = async (
  { endUserSessions, sessionTermination }: StoragePorts,
  of: TokenHash,
  at: EpochSeconds,
): Promise<boolean> => {
  const found = await endUserSessions.findSession(of)()
  if (E.isLeft(found) || O.isNone(found.right) || isLive(at)(found.right.value)) return false
  return E.isRight(await sessionTermination.endSession(endOf(found.right.value), noRow)())
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

const holders = ['one', 'other']
const holder = fc.constantFrom(...holders)
const attempt = fc.tuple(
  ago,
  fc.constantFrom('delivered' as const, 'later' as const, 'failed' as const),
  fc.nat(9),
  time,
)

/** The claims of two instances on notifications, and what becomes of them. */
const notificationStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: steps(
      'claim those that are due at a time, for so many seconds, so many at most',
      [holder, time, fc.nat(500), fc.integer({ min: 1, max: 4 })],
      ({ pendingNotifications }, _, by, at, length, max) =>
        pendingNotifications.claimDue(at, { holder: by, until: secondsAfter(at, length) }, max),
    ),
  },
  steps(
    'record the tries of those that were read so many reads ago',
    [holder, fc.array(attempt, { minLength: 1, maxLength: 3 })],
    ({ pendingNotifications }, { notifications }, by, attempts) => {
      const tries = attempts.map(([back, kind, count, due_at]): AttemptedNotification => {
        const id = notifications.at(-back) ?? 'never'
        return kind === 'delivered' ? { id, kind } : { id, kind, attempts: count, due_at, note: 'in vain' }
      })
      return pendingNotifications.recordTries(by, tries)
    },
  ),
  steps(
    'retry all or that of so many reads ago, at a time',
    [time, fc.option(ago, { nil: undefined })],
    ({ pendingNotifications }, { notifications }, at, back) => {
      const id = back === undefined ? O.none : O.some(notifications.at(-back) ?? 'never')
      return pendingNotifications.retryNotifications(id, at, noRow)
    },
  ),
  steps('remove notifications from before a time', [time], ({ pendingNotifications }, _, at) =>
    pendingNotifications.purgeNotifications(at),
  ),
)

const lookAtNotifications = async ({ pendingNotifications }: StoragePorts): Promise<unknown> => ({
  stored: await done(pendingNotifications.listNotifications(100)),
  next: await Promise.all(holders.map((by) => done(pendingNotifications.nextDue(secondsAfter(exampleTime, 500), by)))),
})

const ids = ['a', 'b', 'B']
const ofId = fc.constantFrom(...ids)
// Without shrinking, so that no counterexample has a sid twice, which the service never generates.
const generatedSid = fc.noShrink(fc.integer({ min: 1, max: 1_000_000_000 })).map((drawn) => `session ${drawn}`)

const seenSession = ({ sessions }: Seen, back: number): EndUserSession => sessions.at(-back) ?? exampleSession('never')

const notificationsFor = (clients: ReadonlyArray<string>, life: string, at: EpochSeconds, sid: string) =>
  clients.map((id) => ({
    ...exampleNotification(`${sid} to ${id} at ${at}`, id, life),
    uri: `https://${id === 'a' ? 'one' : 'other'}.example/${id}`,
    created_at: at,
  }))

const ofLife = fc.constantFrom('first', 'first', 'second')

const clientStep: fc.Arbitrary<Step> = fc.oneof(
  steps('register the client of the life', [ofId, ofLife], ({ registry }, _, id, life) =>
    registry.addClient(addition(exampleClient(id, life))),
  ),
  steps('remove the client by its token', [ofId, ofLife], ({ registry }, _, id, life) => {
    const { client_id, registration_access_token } = exampleClient(id, life)
    return registry.removeClient(removal(client_id, { token: O.some(registration_access_token.hash) }))
  }),
  steps(
    'grant the client something, by the session that was read so many reads ago, for offline access or not',
    [ofId, fc.option(ago, { nil: undefined }), fc.boolean()],
    ({ authorizations }, seen, id, back, offline) => {
      const granted = exampleAuthorization(exampleClient(id), `${id}-${offline ? 'offline' : 'online'}`)
      const by = back === undefined ? {} : { session: seenSession(seen, back).sid }
      return authorizations.recordAuthorization({ ...granted, ...by, offline }, exampleTime)
    },
  ),
)

type SignIn = [sid: string, clients: ReadonlyArray<string>, cookie: string, since: EpochSeconds, at: EpochSeconds]
const signedIn = ([sid, clients, , since]: SignIn): EndUserSession => ({
  ...exampleSession(sid, clients),
  auth_time: since,
  used_at: since,
})

const sessionStep: fc.Arbitrary<Step> = fc.oneof(
  // Sessions that are over at the time may be removed, some or all of them.
  steps(
    'sign in to the clients by the cookie, since a time, at a time',
    [generatedSid, fc.subarray(ids), cookie, time, time],
    ({ endUserSessions }, _, ...signIn) =>
      endUserSessions.addSession(signedIn(signIn), cookieOf(signIn[2]), signIn[4], noRow),
    (...signIn) => subsetsOf(cookies).map(addRemoving(signedIn(signIn), cookieOf(signIn[2]), signIn[4])),
  ),
  steps(
    'sign in to the client in its life at a time, by what was read so many reads ago',
    [ago, ofId, ofLife, time],
    ({ endUserSessions }, seen, back, id, life, at) => {
      const read = seenSession(seen, back)
      return endUserSessions.replaceSession(replacement(withClient(exampleSessionClient(id, life), at)(read), read))
    },
  ),
  steps('use what was read so many reads ago, at a time', [ago, time], ({ endUserSessions }, seen, back, at) => {
    const read = seenSession(seen, back)
    return endUserSessions.replaceSession(replacement(usedSession(at)(read), read))
  }),
)

// A confirmation page is for one session.
const pageOf = (sid: string): TokenHash => exampleHash(`dialog-${sid.replace(' ', '-')}`)

const logoutStep: fc.Arbitrary<Step> = fc.oneof(
  steps(
    'end what was read so many reads ago, notify these clients, revoke offline access, at a time, by a page',
    [ago, fc.subarray(ids), ofLife, fc.boolean(), time, fc.boolean()],
    ({ sessionTermination }, seen, back, notified, life, revokesOfflineAccess, at, byPage) => {
      const session = seenSession(seen, back)
      const { sid } = session
      const by = { confirmation: pageOf(sid), answered_at: exampleTime, expires_at: secondsAfter(at, 300) }
      const ended: EndedSession = {
        session,
        notifications: notificationsFor(notified, life, at, sid),
        notificationLimits: { maxPerClient: 2, maxInAll: 4 },
        revokesOfflineAccess,
        ...(byPage ? { by } : {}),
      }
      return sessionTermination.endSession(ended, noRow)
    },
  ),
  steps(
    'decline the confirmation in what was read so many reads ago, at a time',
    [ago, ofId, time],
    ({ endUserSessions }, seen, back, confirmation, at) => {
      const read = seenSession(seen, back)
      const declined = { confirmation: exampleHash(`dialog-${confirmation}`), expires_at: secondsAfter(at, 300) }
      return endUserSessions.replaceSession(replacement(withDeclined(declined, at)(read), read))
    },
  ),
)

const authorizationsOf = ({ authorizations }: StoragePorts): Promise<ReadonlyArray<unknown>> =>
  Promise.all(
    ids.flatMap((id) =>
      ['online', 'offline'].map((how) =>
        done(authorizations.findAuthorization('refresh_token', exampleHash(`${id}-${how}`))),
      ),
    ),
  )

/** Sessions and their ends, the authorizations and clients of sessions, and notifications. */
export const sessionModel: StoreModel = {
  name: 'sessions, their authorizations and notifications',
  prepare: (ports) => registerExamples(ports, ...ids),
  step: fc.oneof(
    clientStep,
    { weight: 2, arbitrary: sessionStep },
    { weight: 2, arbitrary: logoutStep },
    { weight: 3, arbitrary: notificationStep },
  ),
  look: async (ports, seen) => {
    const sids = seen.sessions.slice(-5).map(({ sid }) => sid)
    return {
      byCookie: await Promise.all(cookies.map((each) => done(ports.endUserSessions.findSession(each)))),
      bySid: await Promise.all(sids.map((sid) => done(ports.endUserSessions.findSessionById(sid)))),
      sessions: await done(ports.endUserSessions.listSessions('zoe')),
      ended: await Promise.all(sids.map((sid) => done(ports.sessionTermination.hasEnded(pageOf(sid))))),
      notifications: await lookAtNotifications(ports),
      authorizations: await authorizationsOf(ports),
    }
  },
}
