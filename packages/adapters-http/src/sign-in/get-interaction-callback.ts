// GET /interaction/{id}/callback: completes the login elsewhere for the interaction that began it.
import type { Unavailable } from '@clientele/domain/kernel'
import type { LoginElsewhere } from '@clientele/domain/ports'
import type { AuthenticatedEndUser, LoginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { clearCookie, cookieNames } from '../http/cookies.js'
import type { Handler } from '../http/handler.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpSettings } from '../settings.js'
import { type Visit, interactionPages } from './interaction-pages.js'
import { begunLogin, callbackOf, loginCookieName, loginFailed } from './login-elsewhere.js'
import type { SignInPorts } from '../ports.js'

type Completing = (visit: Visit) => Promise<E.Either<LoginRefused | Unavailable, AuthenticatedEndUser>>

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

const completing = (settings: HttpSettings, login: LoginElsewhere): Completing => {
  const names = cookieNames(settings.registration.issuer)
  const redirectUri = callbackOf(settings)
  return async ({ request, interaction: { id } }) => {
    const parameters = parametersOf(request)
    const begun = begunLogin(names, request)
    if (begun === undefined) return E.left(refused('no_state'))
    if (E.isLeft(parameters)) return parameters
    const completed = await login.complete({ state: begun.state, parameters: parameters.right, redirectUri })()
    if (E.isLeft(completed)) return completed
    // The cookie names the interaction in plain text, its sealed state decides.
    return completed.right.interaction === id
      ? E.right(completed.right.endUser)
      : E.left(refused('the login is that of another interaction'))
  }
}

export const getInteractionCallback = (settings: HttpSettings, ports: SignInPorts, login: LoginElsewhere): Handler => {
  const pages = interactionPages(settings, ports)
  const names = cookieNames(settings.registration.issuer)
  const complete = completing(settings, login)
  const failed = loginFailed(pages)
  const answer = async (visit: Visit): Promise<HttpResponse> => {
    const { request, interaction, language } = visit
    const completed = await complete(visit)
    const handle = begunLogin(names, request)?.handle
    const cleared = handle === undefined ? [] : [clearCookie(loginCookieName(names, handle), names)]
    if (E.isRight(completed)) return pages.finish(visit, { answer: 'signed_in', endUser: completed.right }, cleared)
    return { ...failed(language, completed.left, pages.addressOf(interaction.id)), setCookies: cleared }
  }
  return (request) => pages.visit(request, answer)
}
