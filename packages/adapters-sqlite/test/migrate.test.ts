import { newRing, noLimits, registryFull } from '@clientele/domain'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotice,
  exampleSession,
  exampleTime,
  exampleToken,
  listed,
  namedKey,
  refused,
} from '@clientele/domain/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asVersion } from './support/as-version.js'
import { beside } from './support/beside.js'
import { inFolder, opened } from './support/temporary-store.js'

const migrate = suite('migrate')

/** All that there is in some tables of the file. */
const rowsOf = (file: string, ...tables: ReadonlyArray<string>): unknown =>
  beside(file, (db) => tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()))

migrate(
  'clients of the first version stay what they are, are counted, and count as registered by a token',
  inFolder(async (file) => {
    const before = opened(file)
    const clients = ['a', 'b', 'c'].map((id) => exampleClient(id))
    for (const client of clients) await done(before.registry.addClient(client, O.none, noLimits))
    await before.close()
    asVersion(file, 1)
    const store = opened(file)
    assert.equal(await listed(store.registry), clients)
    const limits = { ...noLimits, clients: 3 }
    assert.equal(await refused(store.registry.addClient(exampleClient('d'), O.none, limits)), registryFull)
    await done(store.registry.addClient(exampleClient('d'), O.none, { ...noLimits, clients: 4 }))
    await store.close()
  }),
)

migrate(
  'a store of the third version keeps all that it has, and begins without sessions and notices',
  inFolder(async (file) => {
    const before = opened(file)
    const clients = ['a', 'b', 'c'].map((id) => exampleClient(id))
    for (const client of clients) await done(before.registry.addClient(client, O.none, noLimits))
    const recorded = clients.map((client) => exampleAuthorization(client, `of-${String(client.client_id)}`))
    for (const each of recorded) await done(before.authorizations.recordAuthorization(each))
    await done(before.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime))
    const next = newRing({ lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }, exampleTime)(
      'ES256',
      'sig',
      namedKey('ES256'),
    )
    await done(before.keyRings.replaceKeyRings([{ next, replacing: O.none }]))
    await before.close()
    asVersion(file, 3)
    const tables = ['clients', 'client_count', 'initial_access_tokens', 'key_rings', 'secrets'] as const
    const rows = rowsOf(file, ...tables)

    const store = opened(file, { expectExisting: true })
    assert.equal(rowsOf(file, ...tables), rows)
    assert.equal(await listed(store.registry), clients)
    for (const each of recorded)
      assert.equal(await done(store.authorizations.findAuthorization(each.kind, each.hash)), O.some(each))
    const session = exampleSession('one', ['a', 'b'])
    await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
    const notices = [exampleNotice('to-a', 'a')]
    await done(store.logouts.endSession({ session, notices, revokesOfflineAccess: true }, exampleTime))
    assert.is((await done(store.logoutOutbox.listNotices(100))).length, 1)
    for (const each of recorded)
      assert.equal(await done(store.authorizations.findAuthorization(each.kind, each.hash)), O.some(each))
    await store.close()
    assert.is(
      beside(file, (db) => db.pragma('user_version', { simple: true })),
      4,
    )
  }),
)

migrate(
  'a store has one and the same schema, whichever version it began with',
  inFolder(async (file, folder) => {
    const schemaOf = (name: string): unknown =>
      beside(name, (db) => db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all())
    await opened(file).close()
    const fresh = schemaOf(file)
    for (const version of [1, 2, 3]) {
      const old = `${folder}/of-version-${version}.db`
      await opened(old).close()
      asVersion(old, version)
      await opened(old).close()
      assert.equal(schemaOf(old), fresh)
    }
  }),
)

migrate.run()
