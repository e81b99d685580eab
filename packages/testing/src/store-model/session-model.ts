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
import { done, endOf } from '../contracts/contract.js'
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
} from '../examples.js'
import { type Run, type Seen, type Step, type StoreModel, ago, subsetsOf, time } from './explain.js'

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

/** Sessions that are over at the time may be removed, some or all of them. */
export const addSession = (
  session: EndUserSession,
  own: TokenHash,
  at: EpochSeconds,
): Pick<Step, 'run' | 'permitted'> => ({
  run: ({ endUserSessions }) => endUserSessions.addSession(session, own, at, noRow),
  permitted: subsetsOf(cookies).map(addRemoving(session, own, at)),
})

const holders = ['one', 'other']
const attempt = fc.tuple(
  ago,
  fc.constantFrom('delivered' as const, 'later' as const, 'failed' as const),
  fc.nat(9),
  time,
)

/** The claims of two instances on notifications, and what becomes of them. */
export const notificationStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...holders), time, fc.nat(500), fc.integer({ min: 1, max: 4 }))
      .map(([holder, at, length, max]): Step => ({
        name: `${holder} claims ${max} that are due at ${at}, for ${length} seconds`,
        run: ({ pendingNotifications }) =>
          pendingNotifications.claimDue(at, { holder, until: secondsAfter(at, length) }, max),
      })),
  },
  fc
    .tuple(fc.constantFrom(...holders), fc.array(attempt, { minLength: 1, maxLength: 3 }))
    .map(([holder, attempts]): Step => ({
      name: `${holder} found those that were read so many ago to be: ${attempts.map((each) => each.join(' ')).join(', ')}`,
      run: ({ pendingNotifications }, { notifications }) => {
        const tries = attempts.map(([back, kind, count, due_at]): AttemptedNotification => {
          const id = notifications.at(-back) ?? 'never'
          return kind === 'delivered' ? { id, kind } : { id, kind, attempts: count, due_at, note: 'in vain' }
        })
        return pendingNotifications.recordTries(holder, tries)
      },
    })),
  fc.tuple(time, fc.option(ago, { nil: undefined })).map(([at, back]): Step => ({
    name: `retry ${back === undefined ? 'all' : `that of ${back} ago`} at ${at}`,
    run: ({ pendingNotifications }, { notifications }) =>
      pendingNotifications.retryNotifications(
        back === undefined ? O.none : O.some(notifications.at(-back) ?? 'never'),
        at,
        noRow,
      ),
  })),
  time.map((at): Step => ({
    name: `remove notifications from before ${at}`,
    run: ({ pendingNotifications }) => pendingNotifications.purgeNotifications(at),
  })),
)

export const lookAtNotifications = async ({ pendingNotifications }: StoragePorts): Promise<unknown> => ({
  stored: await done(pendingNotifications.listNotifications(100)),
  next: await Promise.all(
    holders.map((holder) => done(pendingNotifications.nextDue(secondsAfter(exampleTime, 500), holder))),
  ),
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
const client = fc.tuple(ofId, ofLife).map(([id, life]) => exampleClient(id, life))

const clientStep: fc.Arbitrary<Step> = fc.oneof(
  client.map((each): Step => ({
    name: `register ${each.registration_access_token.hash}`,
    run: ({ registry }) => registry.addClient(addition(each)),
  })),
  client.map((each): Step => ({
    name: `remove ${each.registration_access_token.hash}`,
    run: ({ registry }) =>
      registry.removeClient(removal(each.client_id, { token: O.some(each.registration_access_token.hash) })),
  })),
  fc.tuple(ofId, fc.option(ago, { nil: undefined }), fc.boolean()).map(([id, back, offline]): Step => ({
    name: `grant ${id} something ${offline ? 'offline' : 'online'}, by what was read ${back ?? 'never'} ago`,
    run: ({ authorizations }, seen) =>
      authorizations.recordAuthorization(
        {
          ...exampleAuthorization(exampleClient(id), `${id}-${offline ? 'offline' : 'online'}`),
          ...(back === undefined ? {} : { session: seenSession(seen, back).sid }),
          offline,
        },
        exampleTime,
      ),
  })),
)

const sessionStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(generatedSid, fc.subarray(ids), cookie, time, time).map(([sid, clients, name, used_at, at]): Step => ({
    name: `sign in ${sid} with ${clients.join()} by the cookie ${name} at ${at}`,
    ...addSession({ ...exampleSession(sid, clients), auth_time: used_at, used_at }, cookieOf(name), at),
  })),
  fc.tuple(ago, ofId, ofLife, time).map(([back, id, life, at]): Step => ({
    name: `sign in to ${id} in its ${life} life at ${at}, by what was read ${back} ago`,
    run: ({ endUserSessions }, seen) => {
      const read = seenSession(seen, back)
      return endUserSessions.replaceSession(replacement(withClient(exampleSessionClient(id, life), at)(read), read))
    },
  })),
  fc.tuple(ago, time).map(([back, at]): Step => ({
    name: `use what was read ${back} ago at ${at}`,
    run: ({ endUserSessions }, seen) => {
      const read = seenSession(seen, back)
      return endUserSessions.replaceSession(replacement(usedSession(at)(read), read))
    },
  })),
)

const ending = fc.tuple(ago, fc.subarray(ids), ofLife, fc.boolean(), time, fc.boolean())
type Ending = typeof ending extends fc.Arbitrary<infer Value> ? Value : never

// A confirmation page is for one session.
const pageOf = (sid: string): TokenHash => exampleHash(`dialog-${sid.replace(' ', '-')}`)

const endedBy = ([back, notified, life, revokesOfflineAccess, at, byPage]: Ending, seen: Seen): EndedSession => {
  const session = seenSession(seen, back)
  const { sid } = session
  const ended = {
    session,
    notifications: notificationsFor(notified, life, at, sid),
    notificationLimits: { maxPerClient: 2, maxInAll: 4 },
    revokesOfflineAccess,
  }
  const by = { confirmation: pageOf(sid), answered_at: exampleTime, expires_at: secondsAfter(at, 300) }
  return byPage ? { ...ended, by } : ended
}

const logoutStep: fc.Arbitrary<Step> = fc.oneof(
  ending.map((how): Step => ({
    name: `end what was read, notify, in the life, revoke, at, by a page: ${how.join(' ')}`,
    run: ({ sessionTermination }, seen) => sessionTermination.endSession(endedBy(how, seen), noRow),
  })),
  fc.tuple(ago, ofId, time).map(([back, confirmation, at]): Step => ({
    name: `decline ${confirmation} in what was read ${back} ago, at ${at}`,
    run: ({ endUserSessions }, seen) => {
      const read = seenSession(seen, back)
      const declined = { confirmation: exampleHash(`dialog-${confirmation}`), expires_at: secondsAfter(at, 300) }
      return endUserSessions.replaceSession(replacement(withDeclined(declined, at)(read), read))
    },
  })),
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
  prepare: async ({ registry }) => {
    for (const id of ids) await done(registry.addClient(addition(exampleClient(id))))
  },
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
