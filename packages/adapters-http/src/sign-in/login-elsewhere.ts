// Sends the browser to the login page of another party, and keeps the state of that login in the browser.
import type { Unavailable } from '@clientele/domain/kernel'
import type { LoginElsewhere } from '@clientele/domain/ports'
import type { LoginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import {
  type CookieNames,
  clearCookie,
  cookieNames,
  cookiesNamed,
  isSealedValue,
  sealedCookieOf,
  setCookie,
} from '../http/cookies.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Language } from '../pages/messages/languages.js'
import type { ShownPage } from '../pages/page.js'
import type { HttpSettings } from '../settings.js'
import { type InteractionPages, type Visit, seeOther } from './interaction-pages.js'

/** One cookie for each login, so that those of two tabs do not replace each other. */
export const loginCookieName = (names: CookieNames, handle: string): string => `${names.login}-${handle}`

/** The interaction of a login stands before its state, so that the page of a failure can lead back to it. */
const separator = '~'

export const loginCookie = (interaction: string, state: string): string => `${interaction}${separator}${state}`

export const readLoginCookie = (value: string): { readonly interaction: string; readonly state: string } => {
  const place = value.indexOf(separator)
  return { interaction: value.slice(0, Math.max(0, place)), state: value.slice(place + 1) }
}

/** A name of a cookie consists of it: RFC 6265 §4.1.1. */
export const isHandle = (handle: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(handle)

export type BegunLogin = { readonly handle: string; readonly interaction: string; readonly state: string }

/** The login of the parameter `state`, as the cookie of this browser has it. */
export const begunLogin = (names: CookieNames, request: HttpRequest): BegunLogin | undefined => {
  const [handle = ''] = request.query['state'] ?? []
  const cookie = isHandle(handle) ? sealedCookieOf(request, loginCookieName(names, handle)) : undefined
  const begun = cookie === undefined ? undefined : readLoginCookie(cookie)
  return begun === undefined || begun.interaction === '' ? undefined : { handle, ...begun }
}

const otherAccount = 'account=other'

const pageOf = ({ because }: LoginRefused, again: string | undefined): ShownPage => {
  if (because === 'misconfigured') return { kind: 'sign_in_misconfigured' }
  return because === 'not_permitted'
    ? { kind: 'not_permitted', again: again === undefined ? undefined : `${again}?${otherAccount}` }
    : { kind: 'login_failed', again }
}

// What only the operator can correct is a failure of the service.
const reportOf = ({ because, reason }: LoginRefused): Pick<HttpResponse, 'reason' | 'detail'> =>
  because === 'misconfigured' ? { detail: reason } : { reason }

/** The page of a login that failed; it leads back to its beginning, if that is known, unless that does not help. */
export const loginFailed =
  (pages: InteractionPages) =>
  (language: Language, failure: LoginRefused | Unavailable, again: string | undefined): HttpResponse =>
    failure.error === 'unavailable'
      ? pages.unavailable(language, failure, again)
      : { ...pages.respond(pageOf(failure, again), language), ...reportOf(failure) }

export const callbackOf = ({ registration }: HttpSettings): string => `${registration.issuer}/login/callback`

// The cookie must be as long-lived as the login only.
const seconds = 900

/** Characters of all cookies of logins; the header fields of a request have 16,384 bytes (RFC 6585 §5). */
const maxCookies = 6_000

/**
 * The cookies of the oldest logins beside a new one. Every page sends all of them, so that the service could answer none
 * when too many logins began, in tabs or by links of another site. RFC 6265 §5.4: browsers send the oldest first.
 */
const supersededLogins = (names: CookieNames, request: HttpRequest, length: number): ReadonlyArray<string> => {
  const begin = loginCookieName(names, '')
  const newestFirst = cookiesNamed(request, begin)
    .filter(({ name }) => isHandle(name.slice(begin.length)))
    .reverse()
  return newestFirst.reduce<{ readonly sum: number; readonly names: ReadonlyArray<string> }>(
    (found, each) => {
      const sum = found.sum + each.length
      return { sum, names: sum > maxCookies ? [...found.names, each.name] : found.names }
    },
    { sum: length, names: [] },
  ).names
}

export const loginElsewhere = (settings: HttpSettings, pages: InteractionPages, login: LoginElsewhere) => {
  const names: CookieNames = cookieNames(settings.registration.issuer)
  const redirectUri = callbackOf(settings)
  const failed = loginFailed(pages)
  return async ({ request, interaction, language }: Visit): Promise<HttpResponse> => {
    const { id, loginHint, uiLocales, maxAge } = interaction
    const begun = await login.begin({
      interaction: id,
      redirectUri,
      loginHint,
      uiLocales,
      maxAge,
      otherAccount: request.query['account']?.join() === 'other',
    })()
    if (E.isLeft(begun)) return failed(language, begun.left, pages.addressOf(id))
    const { location, handle, state } = begun.right
    const value = loginCookie(id, state)
    if (!isSealedValue(value) || !isHandle(handle))
      return pages.unavailable(language, { error: 'unavailable', detail: 'the state of the login fits in no cookie' })
    const name = loginCookieName(names, handle)
    const superseded = supersededLogins(names, request, name.length + 1 + value.length)
    return seeOther(location, [
      ...superseded.map((each) => clearCookie(each, names)),
      `${setCookie(name, value, names)}; Max-Age=${seconds}`,
    ])
  }
}
