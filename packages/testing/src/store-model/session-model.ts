import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type EndUserSession, usedSession, withClient, withDeclined } from '@clientele/domain/logout'
import type { EndedSession, StoragePorts } from '@clientele/domain/ports'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { done } from '../contracts/contract.js'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  addition,
  removal,
  noRow,
} from '../examples/examples.js'
import { addSession, cookie, cookieOf, cookies } from './add-session.js'
import { lookAtNotifications, notificationStep } from './notification-steps.js'
import { type Seen, type Step, type StoreModel, ago, time } from './step.js'

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
      return endUserSessions.replaceSession({
        next: withClient(exampleSessionClient(id, life), at)(read),
        replacing: read,
        audit: noRow,
      })
    },
  })),
  fc.tuple(ago, time).map(([back, at]): Step => ({
    name: `use what was read ${back} ago at ${at}`,
    run: ({ endUserSessions }, seen) => {
      const read = seenSession(seen, back)
      return endUserSessions.replaceSession({ next: usedSession(at)(read), replacing: read, audit: noRow })
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
      return endUserSessions.replaceSession({ next: withDeclined(declined, at)(read), replacing: read, audit: noRow })
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
