import type { TokenHash } from '@clientele/domain'
import type { HttpRequest } from './request.js'

// RFC 6265 §5.2: blanks and tabs alone; a browser takes a name after any other sign for another one, without our prefix.
// A run of them is tried from its first sign only, because from each of them takes too long.
const withoutBlanks = (pair: string): string => pair.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')

const values = /^[A-Za-z0-9]{1,128}$/

/**
 * The value of a cookie of ours: RFC 6265 §4.2.1. One that stands twice counts as none, because somebody else may have set the
 * other one.
 */
export const cookieOf = ({ headers }: HttpRequest, name: string): string | undefined => {
  const pairs = (headers.cookie ?? '').split(';').map(withoutBlanks)
  const [value, ...more] = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
  return value !== undefined && more.length === 0 && values.test(value) ? value : undefined
}

/** A cookie by its hash: its value is not known beyond this place. */
export const hashedCookie =
  ({ hashToken }: { readonly hashToken: (token: string) => TokenHash }) =>
  (request: HttpRequest, name: string): TokenHash | undefined => {
    const value = cookieOf(request, name)
    return value === undefined ? undefined : hashToken(value)
  }

export type CookieNames = {
  /** Who is signed in. */
  readonly session: string
  /** Which browser was shown a dialog. */
  readonly dialog: string
  /** The same, where another site asked and no cookie came along: so that it does not replace the one that there may be. */
  readonly unseen: string
  readonly attributes: string
}

/** RFC 6265bis §4.1.3.2: the prefix keeps other hosts and plain http from setting them; without https there is none. */
export const cookieNames = (baseUrl: string): CookieNames =>
  baseUrl.startsWith('https:')
    ? {
        session: '__Host-clientele-session',
        dialog: '__Host-clientele-logout',
        unseen: '__Host-clientele-logout-unseen',
        attributes: 'Path=/; HttpOnly; SameSite=Lax; Secure',
      }
    : {
        session: 'clientele-session',
        dialog: 'clientele-logout',
        unseen: 'clientele-logout-unseen',
        attributes: 'Path=/; HttpOnly; SameSite=Lax',
      }

export const setCookie = (name: string, value: string, { attributes }: CookieNames): string =>
  `${name}=${value}; ${attributes}`

export const clearCookie = (name: string, { attributes }: CookieNames): string => `${name}=; Max-Age=0; ${attributes}`
