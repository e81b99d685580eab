// GET /login/callback: the browser returns from the login page of another party.
import type { AuthenticatedEndUser, LoginElsewhere, LoginRefused, Unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { clearCookie, cookieNames, sealedCookieOf } from '../http/cookies.js'
import type { Handler } from '../http/handler.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { Language } from '../pages/messages/languages.js'
import type { HttpSettings } from '../settings.js'
import { interactionPages } from './interaction-pages.js'
import { callbackOf, isHandle, loginCookieName, readLoginCookie } from './login-elsewhere.js'
import type { SignInPorts } from './sign-in-ports.js'

type Completed = { readonly interaction: string; readonly endUser: AuthenticatedEndUser }

const refused = (reason: string): LoginRefused => ({ error: 'login_refused', reason })

// RFC 6749 §3.1: parameters occur once
const parametersOf = ({ query }: HttpRequest): E.Either<LoginRefused, Readonly<Record<string, string>>> => {
  const pairs = Object.entries(query).flatMap(([name, [value, ...more]]) =>
    value === undefined || more.length > 0 ? [] : [[name, value] as const],
  )
  return pairs.length === Object.keys(query).length
    ? E.right(Object.fromEntries(pairs))
    : E.left(refused('repeated_parameter'))
}

export const getLoginCallback = (settings: HttpSettings, ports: SignInPorts, login: LoginElsewhere): Handler => {
  const pages = interactionPages(settings, ports)
  const names = cookieNames(settings.registration.issuer)
  const redirectUri = callbackOf(settings)
  const complete = async (
    request: HttpRequest,
    state: string | undefined,
  ): Promise<E.Either<LoginRefused | Unavailable, Completed>> => {
    const parameters = parametersOf(request)
    if (state === undefined) return E.left(refused('no_state'))
    return E.isLeft(parameters) ? parameters : login.complete({ state, parameters: parameters.right, redirectUri })()
  }
  const failed = (failure: LoginRefused | Unavailable, language: Language, again: string | undefined): HttpResponse =>
    failure.error === 'unavailable'
      ? pages.unavailable(language, failure, again)
      : { ...pages.respond({ kind: 'login_failed', again }, language), reason: failure.reason }
  const sealedIn = (request: HttpRequest, handle: string): string | undefined =>
    isHandle(handle) ? sealedCookieOf(request, loginCookieName(names, handle)) : undefined
  return async (request) => {
    const [handle = ''] = request.query['state'] ?? []
    const cookie = sealedIn(request, handle)
    const begun = cookie === undefined ? undefined : readLoginCookie(cookie)
    const again = begun === undefined ? undefined : pages.addressOf(begun.interaction)
    const completed = await complete(request, begun?.state)
    const cleared = begun === undefined ? [] : [clearCookie(loginCookieName(names, handle), names)]
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    if (E.isLeft(completed)) return { ...failed(completed.left, language, again), setCookies: cleared }
    const { interaction: id, endUser } = completed.right
    return pages.visit({ ...request, id }, (visit) => pages.finish(visit, { answer: 'signed_in', endUser }, cleared))
  }
}
