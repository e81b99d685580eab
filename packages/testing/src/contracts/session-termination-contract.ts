import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  noLimits,
  secondsAfter,
  sessionChanged,
  usedSession,
  defaultNotificationLimits,
  type ClientAuthorization,
  type EndedSession,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSubject,
  exampleTime,
} from '../examples/examples.js'
import { type OpenStore, type StoreHandle, type StoreHandles, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const session = exampleSession('one', ['a', 'b'])
const other = exampleSession('other', ['a'])
const ofAnother = { ...exampleSession('One'), sub: exampleSubject('max') }
const notifications = [exampleNotification('to-b', 'b'), exampleNotification('to-a', 'a')]
const owed = notifications.map((notification) => ({
  ...notification,
  attempts: 0,
  due_at: exampleTime,
  failed: false,
  note: '',
}))
const ended: EndedSession = {
  session,
  notifications,
  notificationLimits: defaultNotificationLimits,
  revokesOfflineAccess: false,
}

const granted = (text: string, given: Partial<ClientAuthorization>): ClientAuthorization => ({
  ...exampleAuthorization(exampleClient('a'), text),
  ...given,
})
const online = granted('online', { session: 'one', kind: 'access_token' })
const offline = granted('offline', { session: 'one', offline: true })
const stored = [granted('of-other', { session: 'other' }), granted('of-none', {}), granted('case', { session: 'One' })]

type Used = 'registry' | 'authorizations' | 'endUserSessions' | 'sessionTermination' | 'pendingNotifications'

/** Sessions with their authorizations. */
const prepare = async (ports: Pick<StoreHandle, Used>): Promise<void> => {
  for (const id of ['a', 'b', 'c']) await done(ports.registry.addClient(exampleClient(id), O.none, noLimits))
  for (const each of [session, other, ofAnother])
    await done(ports.endUserSessions.addSession(each, exampleHash(`cookie-${each.sid}`), exampleTime))
  for (const each of [online, offline, ...stored])
    await done(ports.authorizations.recordAuthorization(each, exampleTime))
}

const present = async ({
  endUserSessions,
  authorizations,
  pendingNotifications,
}: StoreHandles<Used>): Promise<unknown> => ({
  sessions: await done(endUserSessions.listSessions('zoe')),
  owed: await done(pendingNotifications.listNotifications(100)),
  granted: (
    await Promise.all(
      [online, offline, ...stored].map(({ kind, hash }) => done(authorizations.findAuthorization(kind, hash))),
    )
  ).flatMap(
    O.match(
      () => [],
      (each) => [each],
    ),
  ),
})

const untouched = { sessions: [session, other], owed: [], granted: [online, offline, ...stored] }
const signedOut = { sessions: [other], owed, granted: [offline, ...stored] }

/** The promises of Logouts. */
export const sessionTerminationContract = (name: string, open: OpenStore<Used>): Contract => {
  const { test, tests } = collect(`Logouts ${name}`)
  const it = onNewStore(test, open, prepare)

  it('a session ends: it is gone with what it granted online, and its notices are owed', async (ports) => {
    assert.equal(await present(ports), untouched)
    await done(ports.sessionTermination.endSession(ended))
    assert.equal(await present(ports), signedOut)
    assert.equal(await done(ports.endUserSessions.findSession(exampleHash('cookie-one'))), O.none)
    assert.equal(await done(ports.endUserSessions.findSessionById('one')), O.none)
  })

  it('what was granted for offline access goes as well where it is to be revoked', async (ports) => {
    await done(
      ports.sessionTermination.endSession({
        ...ended,
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: true,
      }),
    )
    assert.equal(await present(ports), { ...signedOut, granted: stored })
  })

  it('a session that is not as it was read does not end', async (ports) => {
    const { endUserSessions, sessionTermination } = ports
    const next = usedSession(secondsAfter(exampleTime, 1))(session)
    await done(endUserSessions.replaceSession(next, session))
    assert.equal(await refused(sessionTermination.endSession(ended)), sessionChanged)
    assert.equal(await present(ports), { ...untouched, sessions: [next, other] })
    await done(sessionTermination.endSession({ ...ended, session: next }))
    assert.equal(await present(ports), signedOut)
  })

  it('a session that has ended or never was does not end', async (ports) => {
    await done(ports.sessionTermination.endSession(ended))
    for (const each of [ended, { ...ended, session: exampleSession('stranger') }])
      assert.equal(await refused(ports.sessionTermination.endSession(each)), sessionChanged)
    assert.equal(await present(ports), signedOut)
  })

  it('when a notice cannot be kept nothing ends', async (ports) => {
    const { sessionTermination } = ports
    await done(
      sessionTermination.endSession({
        session: other,
        notifications: [exampleNotification('same', 'a')],
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
      }),
    )
    const before = await present(ports)
    const colliding = { ...ended, notifications: [...notifications, exampleNotification('same', 'b')] }
    assert.is((await refused(sessionTermination.endSession(colliding))).error, 'unavailable')
    assert.equal(await present(ports), before)
  })

  it('the dialog that ended a session is remembered, and no other; those that had expired may be forgotten', async (ports) => {
    const { sessionTermination } = ports
    const by = {
      confirmation: exampleHash('dialog'),
      answered_at: exampleTime,
      expires_at: secondsAfter(exampleTime, 300),
    }
    const stranger = { ...ended, session: exampleSession('stranger'), by }
    assert.equal(await refused(sessionTermination.endSession(stranger)), sessionChanged)
    assert.is(await done(sessionTermination.hasEnded(by.confirmation)), false)
    await done(sessionTermination.endSession({ ...ended, by }))
    assert.equal(
      [
        await done(sessionTermination.hasEnded(by.confirmation)),
        await done(sessionTermination.hasEnded(exampleHash('Dialog'))),
      ],
      [true, false],
    )
    const next = {
      confirmation: exampleHash('next'),
      answered_at: by.expires_at,
      expires_at: secondsAfter(by.expires_at, 300),
    }
    await done(
      sessionTermination.endSession({
        session: other,
        notifications: [],
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
        by: next,
      }),
    )
    assert.equal(
      [
        await done(sessionTermination.hasEnded(by.confirmation)),
        await done(sessionTermination.hasEnded(next.confirmation)),
      ],
      [true, true],
    )
    const last = {
      confirmation: exampleHash('last'),
      answered_at: secondsAfter(by.expires_at, 1),
      expires_at: next.expires_at,
    }
    await done(
      sessionTermination.endSession({
        session: ofAnother,
        notifications: [],
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
        by: last,
      }),
    )
    assert.equal(
      [
        await done(sessionTermination.hasEnded(by.confirmation)),
        await done(sessionTermination.hasEnded(next.confirmation)),
      ],
      [false, true],
    )
  })

  it('beyond the limit of a client its notices that were written first give way, whatever became of them', async (ports) => {
    const { sessionTermination, pendingNotifications } = ports
    const notificationLimits = { maxPerClient: 2, maxInAll: 100 }
    for (const [index, gaveWay] of [0, 0, 1, 1].entries()) {
      const each = exampleSession(`more-${index}`, ['a', 'b'])
      await done(ports.endUserSessions.addSession(each, exampleHash(`cookie-more-${index}`), exampleTime))
      const reported = [
        exampleNotification(`to-a-${index}`, 'a'),
        ...(index === 0 ? [exampleNotification('to-b-0', 'b')] : []),
      ]
      const ends = { ...ended, session: each, notifications: reported, notificationLimits }
      assert.equal(await done(sessionTermination.endSession(ends)), { gaveWay })
      if (index !== 1) continue
      const claim = { holder: 'instance', until: secondsAfter(exampleTime, 60) }
      await done(pendingNotifications.claimDue(exampleTime, claim, 100))
      const failed = { id: 'to-a-1', kind: 'failed', attempts: 9, due_at: exampleTime, note: '' } as const
      await done(pendingNotifications.recordTries(claim.holder, [failed]))
    }
    const left = (await done(pendingNotifications.listNotifications(100))).map(({ id }) => id)
    assert.equal(left, ['to-b-0', 'to-a-2', 'to-a-3'])
  })

  it('beyond the limit of all, those of any client that were written first give way', async (ports) => {
    const { sessionTermination, pendingNotifications } = ports
    const notificationLimits = { maxPerClient: 100, maxInAll: 3 }
    for (const [index, gaveWay] of [0, 1, 2].entries()) {
      const each = exampleSession(`more-${index}`, ['a', 'b'])
      await done(ports.endUserSessions.addSession(each, exampleHash(`cookie-more-${index}`), exampleTime))
      const reported = [exampleNotification(`to-a-${index}`, 'a'), exampleNotification(`to-b-${index}`, 'b')]
      const ends = { ...ended, session: each, notifications: reported, notificationLimits }
      assert.equal(await done(sessionTermination.endSession(ends)), { gaveWay })
    }
    const left = (await done(pendingNotifications.listNotifications(100))).map(({ id }) => id)
    assert.equal(left, ['to-b-1', 'to-a-2', 'to-b-2'])
  })

  it('of 20 that end the same session at once, by two handles, one wins', async (ports) => {
    const endings = Array.from({ length: 20 }, (_, index) => ({
      ...ended,
      notifications: notifications.map((notification) => ({ ...notification, id: `${notification.id} ${index}` })),
    }))
    const outcomes = await race(ports, endings, (handle, each) => handle.sessionTermination.endSession(each))
    assert.equal(
      outcomes.filter(E.isLeft),
      Array.from({ length: 19 }, () => E.left(sessionChanged)),
    )
    const winner = outcomes.findIndex(E.isRight)
    assert.equal(await present(ports), {
      ...signedOut,
      owed: owed.map((each) => ({ ...each, id: `${each.id} ${winner}` })),
    })
  })

  return tests
}
