import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OutboundFailure } from './outbound-failure.js'

const refused = (reason: string): E.Either<OutboundFailure, never> => E.left({ kind: 'forbidden', reason })

const permit = (url: URL): E.Either<OutboundFailure, URL> => {
  if (url.protocol !== 'https:') return refused('the scheme is not https')
  if (url.username !== '' || url.password !== '') return refused('the URL holds userinfo')
  // The parser removes the default port of the scheme.
  return url.port === '' || Number(url.port) >= 1024
    ? E.right(url)
    : refused('the URL names a port other than 443 and 1024 to 65535')
}

/** An https URL without userinfo, whose port is 443 or not reserved (RFC 6335 §6). */
export const parseHttpsUrl = (text: string): E.Either<OutboundFailure, URL> =>
  pipe(
    E.tryCatch(
      () => new URL(text),
      (): OutboundFailure => ({ kind: 'forbidden', reason: 'this is no URL' }),
    ),
    E.flatMap(permit),
  )

/** The host as a name or an address, without the brackets of RFC 3986 §3.2.2. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
