import {
  newRing,
  noLimits,
  registryFull,
  secondsAfter,
  withDeclined,
  type RegisteredClient,
  defaultNotificationLimits,
} from '@clientele/domain'
import {
  done,
  replaceRings,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleParking,
  exampleSession,
  exampleTime,
  exampleToken,
  listed,
  namedKey,
  refused,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asVersion } from './support/as-version.js'
import { beside } from './support/beside.js'
import { encryptionWith } from './support/encryption.js'
import { ofAnyRegistration } from './support/of-any-registration.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const schemaVersion = 23

const migrate = suite('migrate')

/** All rows of some tables of the file. */
const rowsOf = (file: string, ...tables: ReadonlyArray<string>): unknown =>
  beside(file, (db) => tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()))

migrate(
  'a session of the tenth version has the logout confirmations that its end-user declined',
  inFolder(async (file) => {
    const before = await opened(file)
    const declined = { confirmation: exampleHash('declined'), expires_at: secondsAfter(exampleTime, 300) }
    const session = withDeclined(declined, exampleTime)(exampleSession('declining'))
    await done(before.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    await before.close()
    asVersion(file, 10)
    assert.match(JSON.stringify(rowsOf(file, 'end_user_sessions')), 'dialog')
    const store = await opened(file)
    assert.equal(await done(store.endUserSessions.findSessionById(session.sid)), O.some(session))
    await store.close()
  }),
)

migrate(
  'clients of the first version stay what they are, are counted, and count as registered by a token',
  inFolder(async (file) => {
    const before = await opened(file)
    const clients = ['a', 'b', 'c'].map((id) => exampleClient(id))
    for (const client of clients) await done(before.registry.addClient(client, O.none, noLimits))
    await before.close()
    asVersion(file, 1)
    const store = await opened(file)
    assert.equal(ofAnyRegistration(await listed(store.registry)), ofAnyRegistration(clients))
    const limits = { ...noLimits, clients: 3 }
    assert.equal(await refused(store.registry.addClient(exampleClient('d'), O.none, limits)), registryFull)
    await done(store.registry.addClient(exampleClient('d'), O.none, { ...noLimits, clients: 4 }))
    await store.close()
  }),
)

migrate(
  'a store of the third version keeps all that it has, and begins without sessions and notices',
  inFolder(async (file) => {
    const before = await opened(file)
    const clients = ['a', 'b', 'c'].map((id) => exampleClient(id))
    for (const client of clients) await done(before.registry.addClient(client, O.none, noLimits))
    const recorded = clients.map((client) => exampleAuthorization(client, `of-${String(client.client_id)}`))
    for (const each of recorded) await done(before.authorizations.recordAuthorization(each, exampleTime))
    await done(before.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime))
    const next = newRing({ lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }, exampleTime)(
      'ES256',
      'sig',
      namedKey('ES256'),
    )
    await done(replaceRings(before.keyRings)([{ next, replacing: O.none }]))
    await before.close()
    asVersion(file, 3)
    const rows = rowsOf(file, 'client_count')

    const store = await opened(file, { expectExisting: true })
    assert.equal(rowsOf(file, 'client_count'), rows)
    assert.equal(
      await done(store.initialAccessTokens.findInitialAccessToken(exampleToken('one').hash)),
      O.some(exampleToken('one')),
    )
    assert.equal(await done(store.keyRings.readKeyRings), [next])
    const stored = await listed(store.registry)
    assert.equal(ofAnyRegistration(stored), ofAnyRegistration(clients))
    const granted = async () => {
      const found = recorded.map(({ kind, hash }) => done(store.authorizations.findAuthorization(kind, hash)))
      return O.sequenceArray(await Promise.all(found))
    }
    const asRecorded = await granted()
    assert.equal(ofAnyRegistration(asRecorded), ofAnyRegistration(O.some(recorded)))
    const session = exampleSession('one')
    await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    const notifications = stored
      .map(({ registration_id }) => ({ ...exampleNotification('to-a', 'a'), registration_id }))
      .slice(0, 1)
    await done(
      store.sessionTermination.endSession({
        session,
        notifications,
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: true,
      }),
    )
    assert.is((await done(store.pendingNotifications.listNotifications(100))).length, 1)
    assert.equal(await granted(), asRecorded)
    await store.close()
    assert.is(
      beside(file, (db) => db.pragma('user_version', { simple: true })),
      schemaVersion,
    )
  }),
)

migrate(
  'a store has one and the same schema, whichever version it began with',
  inFolder(async (file, folder) => {
    const schemaOf = (name: string): unknown =>
      beside(name, (db) => db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all())
    await (await opened(file)).close()
    const generated = schemaOf(file)
    for (const version of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
      const old = `${folder}/of-version-${version}.db`
      await (await opened(old)).close()
      asVersion(old, version)
      await (await opened(old)).close()
      assert.equal(schemaOf(old), generated)
    }
  }),
)

migrate(
  'a store of the fourth version keeps its sessions and grants, its rows are proven, and its old seals are gone',
  inFolder(async (file) => {
    const before = await opened(file)
    const public_ = { ...exampleClient('public'), secret: undefined }
    const clients = [exampleClient('a'), public_]
    for (const client of clients) await done(before.registry.addClient(client, O.none, noLimits))
    const session = exampleSession('one', ['a'])
    await done(before.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    const granted = { ...exampleAuthorization(exampleClient('a'), 'granted'), session: 'one' }
    await done(before.authorizations.recordAuthorization(granted, exampleTime))
    await before.close()
    asVersion(file, 4)
    const sealedEarlier = beside(file, (db) =>
      db.prepare('SELECT registration_access_token FROM clients').pluck().all(),
    )

    const store = await opened(file, { expectExisting: true })
    assert.equal(ofAnyRegistration(await listed(store.registry)), ofAnyRegistration(clients))
    const found = await done(store.endUserSessions.findSession(exampleHash('cookie')))
    assert.equal(ofAnyRegistration(found), ofAnyRegistration(O.some(session)))
    const recorded = await done(store.authorizations.findAuthorization(granted.kind, granted.hash))
    assert.equal(ofAnyRegistration(recorded), ofAnyRegistration(O.some(granted)))
    await store.close()
    for (const sealed of sealedEarlier) assert.not.ok(readFileSync(file).includes(String(sealed)))
  }),
)

migrate(
  'a client that could not be read before the migration is listed as unreadable after it, and can be removed',
  inFolder(async (file) => {
    const before = await opened(file)
    for (const id of ['a', 'b']) await done(before.registry.addClient(exampleClient(id), O.none, noLimits))
    await before.close()
    asVersion(file, 4)
    beside(file, (db) => db.exec("UPDATE clients SET client_secret = 'nonsense' WHERE client_id = 'a'"))
    const store = await opened(file)
    const each: Array<unknown> = []
    for await (const item of store.registry.streamClients())
      each.push(E.isLeft(item) ? [item.left.error, Object(item.left).client_id] : item.right)
    const other = exampleClient('b')
    assert.equal(ofAnyRegistration(each), ofAnyRegistration([['unreadable_client', 'a'], other]))
    await done(store.registry.removeClient(exampleClient('a').client_id, O.none))
    assert.equal(ofAnyRegistration(await listed(store.registry)), ofAnyRegistration([other]))
    await store.close()
  }),
)

migrate(
  'notices of the sixth version are claimed by their receivers',
  inFolder(async (file) => {
    const before = await opened(file)
    await done(before.registry.addClient(exampleClient('a'), O.none, noLimits))
    const session = exampleSession('one', ['a'])
    await done(before.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    const uris = ['https://rp.example/one', 'https://RP.example:443/two', 'https://other.example/']
    const notifications = uris.map((uri) => ({ ...exampleNotification(uri, 'a'), uri }))
    const ends = { session, notifications, notificationLimits: defaultNotificationLimits, revokesOfflineAccess: false }
    await done(before.sessionTermination.endSession(ends))
    const listed = await done(before.pendingNotifications.listNotifications(10))
    await before.close()
    asVersion(file, 6)

    const { pendingNotifications, close } = await opened(file, { expectExisting: true })
    assert.equal(ofAnyRegistration(await done(pendingNotifications.listNotifications(10))), ofAnyRegistration(listed))
    const claimed = async (holder: string, max: number) => {
      const claim = { holder, until: secondsAfter(exampleTime, 60) }
      return (await done(pendingNotifications.claimDue(exampleTime, claim, max))).map(({ uri }) => uri)
    }
    assert.equal(await claimed('one', 1), uris.slice(0, 1))
    assert.equal(await claimed('other', 10), uris.slice(2))
    assert.equal(await claimed('one', 10), uris.slice(0, 2))
    await close()
  }),
)

migrate(
  'sessions of the seventh version are over when they were, revoke what they granted, and made their clients used',
  inFolder(async (file) => {
    const before = await opened(file)
    const ofAnonymous = (id: string): RegisteredClient => ({ ...exampleClient(id), registered_by: 'nobody' })
    for (const id of ['a', 'b']) await done(before.registry.addClient(ofAnonymous(id), O.none, noLimits))
    const session = { ...exampleSession('one', ['a']), idle_lifetime: 100 }
    await done(before.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    const granted = { ...exampleAuthorization(exampleClient('a'), 'granted'), session: 'one' }
    await done(before.authorizations.recordAuthorization(granted, exampleTime))
    await before.close()
    asVersion(file, 7)
    const asStored = rowsOf(file, 'session_clients', 'authorizations')

    const { registry, endUserSessions, authorizations, close } = await opened(file, { expectExisting: true })
    assert.equal(rowsOf(file, 'session_clients', 'authorizations'), asStored)
    const found = await done(endUserSessions.findSession(exampleHash('cookie')))
    assert.equal(ofAnyRegistration(found), ofAnyRegistration(O.some(session)))
    const limits = { ...noLimits, unusedOpenClients: 2 }
    await done(registry.addClient(ofAnonymous('c'), O.none, limits))
    assert.equal(await refused(registry.addClient(ofAnonymous('d'), O.none, limits)), registryFull)
    const find = async () => ofAnyRegistration(await done(authorizations.findAuthorization(granted.kind, granted.hash)))
    await done(endUserSessions.addSession(exampleSession('two', []), exampleHash('two'), secondsAfter(exampleTime, 99)))
    assert.equal(await find(), ofAnyRegistration(O.some(granted)))
    await done(
      endUserSessions.addSession(exampleSession('three', []), exampleHash('three'), secondsAfter(exampleTime, 100)),
    )
    assert.equal(await find(), ofAnyRegistration(O.none))
    await close()
  }),
)

migrate(
  'a parked client of the twentieth version stays parked, and is removed only after a notice that begins now',
  inFolder(async (file) => {
    const open: RegisteredClient = { ...exampleClient('a'), registered_by: 'nobody' }
    const before = await opened(file)
    await done(before.registry.addClient(open, O.none, noLimits))
    await done(before.clientUses.recordUse(exampleClient('none'), exampleTime))
    await done(before.clientUses.parkUnused(exampleParking(exampleTime), 10))
    await before.close()
    asVersion(file, 20)

    const { clientUses, close } = await opened(file, { expectExisting: true })
    const late = secondsAfter(exampleTime, 365 * 86_400)
    assert.equal(await done(clientUses.observedDays(late, 10)), [])
    assert.equal(
      (await done(clientUses.findUses([open.client_id]))).map(({ parked }) => parked),
      [true],
    )
    const removal = { waitsSince: late, parkedUntil: late, notice: 23 }
    assert.equal(await done(clientUses.listParked(removal, 10)), [])
    assert.is(await done(clientUses.parkUnused({ waitsSince: exampleTime, at: late, notice: 23 }, 10)), 1)
    assert.equal(await done(clientUses.listParked({ ...removal, parkedUntil: secondsAfter(late, -1) }, 10)), [])
    assert.is((await done(clientUses.listParked(removal, 10))).length, 1)
    await close()
  }),
)

migrate(
  'with another encryption key an old store is refused and stays as it is',
  inFolder(async (file) => {
    await (await opened(file)).close()
    asVersion(file, 4)
    const version = () => beside(file, (db) => db.pragma('user_version', { simple: true }))
    assert.is((await refusalOf(file, { encryption: encryptionWith('another key') })).refusal, 'wrong-encryption-key')
    assert.is(version(), 4)
    await (await opened(file)).close()
    assert.is(version(), schemaVersion)
  }),
)

migrate(
  'a version that was set back to have rows proven is refused, and changes nothing',
  inFolder(async (file) => {
    const before = await opened(file)
    await done(before.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime))
    await before.close()
    asVersion(file, 4)
    beside(file, (db) => db.exec("DELETE FROM secrets WHERE name = 'digest-key'"))
    assert.is((await refusalOf(file)).refusal, 'wrong-encryption-key')
    assert.is(
      beside(file, (db) => db.pragma('user_version', { simple: true })),
      4,
    )
  }),
)

migrate.run()
