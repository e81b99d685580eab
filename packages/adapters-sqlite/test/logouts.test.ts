import type { AnsweredDialog } from '@clientele/domain'
import { secondsAfter, sessionChanged, unavailable } from '@clientele/domain'
import { done, exampleHash, exampleSession, exampleTime, refused } from '@clientele/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEndUserSessions } from '../src/end-user-sessions.js'
import { createLogouts } from '../src/logouts.js'
import type { Store } from '../src/index.js'
import { beside } from './support/beside.js'
import type { OpenedLayers } from './support/opened-layers.js'
import { openedLayers } from './support/opened-layers.js'
import { cookieOf, ended, granted, session, signIn } from './support/signed-in.js'
import { inFolder, opened } from './support/temporary-store.js'

const logouts = suite('logouts in SQLite')

const dialog = exampleHash('dialog')
const rememberedUntil = secondsAfter(exampleTime, 300)
const answered: AnsweredDialog = { dialog, answer: 'logout', rememberedUntil, ends: O.some(ended) }
const stay: AnsweredDialog = { dialog, answer: 'stay', rememberedUntil, ends: O.none }

const assertUntouched = async ({ endUserSessions, authorizations, logoutOutbox }: Store): Promise<void> => {
  assert.equal(await done(endUserSessions.findSession(cookieOf('one'))), O.some(session))
  assert.equal(await done(authorizations.findAuthorization(granted.kind, granted.hash)), O.some(granted))
  assert.equal(await done(logoutOutbox.listNotices(100)), [])
}

const failing: Readonly<Record<string, string>> = {
  'the answer': 'INSERT ON answered_dialogs',
  'the second notice': "INSERT ON logout_notices WHEN NEW.id = 'to-b'",
  'what is revoked': 'DELETE ON authorizations',
  'the clients of the session': 'DELETE ON session_clients',
  'the end of the session': 'DELETE ON end_user_sessions',
}

for (const [what, event] of Object.entries(failing))
  for (const how of ['FAIL', 'ABORT', 'ROLLBACK'])
    logouts(
      `when ${what} cannot be written (${how}), all stays as it was and the dialog unanswered`,
      inFolder(async (file) => {
        const store = opened(file)
        await signIn(store)
        beside(file, (db) => db.exec(`CREATE TRIGGER no BEFORE ${event} BEGIN SELECT RAISE(${how}, 'no'); END`))
        assert.is((await refused(store.logouts.answerDialog(answered, exampleTime))).error, 'unavailable')
        if (what !== 'the answer')
          assert.is((await refused(store.logouts.endSession(ended, exampleTime))).error, 'unavailable')
        await assertUntouched(store)
        beside(file, (db) => db.exec('DROP TRIGGER no'))
        assert.is((await done(store.logouts.answerDialog(stay, exampleTime))).answer, 'stay')
        await assertUntouched(store)
        await store.close()
      }),
    )

logouts(
  'an answer that cannot be read is unavailable, and nothing ends',
  inFolder(async (file) => {
    const store = opened(file)
    await signIn(store)
    await done(store.logouts.answerDialog(stay, exampleTime))
    beside(file, (db) => db.exec("UPDATE answered_dialogs SET answer = 'Zoë'"))
    const refusal = await refused(store.logouts.answerDialog(answered, exampleTime))
    assert.equal(refusal, unavailable('the answer to a dialog cannot be read'))
    await assertUntouched(store)
    await store.close()
  }),
)

logouts(
  'an answer holds after the store was closed and opened again',
  inFolder(async (file) => {
    const before = opened(file)
    await signIn(before)
    await done(before.logouts.answerDialog(stay, exampleTime))
    await before.close()
    const store = opened(file)
    assert.equal(await done(store.logouts.answerDialog(answered, exampleTime)), { answer: 'stay', isFirst: false })
    await assertUntouched(store)
    await store.close()
  }),
)

logouts(
  'an answer forgets those that must be remembered no longer, the oldest first and a hundred at most',
  inFolder(async (file) => {
    const store = opened(file)
    const { answerDialog } = store.logouts
    const old = Array.from({ length: 150 }, (_, index) => ({
      ...stay,
      dialog: exampleHash(`dialog-${index}`),
      rememberedUntil: secondsAfter(exampleTime, (index * 7) % 150),
    }))
    await Promise.all(old.map((each) => done(answerDialog(each, exampleTime))))
    const remembered = (): unknown =>
      beside(file, (db) => db.prepare('SELECT remembered_until FROM answered_dialogs ORDER BY 1').pluck().all())
    const from = (first: number): ReadonlyArray<number> =>
      Array.from({ length: 150 - first }, (_, index) => exampleTime + first + index)
    assert.equal(remembered(), from(0))
    assert.is((await done(answerDialog({ ...stay, dialog: exampleHash('dialog-0') }, rememberedUntil))).answer, 'stay')
    assert.equal(remembered(), from(0))
    await done(answerDialog(stay, secondsAfter(exampleTime, 40)))
    assert.equal(remembered(), [...from(40), rememberedUntil])
    await done(answerDialog({ ...stay, dialog: exampleHash('other') }, rememberedUntil))
    assert.equal(remembered(), [...from(140), rememberedUntil, rememberedUntil])
    await store.close()
  }),
)

/** Two stores on one file, as two processes would have it. */
const bothOn = (file: string) => [openedLayers(file), openedLayers(file)] as const
const portsOn = ({ db, queue }: OpenedLayers) => ({ ...createLogouts(db, queue), ...createEndUserSessions(db, queue) })

logouts(
  'of two connections one ends the session, in every round',
  inFolder(async (file) => {
    const [one, other] = bothOn(file)
    const ports = [portsOn(one), portsOn(other)] as const
    for (let round = 0; round < 20; round += 1) {
      const present = exampleSession(`round-${round}`)
      await done(ports[0].addSession(present, cookieOf(present.sid), exampleTime))
      const ends = { session: present, notices: [], revokesOfflineAccess: false }
      const outcomes = await Promise.all(ports.map(({ endSession }) => endSession(ends, exampleTime)()))
      assert.equal(outcomes.filter(E.isLeft), [E.left(sessionChanged)])
      for (const { findSessionById } of ports) assert.equal(await done(findSessionById(present.sid)), O.none)
    }
    for (const { db, fatal } of [one, other]) {
      assert.equal(fatal, [])
      db.close()
    }
  }),
)

logouts(
  'two connections that answer one dialog hear the answer that was first, and it alone is carried out, in every round',
  inFolder(async (file) => {
    const [one, other] = bothOn(file)
    const ports = [portsOn(one), portsOn(other)] as const
    for (let round = 0; round < 20; round += 1) {
      const present = exampleSession(`round-${round}`)
      await done(ports[0].addSession(present, cookieOf(present.sid), exampleTime))
      const ends = O.some({ session: present, notices: [], revokesOfflineAccess: false })
      const asked = exampleHash(`dialog-${round}`)
      const [first, second] = await Promise.all([
        done(ports[0].answerDialog({ ...stay, dialog: asked }, exampleTime)),
        done(ports[1].answerDialog({ ...answered, dialog: asked, ends }, exampleTime)),
      ])
      assert.is(first.answer, second.answer)
      assert.is.not(first.isFirst, second.isFirst)
      for (const { findSessionById } of ports)
        assert.equal(await done(findSessionById(present.sid)), first.answer === 'stay' ? O.some(present) : O.none)
    }
    for (const { db, fatal } of [one, other]) {
      assert.equal(fatal, [])
      db.close()
    }
  }),
)

logouts.run()
