import { storeOn } from '@clientele/adapters-sql'
import { secondsAfter } from '@clientele/domain/kernel'
import { defaultNotificationLimits, withDeclined } from '@clientele/domain/logout'
import { type Store, sessionChanged } from '@clientele/domain/ports'
import { done, exampleHash, exampleSession, exampleTime, refused, noRow } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { type OpenedLayers, openedLayers } from './support/opened-layers.js'
import { encryptionWith } from './support/encryption.js'
import { cookieOf, ended, granted, session, signIn } from './support/signed-in.js'
import { inFolder, opened } from './support/temporary-store.js'

const sessionTermination = suite('logouts in SQLite')

const later = secondsAfter(exampleTime, 300)

const assertUntouched = async ({ endUserSessions, authorizations, pendingNotifications }: Store): Promise<void> => {
  assert.equal(await done(endUserSessions.findSession(cookieOf('one'))), O.some(session))
  assert.equal(await done(authorizations.findAuthorization(granted.kind, granted.hash)), O.some(granted))
  assert.equal(await done(pendingNotifications.listNotifications(100)), [])
}

const failing: Readonly<Record<string, string>> = {
  'the second notice': "INSERT ON notifications WHEN NEW.id = 'to-b'",
  'what is revoked': 'DELETE ON authorizations',
  'the clients of the session': 'DELETE ON session_clients',
  'the end of the session': 'DELETE ON end_user_sessions',
}

for (const [what, event] of Object.entries(failing))
  for (const how of ['FAIL', 'ABORT', 'ROLLBACK'])
    sessionTermination(
      `when ${what} cannot be written (${how}), all stays as it was`,
      inFolder(async (file) => {
        const store = await opened(file)
        await signIn(store)
        beside(file, (db) => db.exec(`CREATE TRIGGER no BEFORE ${event} BEGIN SELECT RAISE(${how}, 'no'); END`))
        assert.is((await refused(store.sessionTermination.endSession(ended, noRow))).error, 'unavailable')
        await assertUntouched(store)
        beside(file, (db) => db.exec('DROP TRIGGER no'))
        await done(store.sessionTermination.endSession(ended, noRow))
        await store.close()
      }),
    )

/** Two stores on one file, like those of two processes. */
const bothOn = async (file: string) => [await openedLayers(file), await openedLayers(file)] as const
const portsOn = (layers: OpenedLayers) => {
  const { sessionTermination, endUserSessions } = storeOn(layers, encryptionWith('the right key'), '')
  return { ...sessionTermination, ...endUserSessions }
}

sessionTermination(
  'of two connections one ends the session, in every round',
  inFolder(async (file) => {
    const [one, other] = await bothOn(file)
    const ports = [portsOn(one), portsOn(other)] as const
    for (let round = 0; round < 20; round += 1) {
      const present = exampleSession(`round-${round}`)
      await done(ports[0].addSession(present, cookieOf(present.sid), exampleTime, noRow))
      const ends = {
        session: present,
        notifications: [],
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
      }
      const outcomes = await Promise.all(ports.map(({ endSession }) => endSession(ends, noRow)()))
      assert.equal(outcomes.filter(E.isLeft), [E.left(sessionChanged)])
      for (const { findSessionById } of ports) assert.equal(await done(findSessionById(present.sid)), O.none)
    }
    for (const { db, fatal } of [one, other]) {
      assert.equal(fatal, [])
      db.close()
    }
  }),
)

sessionTermination(
  'of two connections of which one ends the session and the other declines, one succeeds, in every round',
  inFolder(async (file) => {
    const [one, other] = await bothOn(file)
    const ports = [portsOn(one), portsOn(other)] as const
    for (let round = 0; round < 20; round += 1) {
      const present = exampleSession(`round-${round}`)
      const declined = withDeclined(
        { confirmation: exampleHash(`dialog-${round}`), expires_at: later },
        exampleTime,
      )(present)
      await done(ports[0].addSession(present, cookieOf(present.sid), exampleTime, noRow))
      const [ends, declines] = await Promise.all([
        ports[0].endSession(
          {
            session: present,
            notifications: [],
            notificationLimits: defaultNotificationLimits,
            revokesOfflineAccess: false,
          },
          noRow,
        )(),
        ports[1].replaceSession({ next: declined, replacing: present, audit: noRow })(),
      ])
      assert.is.not(E.isRight(ends), E.isRight(declines))
      const left = E.isRight(ends) ? O.none : O.some(declined)
      for (const { findSessionById } of ports) assert.equal(await done(findSessionById(present.sid)), left)
    }
    for (const { db, fatal } of [one, other]) {
      assert.equal(fatal, [])
      db.close()
    }
  }),
)

sessionTermination.run()
