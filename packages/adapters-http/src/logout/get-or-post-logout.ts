// GET and POST at the logout path: every request is answered with a confirmation page. OpenID RP-Initiated Logout §2.
import type { ExhaustedBudget, Unavailable } from '@clientele/domain/kernel'
import { type LogoutParameters, type Subject, shownApplication, singleValue } from '@clientele/domain/logout'
import { type LogoutOffer, requestLogout } from '@clientele/domain/operations'
import { type ShownEndUser, shownEndUser } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { cookieNames, hashedCookie, setCookie } from '../http/cookies.js'
import type { Handler } from '../http/handler.js'
import { fieldsOf } from '../http/request-body.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { ShownPage, ShownApplication } from '../pages/page.js'
import { pageResponse } from '../pages/page-response.js'
import type { Language } from '../pages/messages/languages.js'
import { shownApplications } from './shown-applications.js'
import { tooManyPage } from '../pages/too-many-page.js'
import { unavailablePage } from '../pages/unavailable-page.js'

// RP-Initiated Logout §2: a POST has the parameters in the form
const parametersOf = (request: HttpRequest): LogoutParameters =>
  request.method === 'POST' ? fieldsOf(request.body) : request.query

// SameSite=Lax: a cross-site POST comes without the existing cookies. Old browsers do not send the site.
const lacksCookies = ({ method, headers }: HttpRequest): boolean =>
  method === 'POST' && [undefined, 'cross-site'].includes(headers['sec-fetch-site'])

const pageOf = (offer: LogoutOffer, action: string, language: Language, user: ShownEndUser | undefined): ShownPage => {
  const { redirect, session, value } = offer
  const back: ShownApplication | undefined = E.isRight(redirect)
    ? shownApplication(language)(redirect.right.client, redirect.right.requested.uri)
    : undefined
  const notice = E.isLeft(redirect) ? redirect.left : undefined
  const form = { action: `${action}?ui_locales=${language}`, value }
  if (session.kind === 'nobody') return { kind: 'nobody', form: back === undefined ? undefined : form, back, notice }
  const asking = E.isRight(redirect) ? redirect.right.client : undefined
  return { kind: 'dialog', form, back, notice, user, ...shownApplications(language)(offer.applications, asking) }
}

// The page comes without a name where the claims cannot be read.
const findShownUser =
  ({ findEndUserClaims }: ServicePorts) =>
  (sub: Subject | undefined): TE.TaskEither<never, ShownEndUser | undefined> => {
    if (sub === undefined) return TE.right(undefined)
    if (findEndUserClaims === undefined) return TE.right(shownEndUser(sub))
    return pipe(
      findEndUserClaims(sub),
      TE.match(
        () => shownEndUser(sub),
        (claims) => shownEndUser(sub, O.toUndefined(claims)),
      ),
      TE.fromTask,
    )
  }

const refusedPage = (
  respond: ReturnType<typeof pageResponse>,
  language: Language,
  failure: ExhaustedBudget | Unavailable,
  again: string,
): HttpResponse =>
  failure.error === 'exhausted'
    ? tooManyPage(respond, language, 'logout_pages', failure, again)
    : unavailablePage(respond, language, failure, again)

export const getOrPostLogout = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const { logout, basePath, registration } = settings
  const ask = requestLogout(logout.policy, ports)
  const names = cookieNames(registration.issuer)
  const respond = pageResponse(ports.renderPage)
  const hashOf = hashedCookie(ports)
  const shownUser = findShownUser(ports)
  const again = `${basePath}${logout.path}`
  return (request) => {
    const parameters = parametersOf(request)
    const cookiesWithheld = lacksCookies(request)
    const cookie = cookiesWithheld ? names.unseen : names.confirmation
    const language = chooseLanguage(singleValue(parameters, 'ui_locales'), request.headers['accept-language'])
    return pipe(
      ask({
        parameters,
        sessionCookie: hashOf(request, names.session),
        confirmationCookie: hashOf(request, cookie),
        cookiesWithheld,
        remoteAddress: request.remoteAddress,
      }),
      TE.flatMap((offer) =>
        pipe(
          shownUser(offer.sub),
          TE.map((user) => ({ offer, user })),
        ),
      ),
      TE.match(
        (failure) => refusedPage(respond, language, failure, again),
        ({ offer, user }): HttpResponse => ({
          ...respond(pageOf(offer, `${again}/confirm`, language, user), language, {
            setCookie: offer.newCookie === undefined ? undefined : setCookie(cookie, offer.newCookie, names),
          }),
          ...(E.isLeft(offer.redirect) ? { reason: offer.redirect.left } : {}),
        }),
      ),
    )()
  }
}
