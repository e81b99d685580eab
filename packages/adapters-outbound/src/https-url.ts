import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

const refused = (reason: string): E.Either<Error, never> => E.left(new Error(reason))

const permit = (url: URL): E.Either<Error, URL> => {
  if (url.protocol !== 'https:') return refused('the scheme is not https')
  if (url.username !== '' || url.password !== '') return refused('the URL holds userinfo')
  return url.port === '0' ? refused('the URL names port 0') : E.right(url)
}

/** An https URL without userinfo. Any port but 0 may be named: RFC 9110 §4.2.2. */
export const parseHttpsUrl = (text: string): E.Either<Error, URL> =>
  pipe(
    E.tryCatch(
      () => new URL(text),
      () => new Error('this is no URL'),
    ),
    E.flatMap(permit),
  )

/** The host as a name or an address, without the brackets of RFC 3986 §3.2.2. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
