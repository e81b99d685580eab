import * as O from 'fp-ts/lib/Option.js'
import {
  noLimits,
  secondsAfter,
  unknownClient,
  unknownSession,
  defaultNotificationLimits,
  type ClientAuthorization,
  type EndUserSession,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import { exampleAuthorization, exampleClient, exampleHash, exampleSession, exampleTime } from '../examples/examples.js'
import { type StoreHandles, type OpenStore, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore } from './contract.js'

const addSession = (
  { endUserSessions }: StoreHandles<'endUserSessions'>,
  session: EndUserSession,
  at = exampleTime,
): Promise<void> => done(endUserSessions.addSession(session, exampleHash(session.sid.replaceAll(/\W/g, '-')), at))

/**
 * The promises of ClientAuthorizations; the contract of ClientRegistry.removeClient covers their end with the client.
 */
export const clientAuthorizationsContract = (
  name: string,
  open: OpenStore<'registry' | 'authorizations' | 'endUserSessions' | 'sessionTermination'>,
): Contract => {
  const { test, tests } = collect(`ClientAuthorizations ${name}`)
  const client = exampleClient('a')
  const recorded = exampleAuthorization(client, 'one')
  const it = onNewStore(test, open, async (ports) => {
    await done(ports.registry.addClient(client, O.none, noLimits))
  })

  it('what was recorded is found as it was, under its kind and hash alone', async ({ authorizations }) => {
    await done(authorizations.recordAuthorization(recorded, exampleTime))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
    assert.equal(await done(authorizations.findAuthorization('access_token', recorded.hash)), O.none)
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, exampleHash('One'))), O.none)
  })

  it('nothing is recorded for a client that is not registered', async ({ authorizations }) => {
    const stray = exampleAuthorization(exampleClient('stranger'), 'stray')
    assert.equal(await refused(authorizations.recordAuthorization(stray, exampleTime)), unknownClient)
    assert.equal(await done(authorizations.findAuthorization(stray.kind, stray.hash)), O.none)
  })

  it('what is recorded again replaces what was', async ({ authorizations }) => {
    await done(authorizations.recordAuthorization(recorded, exampleTime))
    const next = { ...recorded, details: { subject: 'another' } }
    await done(authorizations.recordAuthorization(next, exampleTime))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(next))
  })

  it('what is revoked is gone, and the rest stays', async ({ authorizations }) => {
    const stored = { ...recorded, kind: 'access_token' as const }
    for (const each of [recorded, stored]) await done(authorizations.recordAuthorization(each, exampleTime))
    await done(authorizations.revokeAuthorization(recorded.kind, recorded.hash))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.none)
    assert.equal(await done(authorizations.findAuthorization(stored.kind, stored.hash)), O.some(stored))
  })

  it('to revoke what is not recorded does nothing', async ({ authorizations }) => {
    await done(authorizations.recordAuthorization(recorded, exampleTime))
    await done(authorizations.revokeAuthorization('sticky_grant', recorded.hash))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  it('the session that granted it and whether it is for offline access are kept, and replaced', async (ports) => {
    const { authorizations } = ports
    await addSession(ports, exampleSession('zoe "1"\\'))
    const granted = [{ session: 'zoe "1"\\' }, { session: 'other', offline: true }, { offline: true }, {}]
    for (const each of granted) {
      await done(authorizations.recordAuthorization({ ...recorded, ...each }, exampleTime))
      const found = await done(authorizations.findAuthorization(recorded.kind, recorded.hash))
      assert.equal(found, O.some({ ...recorded, ...each }))
    }
    await done(authorizations.recordAuthorization({ ...recorded, offline: false }, exampleTime))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  it('what a session granted that is not held is refused and replaces nothing, unless it is for offline access', async (ports) => {
    const { authorizations, sessionTermination } = ports
    const ended = exampleSession('ended')
    for (const session of [ended, exampleSession('held')]) await addSession(ports, session)
    await done(
      sessionTermination.endSession({
        session: ended,
        notifications: [],
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
      }),
    )
    await done(authorizations.recordAuthorization(recorded, exampleTime))
    for (const session of ['ended', 'never', 'Held', ''])
      for (const each of [{ session }, { session, offline: false }])
        assert.equal(
          await refused(authorizations.recordAuthorization({ ...recorded, ...each }, exampleTime)),
          unknownSession,
        )
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
    for (const each of [{ session: 'ended', offline: true }, { session: 'held' }]) {
      await done(authorizations.recordAuthorization({ ...recorded, ...each }, exampleTime))
      const found = await done(authorizations.findAuthorization(recorded.kind, recorded.hash))
      assert.equal(found, O.some({ ...recorded, ...each }))
    }
  })

  it('a client that is not registered is refused as such, whatever its session', async ({ authorizations }) => {
    const stray = { ...exampleAuthorization(exampleClient('stranger'), 'stray'), session: 'never' }
    assert.equal(await refused(authorizations.recordAuthorization(stray, exampleTime)), unknownClient)
  })

  it('what a session granted goes with it when it is forgotten as over, unless it is for offline access', async (ports) => {
    const { authorizations, endUserSessions } = ports
    for (const session of [exampleSession('over'), { ...exampleSession('longer'), idle_lifetime: 601 }])
      await addSession(ports, session)
    const granted = (text: string, given: Partial<ClientAuthorization>): ClientAuthorization => ({
      ...exampleAuthorization(client, text),
      ...given,
    })
    const online = granted('online', { session: 'over' })
    const access = granted('access', { session: 'over', kind: 'access_token' })
    const stored = [
      granted('offline', { session: 'over', offline: true }),
      granted('of-longer', { session: 'longer' }),
      granted('of-none', {}),
    ]
    for (const each of [online, access, ...stored]) await done(authorizations.recordAuthorization(each, exampleTime))
    await addSession(ports, exampleSession('next'), secondsAfter(exampleTime, 600))
    assert.equal(await done(endUserSessions.findSessionById('over')), O.none)
    for (const { kind, hash } of [online, access])
      assert.equal(await done(authorizations.findAuthorization(kind, hash)), O.none)
    for (const each of stored)
      assert.equal(await done(authorizations.findAuthorization(each.kind, each.hash)), O.some(each))
  })

  it('a sign-in that is refused forgets nothing of what was granted', async (ports) => {
    const { authorizations, endUserSessions } = ports
    const longer = { ...exampleSession('longer'), idle_lifetime: 601 }
    for (const session of [exampleSession('over'), longer]) await addSession(ports, session)
    const online = { ...recorded, session: 'over' }
    await done(authorizations.recordAuthorization(online, exampleTime))
    const taken = endUserSessions.addSession(longer, exampleHash('new'), secondsAfter(exampleTime, 600))
    assert.is((await refused(taken)).error, 'unavailable')
    assert.equal(await done(authorizations.findAuthorization(online.kind, online.hash)), O.some(online))
  })

  it('a client keeps what is recorded for it when it is replaced', async ({ registry, authorizations }) => {
    await done(authorizations.recordAuthorization(recorded, exampleTime))
    await done(registry.replaceClient({ ...client, version: 2 }, client))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  return tests
}
