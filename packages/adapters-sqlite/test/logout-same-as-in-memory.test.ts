import {
  type EndUserSession,
  type EpochSeconds,
  noLimits,
  secondsAfter,
  usedSession,
  withClient,
  withDeclined,
  type StoragePorts,
} from '@clientele/domain'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleTime,
} from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import { explained } from './support/explained.js'
import { openOnce } from './support/temporary-store.js'

const model = suite('sessions and notices on SQLite and in memory')

type Ports = StoragePorts
/** The values that an operation has read, the latest last, and may use later. */
type Seen = { readonly sessions: ReadonlyArray<EndUserSession>; readonly notifications: ReadonlyArray<string> }
type Step = {
  readonly name: string
  readonly run: (ports: Ports, seen: Seen) => Promise<E.Either<unknown, unknown>>
}

const numRuns = Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 200) / 4)
const ids = ['a', 'b', 'B']
const cookies = ['one', 'other']
const ofId = fc.constantFrom(...ids)
const ofCookie = fc.constantFrom(...cookies)
// Without shrinking, so that no counterexample has a sid twice, which the service never generates.
const generatedSid = fc.noShrink(fc.integer({ min: 1, max: 1_000_000_000 })).map((drawn) => `session ${drawn}`)
const time = fc.integer({ min: 0, max: 12 }).map((steps): EpochSeconds => secondsAfter(exampleTime, steps * 100))
const cookieOf = (name: string) => exampleHash(`cookie-${name}`)

/** How long ago a value was read: mostly the latest. */
const ago = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 12 }))
const seenSession = ({ sessions }: Seen, back: number): EndUserSession => sessions.at(-back) ?? exampleSession('never')

const notificationsFor = (clients: ReadonlyArray<string>, at: EpochSeconds, sid: string) =>
  clients.map((id) => ({
    ...exampleNotification(`${sid} to ${id} at ${at}`, id),
    uri: `https://${id === 'a' ? 'one' : 'other'}.example/${id}`,
    created_at: at,
  }))

const client = fc.tuple(ofId, fc.constantFrom('first', 'second')).map(([id, life]) => exampleClient(id, life))
const clientStep: fc.Arbitrary<Step> = fc.oneof(
  client.map((each) => ({
    name: `register ${each.registration_access_token.hash}`,
    run: ({ registry }: Ports) => registry.addClient(each, O.none, noLimits)(),
  })),
  client.map((each) => ({
    name: `remove ${each.registration_access_token.hash}`,
    run: ({ registry }: Ports) => registry.removeClient(each.client_id, O.some(each.registration_access_token.hash))(),
  })),
  fc.tuple(ofId, fc.option(ago, { nil: undefined }), fc.boolean()).map(([id, back, offline]) => ({
    name: `grant ${id} something ${offline ? 'offline' : 'online'}, by what was read ${back ?? 'never'} ago`,
    run: ({ authorizations }: Ports, seen: Seen) =>
      authorizations.recordAuthorization(
        {
          ...exampleAuthorization(exampleClient(id), `${id}-${offline ? 'offline' : 'online'}`),
          ...(back === undefined ? {} : { session: seenSession(seen, back).sid }),
          offline,
        },
        exampleTime,
      )(),
  })),
)

const sessionStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(generatedSid, fc.subarray(ids), ofCookie, time, time).map(([sid, clients, cookie, used_at, at]) => ({
    name: `sign in ${sid} with ${clients.join()} by the cookie of ${cookie} at ${at}`,
    run: ({ endUserSessions }: Ports) =>
      endUserSessions.addSession({ ...exampleSession(sid, clients), used_at }, cookieOf(cookie), at)(),
  })),
  fc.tuple(ago, ofId, time).map(([back, id, at]) => ({
    name: `sign in to ${id} at ${at}, by what was read ${back} ago`,
    run: ({ endUserSessions }: Ports, seen: Seen) => {
      const read = seenSession(seen, back)
      return endUserSessions.replaceSession(withClient(exampleSessionClient(id), at)(read), read)()
    },
  })),
  fc.tuple(ago, time).map(([back, at]) => ({
    name: `use what was read ${back} ago at ${at}`,
    run: ({ endUserSessions }: Ports, seen: Seen) => {
      const read = seenSession(seen, back)
      return endUserSessions.replaceSession(usedSession(at)(read), read)()
    },
  })),
)

const ending = fc.tuple(ago, fc.subarray(ids), fc.boolean(), time)
const endedBy = (
  [back, reported, revokesOfflineAccess, at]: readonly [number, Array<string>, boolean, EpochSeconds],
  seen: Seen,
) => {
  const session = seenSession(seen, back)
  return {
    session,
    notifications: notificationsFor(reported, at, session.sid),
    notificationLimits: { maxPerClient: 2, maxInAll: 4 },
    revokesOfflineAccess,
  }
}
const logoutStep: fc.Arbitrary<Step> = fc.oneof(
  ending.map((how) => ({
    name: `end what was read, tell, revoke, at: ${how.join(' ')}`,
    run: ({ sessionTermination }: Ports, seen: Seen) => sessionTermination.endSession(endedBy(how, seen))(),
  })),
  fc.tuple(ago, ofId, time).map(([back, confirmation, at]) => ({
    name: `decline ${confirmation} in what was read ${back} ago, at ${at}`,
    run: ({ endUserSessions }: Ports, seen: Seen) => {
      const read = seenSession(seen, back)
      const declined = { confirmation: exampleHash(`dialog-${confirmation}`), expires_at: secondsAfter(at, 300) }
      return endUserSessions.replaceSession(withDeclined(declined, at)(read), read)()
    },
  })),
)

const holders = ['one', 'other']
const notificationStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...holders), time, fc.nat(500), fc.integer({ min: 1, max: 4 }))
      .map(([holder, at, length, max]) => ({
        name: `${holder} claims ${max} that are due at ${at}, for ${length} seconds`,
        run: ({ pendingNotifications }: Ports) =>
          pendingNotifications.claimDue(at, { holder, until: secondsAfter(at, length) }, max)(),
      })),
  },
  fc
    .tuple(fc.constantFrom(...holders), ago, fc.constantFrom('delivered', 'later', 'failed'), fc.nat(9), time)
    .map(([holder, back, kind, attempts, due_at]) => ({
      name: `${holder} found the notice that was read ${back} ago to be ${kind}, and due at ${due_at}`,
      run: ({ pendingNotifications }: Ports, { notifications }: Seen) => {
        const id = notifications.at(-back) ?? 'never'
        const tried =
          kind === 'delivered' ? ({ id, kind } as const) : ({ id, kind, attempts, due_at, note: 'in vain' } as const)
        return pendingNotifications.recordTries(holder, [tried])()
      },
    })),
  time.map((at) => ({
    name: `retry at ${at}`,
    run: ({ pendingNotifications }: Ports) => pendingNotifications.retryNotifications(O.none, at)(),
  })),
  time.map((at) => ({
    name: `forget notices from before ${at}`,
    run: ({ pendingNotifications }: Ports) => pendingNotifications.purgeNotifications(at)(),
  })),
)

const everything = async ({ endUserSessions, authorizations, pendingNotifications }: Ports, seen: Seen) => ({
  byCookie: await Promise.all(cookies.map((name) => done(endUserSessions.findSession(cookieOf(name))))),
  bySid: await Promise.all(seen.sessions.slice(-5).map(({ sid }) => done(endUserSessions.findSessionById(sid)))),
  sessions: await done(endUserSessions.listSessions('zoe')),
  notifications: await done(pendingNotifications.listNotifications(100)),
  next: await Promise.all(
    holders.map((holder) => done(pendingNotifications.nextDue(secondsAfter(exampleTime, 500), holder))),
  ),
  granted: await Promise.all(
    ids.flatMap((id) =>
      ['online', 'offline'].map((how) =>
        done(authorizations.findAuthorization('refresh_token', exampleHash(`${id}-${how}`))),
      ),
    ),
  ),
})

const codeOf = (outcome: E.Either<unknown, unknown>): unknown =>
  E.isLeft(outcome) && typeof outcome.left === 'object' && outcome.left !== null && 'error' in outcome.left
    ? outcome.left.error
    : outcome

const step = fc.oneof(
  clientStep,
  { weight: 2, arbitrary: sessionStep },
  { weight: 2, arbitrary: logoutStep },
  { weight: 3, arbitrary: notificationStep },
)

model('answer alike and hold the same, whatever happens, one after the other or at once', async () => {
  const happening = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 16 })
  const alike = fc.asyncProperty(happening, async (groups) => {
    const onDisk = await openOnce()
    let state = emptyState()
    let seen: Seen = { sessions: [], notifications: [] }
    try {
      for (const each of [inMemoryStore(state), onDisk])
        for (const id of ids) await done(each.registry.addClient(exampleClient(id), O.none, noLimits))
      for (const steps of groups) {
        const before = seen
        const runs = steps.map(
          ({ run }) =>
            (ports: Ports) =>
              run(ports, before).then(codeOf),
        )
        const outcomes = await Promise.all(runs.map((run) => run(onDisk)))
        const present = await everything(onDisk, before)
        state = await explained(state, runs, (ports) => everything(ports, before), { outcomes, present })
        const notifications = [...before.notifications, ...present.notifications.map(({ id }) => id)]
        seen = { sessions: [...before.sessions, ...present.sessions], notifications }
      }
    } finally {
      await onDisk.close()
    }
  })
  await fc.assert(alike, { numRuns, includeErrorInReport: true })
})

model.run()
