import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Test } from 'uvu'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../codec/epoch-seconds.js'
import { noLimits } from '../../ports/client-registry.js'
import type { ClientAuthorization } from '../../ports/client-authorizations.js'
import type { LogoutAnswer } from '../../logout/logout-dialog.js'
import { sessionChanged } from '../../ports/end-user-sessions.js'
import type { AnsweredDialog, EndedSession, HeldAnswer } from '../../ports/logouts.js'
import { used } from '../../sessions/end-user-session.js'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotice,
  exampleSession,
  exampleSubject,
  exampleTime,
} from './examples.js'
import type { OpenedPorts, OpenPorts } from './open-ports.js'
import { done, onNewStore, refused } from './open-ports.js'

const session = exampleSession('one', ['a', 'b'])
const other = exampleSession('other', ['a'])
const ofAnother = { ...exampleSession('One'), sub: exampleSubject('max') }
const notices = [exampleNotice('to-b', 'b'), exampleNotice('to-a', 'a')]
const owed = notices.map((notice) => ({ ...notice, attempts: 0, due_at: exampleTime, failed: false, note: '' }))
const ended: EndedSession = { session, notices, revokesOfflineAccess: false }
const answered: AnsweredDialog = {
  dialog: exampleHash('dialog'),
  answer: 'logout',
  rememberedUntil: secondsAfter(exampleTime, 300),
  ends: O.some(ended),
}
const stay: AnsweredDialog = { ...answered, answer: 'stay', ends: O.none }

const granted = (text: string, given: Partial<ClientAuthorization>): ClientAuthorization => ({
  ...exampleAuthorization(exampleClient('a'), text),
  ...given,
})
const online = granted('online', { session: 'one', kind: 'access_token' })
const offline = granted('offline', { session: 'one', offline: true })
const kept = [granted('of-other', { session: 'other' }), granted('of-none', {}), granted('case', { session: 'One' })]

type Used = 'registry' | 'authorizations' | 'endUserSessions' | 'logouts' | 'logoutOutbox'

/** Sessions with what each of them granted. */
const openWithSessions = async (open: OpenPorts<Used>): Promise<OpenedPorts<Used>> => {
  const ports = await open()
  for (const id of ['a', 'b', 'c']) await done(ports.registry.addClient(exampleClient(id), O.none, noLimits))
  for (const each of [session, other, ofAnother])
    await done(ports.endUserSessions.addSession(each, exampleHash(`cookie-${each.sid}`), exampleTime))
  for (const each of [online, offline, ...kept]) await done(ports.authorizations.recordAuthorization(each))
  return ports
}

const present = async ({ endUserSessions, authorizations, logoutOutbox }: OpenedPorts<Used>): Promise<unknown> => ({
  sessions: await done(endUserSessions.listSessions('zoe')),
  owed: await done(logoutOutbox.listNotices(100)),
  granted: (
    await Promise.all(
      [online, offline, ...kept].map(({ kind, hash }) => done(authorizations.findAuthorization(kind, hash))),
    )
  ).flatMap(
    O.match(
      () => [],
      (each) => [each],
    ),
  ),
})

const untouched = { sessions: [session, other], owed: [], granted: [online, offline, ...kept] }
const signedOut = { sessions: [other], owed, granted: [offline, ...kept] }

/** The one answer that all were told, of which one is the first. */
const heldBy = (outcomes: ReadonlyArray<E.Either<unknown, HeldAnswer>>): LogoutAnswer => {
  const held = outcomes.filter(E.isRight).map(({ right }) => right)
  assert.is(held.length, outcomes.length)
  const [first, ...others] = held.filter(({ isFirst }) => isFirst)
  assert.ok(first !== undefined && others.length === 0)
  for (const { answer } of held) assert.is(answer, first.answer)
  return first.answer
}

/** The promises of Logouts. */
export const logoutsContract = (name: string, open: OpenPorts<Used>): Test => {
  const test = suite(`Logouts ${name}`)
  const it = onNewStore(test, () => openWithSessions(open))

  it('a session ends: it is gone with what it granted online, and its notices are owed', async (ports) => {
    assert.equal(await present(ports), untouched)
    await done(ports.logouts.endSession(ended, exampleTime))
    assert.equal(await present(ports), signedOut)
    assert.equal(await done(ports.endUserSessions.findSession(exampleHash('cookie-one'))), O.none)
    assert.equal(await done(ports.endUserSessions.findSessionById('one')), O.none)
  })

  it('what was granted for offline access goes as well where it is to be revoked', async (ports) => {
    await done(ports.logouts.endSession({ ...ended, revokesOfflineAccess: true }, exampleTime))
    assert.equal(await present(ports), { ...signedOut, granted: kept })
  })

  it('an answer ends the session likewise, and is given', async (ports) => {
    assert.is((await done(ports.logouts.answerDialog(answered, exampleTime))).answer, 'logout')
    assert.equal(await present(ports), signedOut)
  })

  it('an answer that ends nothing is given, and nothing changes', async (ports) => {
    assert.is((await done(ports.logouts.answerDialog(stay, exampleTime))).answer, 'stay')
    const nobody = { ...answered, dialog: exampleHash('without a session'.replaceAll(' ', '-')), ends: O.none }
    assert.is((await done(ports.logouts.answerDialog(nobody, exampleTime))).answer, 'logout')
    assert.equal(await present(ports), untouched)
  })

  it('a dialog keeps its first answer, and a later one ends nothing', async (ports) => {
    await done(ports.logouts.answerDialog(stay, exampleTime))
    assert.is((await done(ports.logouts.answerDialog(answered, exampleTime))).answer, 'stay')
    assert.equal(await present(ports), untouched)
    const second = { ...answered, dialog: exampleHash('Dialog') }
    assert.is((await done(ports.logouts.answerDialog(second, answered.rememberedUntil))).answer, 'logout')
    assert.equal(await present(ports), signedOut)
    assert.is(
      (await done(ports.logouts.answerDialog({ ...stay, dialog: second.dialog }, exampleTime))).answer,
      'logout',
    )
    assert.is((await done(ports.logouts.answerDialog(answered, answered.rememberedUntil))).answer, 'stay')
  })

  it('an answer is the first exactly once, and one that was refused is none', async ({ logouts }) => {
    const stranger = { ...answered, ends: O.some({ ...ended, session: exampleSession('stranger') }) }
    assert.equal(await refused(logouts.answerDialog(stranger, exampleTime)), sessionChanged)
    assert.equal(await done(logouts.answerDialog(stay, exampleTime)), { answer: 'stay', isFirst: true })
    for (const each of [stay, answered, stranger, stay])
      assert.equal(await done(logouts.answerDialog(each, exampleTime)), { answer: 'stay', isFirst: false })
    const next = { ...answered, dialog: exampleHash('Dialog') }
    assert.equal(await done(logouts.answerDialog(next, exampleTime)), { answer: 'logout', isFirst: true })
  })

  it('a dialog that was answered says so even when the session is another one by now', async (ports) => {
    await done(ports.logouts.answerDialog(answered, exampleTime))
    assert.is((await done(ports.logouts.answerDialog(answered, exampleTime))).answer, 'logout')
    assert.equal(await present(ports), signedOut)
  })

  it('a session that is not as it was read does not end, and the dialog stays unanswered', async (ports) => {
    const { endUserSessions, logouts } = ports
    const next = used(secondsAfter(exampleTime, 1))(session)
    await done(endUserSessions.replaceSession(next, session))
    assert.equal(await refused(logouts.endSession(ended, exampleTime)), sessionChanged)
    assert.equal(await refused(logouts.answerDialog(answered, exampleTime)), sessionChanged)
    assert.equal(await present(ports), { ...untouched, sessions: [next, other] })
    const again = { ...answered, ends: O.some({ ...ended, session: next }) }
    assert.is((await done(logouts.answerDialog(again, exampleTime))).answer, 'logout')
    assert.equal(await present(ports), signedOut)
  })

  it('a session that has ended or never was does not end', async (ports) => {
    await done(ports.logouts.endSession(ended, exampleTime))
    for (const each of [ended, { ...ended, session: exampleSession('stranger') }]) {
      assert.equal(await refused(ports.logouts.endSession(each, exampleTime)), sessionChanged)
      const unanswered = { ...answered, ends: O.some(each) }
      assert.equal(await refused(ports.logouts.answerDialog(unanswered, exampleTime)), sessionChanged)
    }
    assert.equal(await present(ports), signedOut)
    assert.is((await done(ports.logouts.answerDialog(stay, exampleTime))).answer, 'stay')
  })

  it('when a notice cannot be kept nothing ends, and the dialog stays unanswered', async (ports) => {
    const { logouts } = ports
    await done(
      logouts.endSession(
        { session: other, notices: [exampleNotice('same', 'a')], revokesOfflineAccess: false },
        exampleTime,
      ),
    )
    const before = await present(ports)
    const colliding = { ...ended, notices: [...notices, exampleNotice('same', 'b')] }
    assert.is((await refused(logouts.endSession(colliding, exampleTime))).error, 'unavailable')
    const unanswered = { ...answered, ends: O.some(colliding) }
    assert.is((await refused(logouts.answerDialog(unanswered, exampleTime))).error, 'unavailable')
    assert.equal(await present(ports), before)
    assert.is((await done(logouts.answerDialog(stay, exampleTime))).answer, 'stay')
  })

  it('of 20 that end the same session at once one wins', async (ports) => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ports.logouts.endSession(
          { ...ended, notices: notices.map((notice) => ({ ...notice, id: `${notice.id} ${index}` })) },
          exampleTime,
        )(),
      ),
    )
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

  it('of 20 answers to one dialog at once all get the first, and the session ends once', async (ports) => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => ports.logouts.answerDialog(answered, exampleTime)()),
    )
    assert.is(heldBy(outcomes), 'logout')
    assert.equal(await present(ports), signedOut)
  })

  it('of 20 different answers to one dialog at once one holds, and it alone is carried out', async (ports) => {
    const both = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? stay : answered))
    const outcomes = await Promise.all(both.map((each) => ports.logouts.answerDialog(each, exampleTime)()))
    assert.equal(await present(ports), heldBy(outcomes) === 'stay' ? untouched : signedOut)
  })

  it('of 20 dialogs about one session that are answered at once one ends it', async (ports) => {
    const dialogs = Array.from({ length: 20 }, (_, index) => ({ ...answered, dialog: exampleHash(`dialog-${index}`) }))
    const outcomes = await Promise.all(dialogs.map((each) => ports.logouts.answerDialog(each, exampleTime)()))
    assert.is(outcomes.filter(E.isRight).length, 1)
    for (const outcome of outcomes) if (E.isLeft(outcome)) assert.equal(outcome.left, sessionChanged)
    assert.equal(await present(ports), signedOut)
  })

  return test
}
