import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '@clientele/domain/authorization'
import type { ApplicationType, RequestedClientMetadata } from '@clientele/domain/client'
import { secondsAfter } from '@clientele/domain/kernel'
import type {
  AnswerFacts,
  EndUserSession,
  HintFault,
  IdTokenHint,
  LogoutFacts,
  OfferedConfirmation,
  ShownSession,
} from '@clientele/domain/logout'
import { type RegisteredClient, storedMetadata } from '@clientele/domain/registration'
import { nativeRedirectUri, webRedirectUri } from './uris.js'
import { endUserSession, subject } from './sessions.js'
import { exampleClient, exampleHash, exampleTime } from '../examples.js'

// An end-user who signs out: the application, the session, and the hint.

const surrogates = { from: 0xd800, count: 0x800 }

// The unit 'binary' of fast-check makes a table of all of Unicode: a second of each process that imports this.
const codePoint = fc
  .nat(0x10ffff - surrogates.count)
  .map((nth) => String.fromCodePoint(nth < surrogates.from ? nth : nth + surrogates.count))

/** Any state of an application: text that a URL can encode. */
export const wellFormedState = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }),
    fc.constantFrom('a&x=1#y', '\r\nSet-Cookie: a=b', '"><script>', "!*'();:@&=+$,/?%#[]", '%FF', '+ +', '🦊'),
  )

/** UTF-16 code units of any kind, including unpaired surrogates. */
export const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 8 }),
    fc.string(),
    wellFormedState(),
  )

/** The client of this id with stored metadata that need not be valid at present. */
export const clientOf = (id: string, metadata: RequestedClientMetadata): RegisteredClient => ({
  ...exampleClient(id),
  metadata: storedMetadata({ ...metadata }),
})

const leftFor = (application_type: ApplicationType, uri: fc.Arbitrary<string>): fc.Arbitrary<RegisteredClient> =>
  fc
    .uniqueArray(uri, { minLength: 1, maxLength: 3 })
    .map((uris) => clientOf('shop', { application_type, post_logout_redirect_uris: uris }))

/** The client 'shop', with one or more post-logout redirection URIs. */
export const leftClient = (): fc.Arbitrary<RegisteredClient> =>
  fc.oneof(leftFor('web', webRedirectUri()), leftFor('native', nativeRedirectUri()))

export const urisOf = ({ metadata }: RegisteredClient): ReadonlyArray<string> =>
  metadata.post_logout_redirect_uris ?? []

export type Leaving = {
  readonly client: RegisteredClient
  readonly session: EndUserSession
  readonly uri: string
  readonly hint: IdTokenHint
  readonly state: string | undefined
}

/** The sub and sid of the session in ID tokens for the client. */
export const namesAt = (
  { registration_id }: RegisteredClient,
  session: EndUserSession,
): Pick<IdTokenHint, 'sub' | 'sid'> =>
  session.clients.find((known) => known.registration_id === registration_id) ?? session

/** A valid logout: the hint names the end-user, session and client, and the URI is registered. */
export const leaving = (): fc.Arbitrary<Leaving> =>
  fc
    .record({
      client: leftClient(),
      session: endUserSession(['shop', 'bank']),
      nth: fc.nat(),
      named: fc.constantFrom('not', 'as the client knows it', 'as the session is'),
      state: fc.option(wellFormedState(), { nil: undefined }),
    })
    .map(({ client, session, nth, named, state }) => {
      const { sub, sid } = namesAt(client, session)
      const reported = named === 'as the session is' ? session.sid : sid
      const uris = urisOf(client)
      return {
        client,
        session,
        uri: uris[nth % uris.length] ?? '',
        hint: {
          sub,
          sid: named === 'not' ? undefined : reported,
          audience: [client.client_id],
          azp: undefined,
          iat: client.client_id_issued_at,
        },
        state,
      }
    })

export const validFacts = ({ client, session, uri, hint, state }: Leaving): LogoutFacts => ({
  request: { idTokenHint: 'the hint', postLogoutRedirectUri: uri, state, clientId: undefined, repeated: false },
  hint: E.right(hint),
  registered: [client],
  session,
  cookiesWithheld: false,
})

const mostly = <Value>(usual: Value, ...others: ReadonlyArray<fc.Arbitrary<Value>>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, ...others)

// Made once, because a chain makes its arbitraries for each value.
const someSubject = subject()
const someSession = endUserSession(['shop', 'bank'])
const someUri = webRedirectUri()
const someText = anyText()

/** A URI that differs from the registered one slightly or completely. */
export const otherUri = (uri: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(`${uri}/`, `${uri}#`, `${uri}?foo=bar`, `${uri}%2F`, ` ${uri}`, `${uri}\n`, uri.slice(0, -1)),
    fc.constantFrom(uri.toUpperCase(), uri.replace('://', '://evil.'), uri.replace(':', ':443:'), `evil${uri}`),
    fc.tuple(fc.nat(uri.length), someText).map(([place, text]) => uri.slice(0, place) + text + uri.slice(place)),
    someUri,
    someText,
  )

const invalidHint: fc.Arbitrary<E.Either<HintFault, IdTokenHint>> = fc
  .constantFrom<HintFault>('hint_malformed', 'hint_bad_signature', 'hint_too_old', 'hint_other_issuer')
  .map(E.left)

const otherHint = (hint: IdTokenHint): fc.Arbitrary<E.Either<HintFault, IdTokenHint>> =>
  fc
    .record({ sub: mostly(hint.sub, someSubject), sid: mostly(hint.sid, fc.constant(undefined), someSubject) })
    .map((other) => E.right({ ...hint, ...other }))

/** Logout facts of which each part may be invalid. */
export const anyFacts = (): fc.Arbitrary<LogoutFacts> =>
  leaving().chain((valid) => {
    const { request, hint, registered, session } = validFacts(valid)
    const { application_type } = valid.client.metadata
    const bank = clientOf('bank', { application_type, post_logout_redirect_uris: [valid.uri] })
    return fc.record({
      request: fc.record({
        idTokenHint: fc.constant(request.idTokenHint),
        postLogoutRedirectUri: mostly(request.postLogoutRedirectUri, fc.constant(undefined), otherUri(valid.uri)),
        state: fc.constant(request.state),
        clientId: mostly(request.clientId, fc.constantFrom('shop', 'bank', 'Shop', 'shop '), someText),
        repeated: mostly(false, fc.constant(true)),
      }),
      hint: mostly(hint, fc.constant(undefined), invalidHint, otherHint(valid.hint)),
      registered: mostly(registered, fc.constantFrom([], [bank], [valid.client, bank])),
      session: mostly(session, fc.constant(undefined), someSession),
      cookiesWithheld: fc.boolean(),
    })
  })

// Logout confirmation pages, and the facts at the time of their answers.

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
