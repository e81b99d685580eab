// The cookies of this service: those that a request brings, and those that answers set.
import type { HashText, TokenHash } from '@clientele/domain/authorization'
import type { HttpRequest } from './request.js'

// RFC 6265 §5.2: only blanks and tabs, because browsers do not take a name with another character for one with our
// prefix. The pattern starts only at the first blank of a run, so that it is linear.
const withoutBlanks = (pair: string): string => pair.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')

/**
 * The value of this service's cookie in a Cookie field: RFC 6265 §4.2.1. A cookie that occurs twice counts as absent,
 * because another host may have set one of the two.
 */
const onlyCookie =
  (form: RegExp) =>
  (field: string | undefined, name: string): string | undefined => {
    const pairs = (field ?? '').split(';').map(withoutBlanks)
    const [value, ...more] = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
    return value !== undefined && more.length === 0 && form.test(value) ? value : undefined
  }

/** The value of a cookie that identifies something, in a Cookie field. */
export const cookieIn = onlyCookie(/^[A-Za-z0-9]{1,128}$/)

export const cookieOf = ({ headers }: HttpRequest, name: string): string | undefined => cookieIn(headers.cookie, name)

// RFC 6265 §6.1: browsers keep 4096 bytes of a cookie at least, its name and attributes included
const sealedForm = /^[\w.~-]{1,3800}$/

export const isSealedValue = (value: string): boolean => sealedForm.test(value)

const sealedCookieIn = onlyCookie(sealedForm)

/** The value of a cookie with sealed content. */
export const sealedCookieOf = ({ headers }: HttpRequest, name: string): string | undefined =>
  sealedCookieIn(headers.cookie, name)

/** The cookies of a Cookie field whose names begin so, in their order, with the length of each pair. */
export const cookiesNamed = (
  { headers }: HttpRequest,
  begin: string,
): ReadonlyArray<{ readonly name: string; readonly length: number }> =>
  (headers.cookie ?? '').split(';').flatMap((given) => {
    const pair = withoutBlanks(given)
    const end = pair.indexOf('=')
    return end >= begin.length && pair.startsWith(begin) ? [{ name: pair.slice(0, end), length: pair.length }] : []
  })

/** The hash of a cookie; its value does not leave this function. */
export const hashedCookie =
  ({ hashToken }: { readonly hashToken: HashText }) =>
  (request: HttpRequest, name: string): TokenHash | undefined => {
    const value = cookieOf(request, name)
    return value === undefined ? undefined : hashToken(value)
  }

export type CookieNames = {
  /** Identifies the end-user session. */
  readonly session: string
  /** Identifies the browser that received a confirmation page. */
  readonly confirmation: string
  /** The same for cross-site requests without cookies, so that an existing cookie is not replaced. */
  readonly unseen: string
  /** The state of a login at another party, while the browser is there. */
  readonly login: string
  readonly attributes: string
}

/**
 * RFC 6265bis §4.1.3.2: the prefix stops other hosts and plain http from setting them; without https there is no
 * prefix.
 */
export const cookieNames = (baseUrl: string): CookieNames => {
  const isSecure = baseUrl.startsWith('https:')
  const prefix = isSecure ? '__Host-' : ''
  return {
    session: `${prefix}clientele-session`,
    confirmation: `${prefix}clientele-logout`,
    unseen: `${prefix}clientele-logout-unseen`,
    login: `${prefix}clientele-login`,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  }
}

export const setCookie = (name: string, value: string, { attributes }: CookieNames): string =>
  `${name}=${value}; ${attributes}`

export const clearCookie = (name: string, { attributes }: CookieNames): string => `${name}=; Max-Age=0; ${attributes}`
