// An end-user who signs out: the application, the session, and the hint.
import * as E from 'fp-ts/lib/Either.js'
import * as fc from 'fast-check'
import type { ApplicationType, RequestedClientMetadata } from '@clientele/domain/client'
import type { EndUserSession, HintFault, IdTokenHint, LogoutFacts } from '@clientele/domain/logout'
import { type RegisteredClient, storedMetadata } from '@clientele/domain/registration'
import { endUserSession, subject } from './end-user-session.js'
import { exampleClient } from '../examples/examples.js'
import { nativeRedirectUri, webRedirectUri } from './redirect-uri.js'

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
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, ...others)

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
