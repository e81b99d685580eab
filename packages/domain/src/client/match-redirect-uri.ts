// The redirection URI of an authorization request against the registered ones: RFC 6749 §3.1.2.3, RFC 9700 §2.1.
import * as O from 'fp-ts/lib/Option.js'
import type { ApplicationType } from './redirect-uri.js'
import { maxUriLength } from './uri.js'

/** The registered facts on which the match depends: those of the effective metadata. */
export type RegisteredRedirects = {
  readonly application_type: ApplicationType
  readonly redirect_uris?: ReadonlyArray<string>
}

// http on a loopback host, its port apart; the host in any case, the port as RFC 3986 §3.2.3 writes a number
const loopbackUri = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?([/?].*)?$/i

// The URI without its port; undefined for a URI that is not http on a loopback host.
const withoutPort = (uri: string): string | undefined => {
  const [, origin, port = '1', rest = ''] = loopbackUri.exec(uri) ?? []
  return origin === undefined || Number(port) > 65_535 ? undefined : `${origin}${rest}`
}

const registeredOn = (uris: ReadonlyArray<string>, requested: string): O.Option<string> => {
  const plain = withoutPort(requested)
  return plain === undefined ? O.none : O.fromNullable(uris.find((uri) => withoutPort(uri) === plain))
}

/**
 * The registered redirection URI that an authorization request asks for, given its `redirect_uri`: none where no
 * registered one matches. URIs are compared byte for byte. Of native clients, `http` URIs on `127.0.0.1`, `[::1]` and
 * `localhost` match on any port, with or without one; the three hosts are not the same. The response goes to the URI
 * that was requested for, never to the registered one.
 *
 * @example
 * const registered = { application_type: 'native', redirect_uris: ['http://127.0.0.1/callback'] } as const
 * matchRedirectUri(registered, 'http://127.0.0.1:51004/callback') // O.some('http://127.0.0.1/callback')
 */
export const matchRedirectUri = (
  { application_type, redirect_uris = [] }: RegisteredRedirects,
  requested: unknown,
): O.Option<string> => {
  if (typeof requested !== 'string' || requested.length > maxUriLength) return O.none
  if (redirect_uris.includes(requested)) return O.some(requested)
  // RFC 8252 §7.3, RFC 9700 §2.1: an application on a device gets its port when the request is made
  return application_type === 'native' ? registeredOn(redirect_uris, requested) : O.none
}
