import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OutboundFailure } from './outbound-failure.js'

const refused = (reason: string): E.Either<OutboundFailure, never> => E.left({ kind: 'forbidden', reason })

const permit = (url: URL, loopbackOrigin: string | undefined): E.Either<OutboundFailure, URL> => {
  if (url.protocol !== 'https:' && url.origin !== loopbackOrigin) return refused('the scheme is not https')
  if (url.username !== '' || url.password !== '') return refused('the URL holds userinfo')
  // The parser removes the default port of the scheme.
  return url.port === '' || Number(url.port) >= 1024
    ? E.right(url)
    : refused('the URL names a port other than 443 and 1024 to 65535')
}

/** An https URL, or one of the origin, without userinfo, whose port is the default one or not reserved (RFC 6335 §6). */
export const parseHttpsUrl = (text: string, loopbackOrigin?: string): E.Either<OutboundFailure, URL> =>
  pipe(
    E.tryCatch(
      () => new URL(text),
      (): OutboundFailure => ({ kind: 'forbidden', reason: 'this is no URL' }),
    ),
    E.flatMap((url) => permit(url, loopbackOrigin)),
  )

/** The host as a name or an address, without the brackets of RFC 3986 §3.2.2. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
