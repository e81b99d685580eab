import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type RegisteredRedirects, matchRedirectUri } from '@clientele/domain/client'
import { loopbackRedirectUri, nativeRedirectUri, webRedirectUri } from '../arbitraries/uris.js'
import { type Law, lawsAbout } from './law.js'

/** The function that the laws of redirection URIs are about. */
export type RedirectRules = {
  /** The registered redirection URI that an authorization request asks for. */
  readonly matchRedirectUri: (registered: RegisteredRedirects, requested: unknown) => O.Option<string>
}

/** The domain's own rule. */
export const redirectRules: RedirectRules = { matchRedirectUri }

export type RedirectLaw = Law<RedirectRules>

const { law, lawsOf } = lawsAbout(redirectRules)

const anyUri = fc.oneof(nativeRedirectUri(), webRedirectUri())
const applicationType = fc.constantFrom('web' as const, 'native' as const)
const registered: fc.Arbitrary<RegisteredRedirects> = fc.record(
  { application_type: applicationType, redirect_uris: fc.uniqueArray(anyUri, { maxLength: 4 }) },
  { requiredKeys: ['application_type'] },
)
const port = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 65_535 }).map((number) => `:${number}`),
)

const onPort = (uri: string, requested: string): string =>
  uri.replace(/^(http:\/\/(?:\[::1\]|[^/?:]*))(?::\d+)?/i, (_, origin: string) => `${origin}${requested}`)

// A request differs from a registered URI in a few characters.
const changed = (uri: string): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(uri.length), fc.nat(3), fc.string({ maxLength: 3 })).map(([start, length, text]) => {
    return `${uri.slice(0, start)}${text}${uri.slice(start + length)}`
  })

const loopbackHosts = fc.constantFrom('localhost', '127.0.0.1', '[::1]')
// docs/decisions/redirects.md: each of the three hosts matches itself only.
const onAnyLoopback = (uri: string): fc.Arbitrary<string> =>
  loopbackHosts.map((host) => uri.replace(/\/\/(?:localhost|127\.0\.0\.1|\[::1\])/i, `//${host}`))

const nearby = (registrations: fc.Arbitrary<RegisteredRedirects>) =>
  registrations.chain((one) =>
    fc.tuple(
      fc.constant(one),
      fc.oneof(anyUri, fc.string(), ...(one.redirect_uris ?? []).flatMap((uri) => [changed(uri), onAnyLoopback(uri)])),
    ),
  )

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i

const native = fc.uniqueArray(loopbackRedirectUri(), { minLength: 1, maxLength: 3 }).map((redirect_uris) => ({
  application_type: 'native' as const,
  redirect_uris,
}))

/** All laws of the match between redirection URIs and registered ones. */
export const redirectLaws: ReadonlyArray<RedirectLaw> = [
  ...lawsOf('RFC 6749 §3.1.2.3', {
    'registered-uri-matches-itself': law(
      'each registered redirection URI matches itself',
      [registered],
      ({ matchRedirectUri }, client) => {
        for (const uri of client.redirect_uris ?? []) assert.equal(matchRedirectUri(client, uri), O.some(uri))
      },
    ),
    'more-registered-uris-never-match-less': law(
      'a further registered URI never makes another one fail to match',
      [nearby(registered), anyUri],
      ({ matchRedirectUri }, [client, requested], further) => {
        const redirect_uris = [...(client.redirect_uris ?? []), further]
        assert.ok(
          O.isNone(matchRedirectUri(client, requested)) ||
            O.isSome(matchRedirectUri({ ...client, redirect_uris }, requested)),
        )
      },
    ),
  }),
  ...lawsOf('RFC 9700 §2.1', {
    'match-is-a-registered-uri': law(
      'every value is refused, or matches a URI that is registered',
      [registered, fc.anything()],
      ({ matchRedirectUri }, client, requested) => {
        const match = matchRedirectUri(client, requested)
        assert.ok(O.isNone(match) || client.redirect_uris?.includes(match.value))
      },
    ),
    'other-uri-matches-on-the-loopback-alone': law(
      'a URI that is not registered matches for native clients only, and on a loopback host only',
      [nearby(registered)],
      ({ matchRedirectUri }, [client, requested]) => {
        const match = matchRedirectUri(client, requested)
        if (O.isNone(match) || match.value === requested) return
        assert.is(client.application_type, 'native')
        assert.ok(loopback.test(requested) && loopback.test(match.value), requested)
      },
    ),
  }),
  ...lawsOf('RFC 8252 §7.3', {
    'native-loopback-matches-on-any-port': law(
      'a loopback URI of a native client matches on any port, and without one',
      [native, port],
      ({ matchRedirectUri }, client, requested) => {
        for (const uri of client.redirect_uris) assert.ok(O.isSome(matchRedirectUri(client, onPort(uri, requested))))
      },
    ),
    'only-the-port-may-differ': law(
      'a URI matches another one only if both are the same on the same port, and have the same one of the loopback hosts',
      [nearby(native), port],
      ({ matchRedirectUri }, [client, requested], samePort) => {
        const match = matchRedirectUri(client, requested)
        if (O.isSome(match)) assert.is(onPort(match.value, samePort), onPort(requested, samePort))
      },
    ),
  }),
]
