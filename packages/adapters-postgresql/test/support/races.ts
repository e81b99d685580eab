// Races of three services on one database, for databases with different settings.
import { secondsAfter } from '@clientele/domain/kernel'
import { type EndUserSession, withClient } from '@clientele/domain/logout'
import { type ClientAuthorization, type EndedSession, noLimits } from '@clientele/domain/ports'
import {
  done,
  endOf,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  exampleToken,
  listed,
  updatedExample,
  addition,
  noRow,
  removal,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { query } from './query.js'
import { type Services, atOnce, expectOnly, numbers, successes } from './services.js'

export type Race = { readonly name: string; readonly run: (services: Services) => Promise<void> }

const ofAnonymous = (id: string) => ({ ...exampleClient(id), registered_by: 'nobody' as const })

const oneToken = async (services: Services): Promise<void> => {
  const [store] = services.stores
  for (const round of numbers(5)) {
    const { hash } = exampleToken(`round-${round}`)
    await done(store.initialAccessTokens.addInitialAccessToken(exampleToken(`round-${round}`), exampleTime, noRow))
    const outcomes = await atOnce(services, 90, ({ registry }, index) =>
      registry.addClient(addition(exampleClient(`client-${round}-${index}`), { consumedToken: O.some(hash) })),
    )
    expectOnly(outcomes, 'initial_access_token_spent')
    assert.is(successes(outcomes), 1)
    assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(hash)), O.none)
  }
  assert.is((await listed(store.registry)).length, 5)
}

const limits = async (services: Services): Promise<void> => {
  const [{ registry }] = services.stores
  const open = await atOnce(services, 30, (store, index) =>
    store.registry.addClient(addition(ofAnonymous(`open-${index}`), { limits: { ...noLimits, unusedOpenClients: 4 } })),
  )
  expectOnly(open, 'registry_full')
  assert.is(successes(open), 4)
  const all = await atOnce(services, 30, (store, index) =>
    store.registry.addClient(addition(exampleClient(`all-${index}`), { limits: { ...noLimits, clients: 11 } })),
  )
  expectOnly(all, 'registry_full')
  assert.is(successes(all), 7)
  assert.is((await listed(registry)).length, 11)
}

// A service with limits waits for others with limits only. There is room for one client in each round.
const mixedLimits = async (services: Services): Promise<void> => {
  for (const round of numbers(10)) {
    const outcomes = await atOnce(services, 9, ({ registry }, index) =>
      registry.addClient(
        addition(exampleClient(`mixed-${round}`), {
          limits: {
            ...noLimits,
            clients: index % 3 === 0 ? Infinity : round + 1,
          },
        }),
      ),
    )
    expectOnly(outcomes, 'client_id_taken')
    assert.is(successes(outcomes), 1)
  }
}

const updates = async (services: Services): Promise<void> => {
  const [store] = services.stores
  const client = exampleClient('a')
  await done(store.registry.addClient(addition(client)))
  const session = exampleSession('one')
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
  const clients = await atOnce(services, 12, ({ registry }, index) =>
    registry.replaceClient({ next: updatedExample(client, `by-${index}`), replacing: client, audit: noRow }),
  )
  expectOnly(clients, 'client_changed')
  assert.is(successes(clients), 1)
  const sessions = await atOnce(services, 12, ({ endUserSessions }) =>
    endUserSessions.replaceSession({
      next: withClient(exampleSessionClient('a'), secondsAfter(exampleTime, 60))(session),
      replacing: session,
      audit: noRow,
    }),
  )
  expectOnly(sessions, 'session_changed')
  assert.is(successes(sessions), 1)
}

const granted = (sid: string, text: string): ClientAuthorization => ({
  ...exampleAuthorization(exampleClient('a'), text),
  session: sid,
})

/** Authorizations beside the end of their session: what is left of them. */
export const recordBesideEnd = async (services: Services, rounds: number): Promise<ReadonlyArray<unknown>> => {
  const [store, other] = services.stores
  await done(store.registry.addClient(addition(exampleClient('a'))))
  for (const round of numbers(rounds)) {
    const session = exampleSession(`round-${round}`)
    await done(store.endUserSessions.addSession(session, exampleHash(`round-${round}`), exampleTime, noRow))
    const record = (index: number) => granted(session.sid, `round-${round}-${index}`)
    // One is recorded again, so that its row is replaced beside the end.
    await done(store.authorizations.recordAuthorization(record(0), exampleTime))
    const recordings = atOnce(services, 6, ({ authorizations }, index) =>
      authorizations.recordAuthorization(record(index), exampleTime),
    )
    const ended = await other.sessionTermination.endSession(endOf(session), noRow)()
    expectOnly([ended])
    expectOnly(await recordings, 'unknown_session')
  }
  return query(services.url, 'SELECT kind, hash, session FROM authorizations')
}

const outlive = async (services: Services): Promise<void> => {
  assert.equal(await recordBesideEnd(services, 100), [])
}

/** Rows that refer to nothing. */
const strays = `
SELECT 'client' AS of FROM session_clients WHERE client NOT IN (SELECT ordinal FROM clients) UNION ALL
SELECT 'session' FROM session_clients WHERE session NOT IN (SELECT ordinal FROM end_user_sessions) UNION ALL
SELECT 'authorization' FROM authorizations WHERE client NOT IN (SELECT ordinal FROM clients) UNION ALL
SELECT 'held' FROM authorizations WHERE offline = 0 AND session NOT IN (SELECT sid FROM end_user_sessions) UNION ALL
SELECT 'notification' FROM notifications WHERE client NOT IN (SELECT ordinal FROM clients)`

const ids = ['a', 'b', 'c', 'd']

const stormOn = (session: EndUserSession) => {
  const joined = ids.reduce(
    (each, id) => withClient(exampleSessionClient(id), secondsAfter(exampleTime, 1))(each),
    session,
  )
  const notifications = ids.map((id) => exampleNotification(`${session.sid}-to-${id}`, id))
  return { joined, ended: endOf(session, { notifications }), endedJoined: endOf(joined, { notifications }) }
}

const storm = async (services: Services): Promise<void> => {
  const [store] = services.stores
  for (const round of numbers(12)) {
    for (const id of ids) await store.registry.addClient(addition(ofAnonymous(id)))()
    const session = exampleSession(`storm-${round}`, round % 2 === 0 ? ids : [...ids].reverse())
    await done(store.endUserSessions.addSession(session, exampleHash(`storm-${round}`), exampleTime, noRow))
    const { joined, ended, endedJoined } = stormOn(session)
    const removals = atOnce(services, 8, ({ registry }, index) =>
      registry.removeClient(removal(exampleId(ids[index % 4] ?? 'a'))),
    )
    const replacements = atOnce(services, 6, ({ endUserSessions }) =>
      endUserSessions.replaceSession({ next: joined, replacing: session, audit: noRow }),
    )
    const recordings = atOnce(services, 8, ({ authorizations }, index) =>
      authorizations.recordAuthorization(
        {
          ...exampleAuthorization(exampleClient(ids[index % 4] ?? 'a'), `storm-${round}-${index % 3}`),
          session: session.sid,
        },
        exampleTime,
      ),
    )
    const ends = atOnce(services, 2, ({ sessionTermination }, index) =>
      sessionTermination.endSession(index === 0 ? ended : endedJoined, noRow),
    )
    expectOnly(await removals, 'unknown_client')
    expectOnly(await replacements, 'session_changed')
    expectOnly(await recordings, 'unknown_client', 'unknown_session')
    expectOnly(await ends, 'session_changed')
    assert.equal(await query(services.url, strays), [])
  }
}

const firstUse = async (services: Services): Promise<void> => {
  const [{ registry, endUserSessions }] = services.stores
  const began = performance.now()
  for (const round of numbers(5)) {
    const client = ofAnonymous(`unused-${round}`)
    await done(registry.addClient(addition(client)))
    const outcomes = await atOnce(services, 12, ({ authorizations }, index) =>
      authorizations.recordAuthorization(exampleAuthorization(client, `use-${round}-${index}`), exampleTime),
    )
    expectOnly(outcomes)
  }
  await done(endUserSessions.listSessions('zoe'))
  // A deadlock is found after a second.
  assert.ok(performance.now() - began < 4_000, 'the first uses of a client wait for each other')
}

const claims = async (services: Services): Promise<void> => {
  const [store] = services.stores
  await done(store.registry.addClient(addition(exampleClient('a'))))
  const session = exampleSession('one', ['a'])
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
  const notifications = numbers(60).map((index) => ({
    ...exampleNotification(`to-${index}`, 'a'),
    uri: `https://receiver-${index % 20}.example/logout`,
  }))
  await done(store.sessionTermination.endSession(endOf(session, { notifications }), noRow))
  const outcomes = await atOnce(services, 12, ({ pendingNotifications }, index) =>
    pendingNotifications.claimDue(
      secondsAfter(exampleTime, 1),
      { holder: `holder-${index}`, until: secondsAfter(exampleTime, 60) },
      7,
    ),
  )
  expectOnly(outcomes)
  const claimed = outcomes.flatMap((each) => (E.isRight(each) ? each.right : []))
  assert.is(new Set(claimed.map(({ id }) => id)).size, claimed.length)
  const [several] = await query(
    services.url,
    `SELECT count(*)::int AS receivers FROM (SELECT receiver FROM notifications WHERE claimed_by IS NOT NULL
     GROUP BY receiver HAVING count(DISTINCT claimed_by) > 1) AS of_several`,
  )
  assert.equal(several, { receivers: 0 })
}

// Ends at the same moment do not see each other's notifications; the next one removes those above the limit.
const notificationLimits = async (services: Services): Promise<void> => {
  const [{ registry, endUserSessions, sessionTermination }] = services.stores
  await done(registry.addClient(addition(exampleClient('a'))))
  const sessions = numbers(13).map((index) => exampleSession(`limited-${index}`, ['a']))
  for (const each of sessions) await done(endUserSessions.addSession(each, exampleHash(each.sid), exampleTime, noRow))
  const end = (index: number): EndedSession =>
    endOf(sessions[index] ?? exampleSession('none'), {
      notifications: numbers(5).map((nth) => exampleNotification(`limited-${index}-${nth}`, 'a')),
      notificationLimits: { maxPerClient: 7, maxInAll: 6 },
    })
  expectOnly(await atOnce(services, 12, (store, index) => store.sessionTermination.endSession(end(index), noRow)))
  await done(sessionTermination.endSession(end(12), noRow))
  assert.equal(await query(services.url, 'SELECT count(*)::int AS stored FROM notifications'), [{ stored: 6 }])
}

const late = secondsAfter(exampleTime, 7200)

const removingExpired = async (services: Services): Promise<void> => {
  const [{ registry, initialAccessTokens, endUserSessions }] = services.stores
  await done(registry.addClient(addition(exampleClient('a'))))
  for (const round of numbers(10)) {
    const session = exampleSession(`over-${round}`, ['a'])
    const token = exampleToken(`expired-${round}`)
    await done(endUserSessions.addSession(session, exampleHash(`over-${round}`), exampleTime, noRow))
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime, noRow))
    const uses = [
      atOnce(services, 6, (store, index) =>
        store.endUserSessions.addSession(
          exampleSession(`${round}-${index}`),
          exampleHash(`${round}-${index}`),
          late,
          noRow,
        ),
      ),
      atOnce(services, 6, (store, index) =>
        store.initialAccessTokens.addInitialAccessToken(
          { ...exampleToken(`later-${round}-${index}`), expires_at: secondsAfter(late, 60) },
          late,
          noRow,
        ),
      ),
      atOnce(services, 6, (store, index) =>
        store.authorizations.recordAuthorization(granted(session.sid, `forgotten-${round}-${index}`), late),
      ),
      atOnce(services, 3, (store) => store.sessionTermination.endSession(endOf(session), noRow)),
      atOnce(services, 3, (store) =>
        store.endUserSessions.replaceSession({ next: { ...session, version: 2 }, replacing: session, audit: noRow }),
      ),
      atOnce(services, 6, (store, index) =>
        store.registry.addClient(
          addition(exampleClient(`by-expired-${round}-${index}`), { consumedToken: O.some(token.hash) }),
        ),
      ),
    ]
    for (const use of uses) expectOnly(await use, 'unknown_session', 'session_changed', 'initial_access_token_spent')
  }
  assert.equal(await query(services.url, strays), [])
}

export const races: ReadonlyArray<Race> = [
  { name: 'one of 90 registrations with one initial access token succeeds', run: oneToken },
  { name: 'the limits are exact', run: limits },
  { name: 'one of the registrations of an id succeeds, with limits and without', run: mixedLimits },
  { name: 'one of the updates of a version succeeds', run: updates },
  { name: 'no authorization outlives its session', run: outlive },
  { name: 'removals, replacements and ends leave no stray rows', run: storm },
  { name: 'the first uses of a client do not wait for each other', run: firstUse },
  { name: 'each due notification is claimed by one service', run: claims },
  { name: 'ends at once remove notifications above the limits', run: notificationLimits },
  { name: 'expired rows are removed beside their use', run: removingExpired },
]
