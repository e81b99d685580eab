// GET /login/callback: the browser returns from the login page of another party.
import { cookieNames } from '../http/cookies.js'
import type { Handler } from '../http/handler.js'
import type { Query } from '../http/request.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { HttpSettings } from '../settings.js'
import { interactionPages, seeOther } from './interaction-pages.js'
import { begunLogin, loginFailed } from './login-elsewhere.js'
import type { SignInPorts } from '../ports.js'

const queryStringOf = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ).toString()

/** Goes on below the page of the interaction, because browsers send the cookies of an interaction there only. */
export const getLoginCallback = (settings: HttpSettings, ports: SignInPorts): Handler => {
  const pages = interactionPages(settings, ports)
  const names = cookieNames(settings.registration.issuer)
  const failed = loginFailed(pages)
  return (request) => {
    const begun = begunLogin(names, request)
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    return Promise.resolve(
      begun === undefined
        ? failed(language, { error: 'login_refused', reason: 'no_state' }, undefined)
        : seeOther(`${pages.addressOf(begun.interaction)}/callback?${queryStringOf(request.query)}`),
    )
  }
}
