// The changes of keys, sessions and notifications by operators are stored with their audit rows, or neither is.
import {
  type AuditRow,
  type ForeignKey,
  defaultNotificationLimits,
  newRing,
  noLimits,
  secondsAfter,
  usedSession,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { namedKey } from '../arbitraries/key-history.js'
import { exampleClient, exampleHash, exampleSession, exampleTime } from '../examples/examples.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, type StoreHandles, done, refused } from './open-store.js'
import { at, owe, owedEntry } from './owed-notifications.js'

type Used =
  | 'registry'
  | 'keyRings'
  | 'foreignKeys'
  | 'endUserSessions'
  | 'sessionTermination'
  | 'pendingNotifications'
  | 'auditLog'

const row = (name: string): AuditRow => ({
  at: exampleTime,
  client_id: null,
  actor: 'actor-1',
  actor_name: null,
  entry: JSON.stringify({ name }),
  mac: exampleHash(`mac-${name}`),
})

const written = async ({ auditLog }: Pick<StoreHandles<Used>, 'auditLog'>): Promise<ReadonlyArray<string>> =>
  (await done(auditLog.listAudit({ max: 1000 }))).rows
    .map(({ entry }) => (JSON.parse(entry) as { name: string }).name)
    .sort()

const policy = { lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }
const ring = newRing(policy, exampleTime)('ES256', 'sig', namedKey('ES256'))
const foreign: ForeignKey = { kid: 'f', alg: 'ES256', jwk: namedKey('ES256').jwk, publishedAt: exampleTime }
const session = exampleSession('one', ['a'])
const cookie = exampleHash('cookie-one')
const ended = { session, notifications: [], notificationLimits: defaultNotificationLimits, revokesOfflineAccess: false }

/** The promise of the ports of operators that take an audit row, beside those of clients and tokens. */
export const auditOperationsContract = (name: string, open: OpenStore<Used>): Contract => {
  const { test, tests } = collect(`audit rows of operators ${name}`)
  const it = onNewStore(test, open)

  it('a row by itself is written once, and both handles read it', async (ports) => {
    await done(ports.auditLog.addAuditRow(row('read')))
    assert.equal(await written(ports), ['read'])
    assert.equal(await written(ports.other), ['read'])
  })

  it('replaced key rings have their row; without effect, there is none', async (ports) => {
    const { keyRings } = ports
    const now = await done(keyRings.readStoreTime)
    const added = [{ next: ring, replacing: O.none }]
    await done(keyRings.replaceKeyRings(added, now, row('added')))
    await refused(keyRings.replaceKeyRings(added, now, row('again')))
    const next = { ...ring, version: ring.version + 1 }
    await done(keyRings.replaceKeyRings([{ next, replacing: O.some(ring) }], now, row('replaced')))
    await refused(keyRings.replaceKeyRings([{ next, replacing: O.some(ring) }], now, row('stale')))
    await refused(
      keyRings.replaceKeyRings([{ next: { ...next, version: 9 }, replacing: O.some(next) }], exampleTime, row('late')),
    )
    assert.equal(await written(ports), ['added', 'replaced'])
  })

  it('of replacements of a ring at once, the one that wins has its row', async (ports) => {
    const now = await done(ports.keyRings.readStoreTime)
    await done(ports.keyRings.replaceKeyRings([{ next: ring, replacing: O.none }], now))
    const names = ['a', 'b', 'c', 'd']
    const outcomes = await race(ports, names, ({ keyRings }, each) =>
      keyRings.replaceKeyRings([{ next: { ...ring, version: 2 }, replacing: O.some(ring) }], now, row(each)),
    )
    const winners = names.filter((_, place) => outcomes[place]?._tag === 'Right')
    assert.is(winners.length, 1)
    assert.equal(await written(ports), winners)
  })

  it('keys of other signers that are added and removed have their rows', async (ports) => {
    const { foreignKeys } = ports
    await done(foreignKeys.addForeignKeys([foreign], row('added')))
    await refused(foreignKeys.addForeignKeys([foreign], row('again')))
    assert.is(await done(foreignKeys.removeForeignKey('f', row('removed'))), true)
    assert.is(await done(foreignKeys.removeForeignKey('f', row('gone'))), false)
    assert.equal(await written(ports), ['added', 'removed'])
  })

  it('a session that is started, used and ended has its rows; an outdated version none', async (ports) => {
    const { endUserSessions, sessionTermination } = ports
    await done(ports.registry.addClient(exampleClient('a'), O.none, noLimits))
    await done(endUserSessions.addSession(session, cookie, exampleTime, row('added')))
    await refused(endUserSessions.addSession({ ...session, sub: ended.session.sub }, cookie, exampleTime, row('taken')))
    const next = usedSession(secondsAfter(exampleTime, 1))(session)
    await done(endUserSessions.replaceSession(next, session, row('replaced')))
    await refused(endUserSessions.replaceSession(next, session, row('stale')))
    await refused(sessionTermination.endSession(ended, row('outdated')))
    await done(sessionTermination.endSession({ ...ended, session: next }, row('ended')))
    await refused(sessionTermination.endSession({ ...ended, session: next }, row('gone')))
    assert.equal(await written(ports), ['added', 'ended', 'replaced'])
  })

  it('a retry of several notifications has one row, and one of none has no row', async (ports) => {
    const { pendingNotifications } = ports
    await done(ports.registry.addClient(exampleClient('a'), O.none, noLimits))
    await owe(ports, owedEntry('first', 1), owedEntry('second', 2))
    assert.is(await done(pendingNotifications.retryNotifications(O.none, at(30), row('none'))), 0)
    await done(pendingNotifications.claimDue(at(3), { holder: 'instance', until: at(2_000) }, 100))
    const failed = { kind: 'failed', attempts: 9, due_at: at(7), note: 'no answer' } as const
    await done(
      pendingNotifications.recordTries('instance', [
        { id: 'first', ...failed },
        { id: 'second', ...failed },
      ]),
    )
    assert.is(await done(pendingNotifications.retryNotifications(O.none, at(30), row('both'))), 2)
    assert.is(await done(pendingNotifications.retryNotifications(O.some('first'), at(30), row('waits'))), 0)
    assert.equal(await written(ports), ['both'])
  })

  return tests
}
