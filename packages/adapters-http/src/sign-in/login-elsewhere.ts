// Sends the browser to the login page of another party, and keeps the state of that login in the browser.
import type { LoginElsewhere } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type CookieNames, cookieNames, isSealedValue, setCookie } from '../http/cookies.js'
import type { HttpResponse } from '../http/response.js'
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

export const callbackOf = ({ registration }: HttpSettings): string => `${registration.issuer}/login/callback`

// The cookie must be as long-lived as the login only.
const seconds = 900

export const loginElsewhere = (settings: HttpSettings, pages: InteractionPages, login: LoginElsewhere) => {
  const names: CookieNames = cookieNames(settings.registration.issuer)
  const redirectUri = callbackOf(settings)
  return async ({ interaction, language }: Visit): Promise<HttpResponse> => {
    const { id, loginHint, uiLocales, maxAge } = interaction
    const begun = await login.begin({ interaction: id, redirectUri, loginHint, uiLocales, maxAge })()
    if (E.isLeft(begun))
      return begun.left.error === 'unavailable'
        ? pages.unavailable(language, begun.left, pages.addressOf(id))
        : {
            ...pages.respond({ kind: 'login_failed', again: pages.addressOf(id) }, language),
            reason: begun.left.reason,
          }
    const { location, handle, state } = begun.right
    const value = loginCookie(id, state)
    if (!isSealedValue(value) || !isHandle(handle))
      return pages.unavailable(language, { error: 'unavailable', detail: 'the state of the login fits in no cookie' })
    return seeOther(location, [`${setCookie(loginCookieName(names, handle), value, names)}; Max-Age=${seconds}`])
  }
}
