import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { earlier, secondsAfter } from '../../src/kernel/time.js'
import {
  type AnswerFacts,
  type LogoutOutcome,
  confirmationGone,
  decideLogoutConfirmation,
  decideLogoutOutcome,
  locationOf,
} from '../../src/logout/confirm.js'
import {
  answered,
  anyAnswer,
  anyFacts,
  clientOf,
  confirmationFor,
  endUserSession,
  exampleHash,
  exampleTime,
  law,
  leaving,
  otherBrowser,
  thisBrowser,
  urisOf,
} from '@clientele/testing'
import { withDeclined } from '../../src/logout/sessions.js'

const Outcome = suite('decideLogoutOutcome')
const it = law(Outcome)

const nothing: LogoutOutcome = { ends: undefined, declines: undefined, location: undefined }
const outcomeOf = (facts: AnswerFacts): LogoutOutcome => E.getOrElse(() => nothing)(decideLogoutOutcome(facts))
const isGone = (facts: AnswerFacts): boolean => E.isLeft(decideLogoutOutcome(facts))

it('to stay never ends anything', [anyAnswer()], (facts) =>
  assert.is(outcomeOf({ ...facts, answer: 'stay' }).ends, undefined),
)

it(
  'a session ends only for the answer logout, from the browser and in the time of the dialog, and it is the one shown',
  [anyAnswer()],
  (facts) => {
    const { ends } = outcomeOf(facts)
    if (ends === undefined) return
    const { confirmation, answer, session, browsers, at } = facts
    assert.is(answer, 'logout')
    assert.is(ends, session)
    assert.ok(browsers.includes(confirmation.browser) && at < confirmation.expires_at)
    assert.ok(
      confirmation.session.kind === 'signed_in'
        ? confirmation.session.sid === ends.sid
        : confirmation.session.kind === 'unseen',
    )
  },
)

it(
  'somebody else who signed in meanwhile was not asked, and nothing happens',
  [anyAnswer(), endUserSession(['shop'])],
  (facts, other) => {
    const shown = facts.confirmation.session
    if (shown.kind === 'unseen' || (shown.kind === 'signed_in' && shown.sid === other.sid)) return
    assert.equal(decideLogoutOutcome({ ...facts, session: other }), E.left(confirmationGone))
  },
)

it('from another browser nothing happens', [anyAnswer()], (facts) => {
  for (const browsers of [[], [otherBrowser], [otherBrowser, otherBrowser]])
    assert.equal(decideLogoutOutcome({ ...facts, browsers }), E.left(confirmationGone))
})

it('one of the cookies that the browser presents is enough', [anyAnswer()], (facts) =>
  assert.equal(
    decideLogoutOutcome({ ...facts, browsers: [otherBrowser, thisBrowser] }),
    decideLogoutOutcome({ ...facts, browsers: [thisBrowser] }),
  ),
)

it(
  'in the second when the dialog expires it is gone, and not before',
  [answered(), fc.integer({ min: -3, max: 3 })],
  (facts, by) => assert.is(isGone({ ...facts, at: secondsAfter(facts.confirmation.expires_at, by) }), by >= 0),
)

it(
  'when nothing has changed, the session of the dialog ends and the browser is sent where it was to be',
  [answered()],
  (facts) => {
    const { ends, declines, location } = outcomeOf(facts)
    assert.is(ends, facts.answer === 'logout' ? facts.session : undefined)
    assert.is(declines, facts.answer === 'stay' ? facts.session : undefined)
    assert.is(location, locationOf(facts.left))
  },
)

it('both answers lead to the same place, as long as none ended a session', [anyAnswer()], (any) => {
  const facts = { ...any, hasEnded: false }
  assert.is(outcomeOf({ ...facts, answer: 'stay' }).location, outcomeOf({ ...facts, answer: 'logout' }).location)
})

it(
  'a dialog that ended a session ends no other one, says the same end again, and nothing else',
  [anyAnswer()],
  (any) => {
    const facts = { ...any, hasEnded: true }
    assert.ok(isGone({ ...facts, answer: 'stay' }))
    if (facts.session !== undefined) return assert.ok(isGone({ ...facts, answer: 'logout' }))
    const again = decideLogoutOutcome({ ...facts, answer: 'logout' })
    assert.equal(again, decideLogoutOutcome({ ...facts, answer: 'logout', hasEnded: false }))
  },
)

it('to stay where nobody is signed in and nothing leads back means nothing', [anyAnswer()], (facts) =>
  assert.ok(
    isGone({
      ...facts,
      answer: 'stay',
      session: undefined,
      confirmation: { ...facts.confirmation, requested: undefined },
    }),
  ),
)

it(
  'a dialog that was declined stays declined: it ends nothing, and to decline it again changes nothing',
  [answered(), fc.nat(100)],
  (facts, later) => {
    const first = outcomeOf({ ...facts, answer: 'stay' }).declines
    assert.ok(first !== undefined)
    const { id: confirmation, expires_at } = facts.confirmation
    const session = withDeclined({ confirmation, expires_at }, facts.at)(first)
    const again = { ...facts, session, at: earlier(secondsAfter(facts.at, later), secondsAfter(expires_at, -1)) }
    assert.equal(decideLogoutOutcome({ ...again, answer: 'logout' }), E.left(confirmationGone))
    assert.equal(outcomeOf({ ...again, answer: 'stay' }), { ...nothing, location: locationOf(facts.left) })
    const other = { ...again, confirmation: { ...facts.confirmation, id: exampleHash('another-dialog') } }
    assert.is(outcomeOf({ ...other, answer: 'logout' }).ends, session)
  },
)

it('the browser is sent only where the client leads now, and as it was asked', [anyAnswer()], (facts) => {
  const { location } = outcomeOf(facts)
  if (location === undefined) return
  const { requested } = facts.confirmation
  assert.ok(requested !== undefined && facts.client !== undefined)
  assert.is(facts.client.client_id, requested.user.client_id)
  assert.ok(urisOf(facts.client).some((uri) => uri === requested.uri))
  assert.is(location, locationOf(requested))
  if (facts.session === undefined) return
  const { sub } = facts.session.clients.find(({ client_id }) => client_id === requested.user.client_id) ?? facts.session
  assert.is(sub, requested.user.sub)
})

it('a client that was deleted meanwhile is not led to, and the session ends all the same', [answered()], (facts) =>
  assert.equal(outcomeOf({ ...facts, answer: 'logout', client: undefined }), { ...nothing, ends: facts.session }),
)

it('nor is a URI that was removed meanwhile, or one of another client', [answered()], (facts) => {
  const updated = clientOf('shop', { post_logout_redirect_uris: ['https://rp.example/the-new-one'] })
  const bank = clientOf('bank', { post_logout_redirect_uris: [facts.left.uri] })
  for (const client of [updated, clientOf('shop', {}), bank])
    assert.equal(outcomeOf({ ...facts, answer: 'logout', client }), { ...nothing, ends: facts.session })
})

it('when the session ended meanwhile nothing is left to end, and the way back stays', [answered()], (facts) =>
  assert.equal(outcomeOf({ ...facts, session: undefined }), { ...nothing, location: locationOf(facts.left) }),
)

it(
  'a session that was not seen ends when its own browser answers, and leads back only its own end-user',
  [answered(), endUserSession([])],
  (facts, session) => {
    const unseen = {
      ...facts,
      confirmation: { ...facts.confirmation, session: { kind: 'unseen' as const } },
      answer: 'logout' as const,
    }
    assert.equal(outcomeOf(unseen), { ...nothing, ends: facts.session, location: locationOf(facts.left) })
    const { ends, location } = outcomeOf({ ...unseen, session })
    assert.is(ends, session)
    if (session.sub !== facts.left.hint.sub) assert.is(location, undefined)
  },
)

it('a dialog that was shown to nobody ends no session', [answered()], (facts) =>
  assert.ok(isGone({ ...facts, confirmation: { ...facts.confirmation, session: { kind: 'nobody' } } })),
)

it(
  'what the dialog says of the way back is what its answer does',
  [leaving(), anyFacts(), fc.constantFrom('logout' as const, 'stay' as const)],
  (left, facts, answer) => {
    const { session: shown, redirect } = decideLogoutConfirmation(facts)
    const requested = E.isRight(redirect) ? redirect.right.requested : undefined
    const client = E.isRight(redirect) ? redirect.right.client : undefined
    const { session } = facts
    const confirmation = { ...confirmationFor(left), session: shown, requested }
    const outcome = decideLogoutOutcome({
      confirmation,
      answer,
      client,
      session,
      hasEnded: false,
      browsers: [thisBrowser],
      at: exampleTime,
    })
    const location = requested === undefined ? undefined : locationOf(requested)
    if (session === undefined && location === undefined && answer === 'stay')
      return assert.equal(outcome, E.left(confirmationGone))
    const [ends, declines] = answer === 'logout' ? [session, undefined] : [undefined, session]
    assert.equal(outcome, E.right({ ends, declines, location }))
  },
)

Outcome.run()
