// Registrations of clients that were registered before their identities were stored.
import { noLimits, type Store, defaultNotificationLimits } from '@clientele/domain'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleTime,
  listed,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asVersion } from './support/as-version.js'
import { inFolder, opened } from './support/temporary-store.js'

const registrations = suite('registrations of the ninth version')

const ids = ['a', 'b', 'c']
const granted = exampleAuthorization(exampleClient('a'), 'granted')

const fill = async ({ registry, authorizations, endUserSessions, sessionTermination }: Store): Promise<void> => {
  for (const id of ids) await done(registry.addClient(exampleClient(id), O.none, noLimits))
  await done(authorizations.recordAuthorization(granted, exampleTime))
  for (const sid of ['ended', 'live'])
    await done(endUserSessions.addSession(exampleSession(sid, ids), exampleHash(sid), exampleTime))
  const notifications = ids.map((id) => exampleNotification(`to-${id}`, id))
  const ends = { notifications, notificationLimits: defaultNotificationLimits, revokesOfflineAccess: false }
  await done(sessionTermination.endSession({ ...ends, session: exampleSession('ended', ids) }))
}

const identities = (recorded: ReadonlyArray<{ readonly registration_id: string }> | undefined) =>
  recorded?.map(({ registration_id }) => registration_id)

registrations(
  'each client has one of its own from the migration on, which all that was recorded for the client names',
  inFolder(async (file) => {
    const before = await opened(file)
    await fill(before)
    await before.close()
    asVersion(file, 9)

    const store = await opened(file, { expectExisting: true })
    const drawn = identities(await listed(store.registry))
    assert.is(new Set(drawn).size, ids.length)
    assert.ok(drawn?.every((each) => /^[0-9a-f]{32}$/.test(each)))
    const found = await done(store.authorizations.findAuthorization(granted.kind, granted.hash))
    assert.is(O.toUndefined(found)?.registration_id, drawn?.[0])
    const session = await done(store.endUserSessions.findSessionById('live'))
    assert.equal(identities(O.toUndefined(session)?.clients), drawn)
    assert.equal(identities(await done(store.pendingNotifications.listNotifications(10))), drawn)
    await store.close()

    const again = await opened(file)
    assert.equal(identities(await listed(again.registry)), drawn)
    await again.close()
  }),
)

registrations(
  'events that name no registration are forgotten',
  inFolder(async (file) => {
    const before = await opened(file)
    await fill(before)
    await before.close()
    asVersion(file, 9)
    const { providerEvents, registry, close } = await opened(file)
    assert.equal(await done(providerEvents.listEvents(0, 10)), { events: [], position: 0, forgotten: false })
    assert.is(await done(providerEvents.latestPosition), 0)
    const [client] = await listed(registry)
    if (client === undefined) throw new Error('a client is listed')
    const { client_id, registration_id } = client
    await done(registry.removeClient(client_id, O.none))
    const event = { event: 'client_deleted', client_id, registration_id }
    assert.equal(await done(providerEvents.listEvents(0, 10)), {
      events: [{ position: 1, event }],
      position: 1,
      forgotten: false,
    })
    await close()
  }),
)

registrations.run()
