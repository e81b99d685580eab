// Logout confirmation pages, and the facts at the time of their answers.
import * as fc from 'fast-check'
import type { TokenHash } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import type { AnswerFacts, EndUserSession, OfferedConfirmation, ShownSession } from '@clientele/domain/logout'
import { endUserSession } from './end-user-session.js'
import { exampleHash, exampleTime } from '../examples/examples.js'
import { type Leaving, clientOf, leaving } from './leaving.js'

export const thisBrowser: TokenHash = exampleHash('the-cookie-of-this-browser')
export const otherBrowser: TokenHash = exampleHash('the-cookie-of-another-browser')

/** The confirmation page for the logout, as the end-user's browser received it. */
export const confirmationFor = ({ client, session, uri, hint: { sub, sid }, state }: Leaving): OfferedConfirmation => ({
  id: exampleHash('the-dialog-itself'),
  browser: thisBrowser,
  session: { kind: 'signed_in', sid: session.sid },
  requested: { user: { client_id: client.client_id, registration_id: client.registration_id, sub, sid }, uri, state },
  expires_at: secondsAfter(exampleTime, 600),
})

const someSession = endUserSession(['shop'])
const oneWithout = endUserSession([])

const shown = (session: EndUserSession): fc.Arbitrary<ShownSession> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<ShownSession>({ kind: 'signed_in', sid: session.sid }) },
    fc.constantFrom<ShownSession>({ kind: 'unseen' }, { kind: 'nobody' }),
    oneWithout.map(({ sid }): ShownSession => ({ kind: 'signed_in', sid })),
  )

const answers = fc.constantFrom('logout' as const, 'stay' as const)

/** An answer without any change since the page was shown. */
export const answered = (): fc.Arbitrary<AnswerFacts & { readonly left: Leaving }> =>
  fc.record({ left: leaving(), answer: answers, passed: fc.nat(599) }).map(({ left, answer, passed }) => ({
    left,
    confirmation: confirmationFor(left),
    answer,
    client: left.client,
    session: left.session,
    browsers: [thisBrowser],
    hasEnded: false,
    at: secondsAfter(exampleTime, passed),
  }))

const mostly = <Value>(usual: Value, ...others: ReadonlyArray<fc.Arbitrary<Value>>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, ...others)

/** An answer after any changes, from any browser. */
export const anyAnswer = (): fc.Arbitrary<AnswerFacts> =>
  leaving().chain((left) => {
    const { client, session } = left
    const updated = { ...clientOf('shop', { post_logout_redirect_uris: ['https://rp.example/new'] }), version: 2 }
    return fc.record({
      confirmation: fc.record({
        id: fc.constant(exampleHash('the-dialog-itself')),
        browser: fc.constant(thisBrowser),
        session: shown(session),
        requested: mostly(confirmationFor(left).requested, fc.constant(undefined)),
        expires_at: fc.constant(secondsAfter(exampleTime, 600)),
      }),
      answer: answers,
      client: mostly<AnswerFacts['client']>(client, fc.constantFrom(undefined, updated, clientOf('bank', {}))),
      session: mostly<AnswerFacts['session']>(session, fc.constant(undefined), someSession),
      browsers: mostly(
        [thisBrowser],
        fc.constantFrom([], [otherBrowser], [otherBrowser, thisBrowser], [thisBrowser, otherBrowser]),
      ),
      hasEnded: mostly(false, fc.constant(true)),
      at: mostly(
        exampleTime,
        fc.integer({ min: 595, max: 605 }).map((passed) => secondsAfter(exampleTime, passed)),
      ),
    })
  })
