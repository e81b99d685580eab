// The pages of logout, for end-users: OpenID RP-Initiated Logout.
import type { ExhaustedBudget, Unavailable } from '@clientele/domain/kernel'
import {
  type ConfirmationGone,
  type LogoutParameters,
  type SessionApplication,
  type Subject,
  shownApplication,
  singleValue,
} from '@clientele/domain/logout'
import { type ConfirmedLogout, type LogoutOffer, confirmLogout, requestLogout } from '@clientele/domain/operations'
import { type ShownEndUser, shownEndUser } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Handler } from '../http/handler.js'
import {
  type CookieNames,
  clearCookie,
  cookieNames,
  hashedCookie,
  isFromElsewhere,
  setCookie,
} from '../http/header-fields.js'
import { type HttpRequest, fieldsOf } from '../http/request.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import { refusalStatuses } from '../http/statuses.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { Language } from '../pages/messages/languages.js'
import { type PageHeaders, type Respond, pageResponse, tooManyPage, unavailablePage } from '../pages/page-response.js'
import type { ShownApplication, ShownPage } from '../pages/page.js'
import type { ServicePorts } from '../ports.js'
import { escapePattern } from '../serve/routing.js'
import type { HttpSettings } from '../settings.js'
import { type Family, baseOf, management } from './route-kinds.js'

/** The maximum number of named applications; the others are counted. */
const maxNamed = 20

const hostOf = ({ client: { metadata } }: SessionApplication): string =>
  metadata.backchannel_logout_uri ?? metadata.frontchannel_logout_uri ?? ''

/** The applications beside the one to which the page leads back, which it names already. */
const shownApplications =
  (language: Language) =>
  (
    applications: ReadonlyArray<SessionApplication>,
    back: RegisteredClient | undefined,
  ): { readonly applications: ReadonlyArray<ShownApplication>; readonly more: number } => {
    const others = applications.filter(({ client }) => client.registration_id !== back?.registration_id)
    return {
      applications: others
        .slice(0, maxNamed)
        .map((application) => shownApplication(language)(application.client, hostOf(application))),
      more: Math.max(0, others.length - maxNamed),
    }
  }

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

const refusedPage = (respond: Respond, language: Language, failure: ExhaustedBudget | Unavailable, again: string) =>
  failure.error === 'exhausted'
    ? tooManyPage(respond({ kind: 'too_many_requests', again }, language), { ...failure, kind: 'logout_pages' })
    : unavailablePage(respond({ kind: 'unavailable', again }, language), failure)

/** GET and POST at the logout path: every request is answered with a confirmation page. */
const getOrPostLogout = (settings: HttpSettings, ports: ServicePorts): Handler => {
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

/** For a browser that opens this address by GET, for example when it restores tabs: there is no answer to process. */
const getConfirm = ({ basePath, logout }: HttpSettings, ports: Pick<ServicePorts, 'renderPage'>): Handler => {
  const respond = pageResponse(ports.renderPage)
  return (request) => {
    const language = chooseLanguage(singleValue(request.query, 'ui_locales'), request.headers['accept-language'])
    const page = respond({ kind: 'gone', again: `${basePath}${logout.path}` }, language)
    return { ...page, status: refusalStatuses.method_not_allowed, headers: { ...page.headers, Allow: 'POST' } }
  }
}

// RFC 9110 §15.4.4: 303, so that going back does not repeat the answer
const ledBack = (location: string, setCookie: string | undefined): HttpResponse =>
  emptyResponse(303, {
    Location: location,
    'Referrer-Policy': 'no-referrer',
    ...(setCookie === undefined ? {} : { 'Set-Cookie': setCookie }),
  })

const hostAlone = (uri: string): ShownApplication => ({ name: undefined, host: new URL(uri).host })

const signedOutPage = (respond: Respond, confirmed: ConfirmedLogout, language: Language, given: PageHeaders) => {
  const { location, client, applications, frames, elsewhere } = confirmed
  const back =
    location === undefined || client === undefined
      ? undefined
      : { application: shownApplication(language)(client, location), uri: location }
  const leaving = elsewhere === undefined ? undefined : { application: hostAlone(elsewhere), uri: elsewhere }
  const page = { kind: 'signed_out' as const, frames: frames.map(({ uri }) => uri), back, elsewhere: leaving }
  return respond({ ...page, ...shownApplications(language)(applications, back && client) }, language, {
    ...given,
    frameOrigins: frames.map(({ origin }) => origin),
    // The end-user chooses first.
    goesOnTo: leaving === undefined ? back?.uri : undefined,
  })
}

const confirmedResponse =
  (respond: Respond, language: Language, names: CookieNames) =>
  (confirmed: ConfirmedLogout): HttpResponse => {
    const { answer, location, frames, elsewhere } = confirmed
    const setCookie = answer === 'logout' ? clearCookie(names.session, names) : undefined
    if (location !== undefined && frames.length === 0 && elsewhere === undefined) return ledBack(location, setCookie)
    return answer === 'logout'
      ? signedOutPage(respond, confirmed, language, { setCookie })
      : respond({ kind: 'still_signed_in' }, language)
  }

/** The end-user's answer, from the form of the confirmation page only. */
const postConfirm = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const { logout, registration, basePath } = settings
  const again = `${basePath}${logout.path}`
  const confirm = confirmLogout(logout.policy, ports)
  const names = cookieNames(registration.issuer)
  const respond = pageResponse(ports.renderPage)
  const { origin } = new URL(registration.issuer)
  const hashOf = hashedCookie(ports)
  return (request) => {
    const fields = fieldsOf(request.body)
    const language = chooseLanguage(singleValue(request.query, 'ui_locales'), request.headers['accept-language'])
    const refused = (refusal: ConfirmationGone | Unavailable): HttpResponse =>
      refusal.error === 'unavailable'
        ? unavailablePage(respond({ kind: 'unavailable', again }, language), refusal)
        : { ...respond({ kind: 'gone', again }, language), reason: refusal.error }
    return pipe(
      confirm({
        value: singleValue(fields, 'value'),
        answer: singleValue(fields, 'answer'),
        sessionCookie: hashOf(request, names.session),
        confirmationCookies: [names.confirmation, names.unseen].flatMap((name) => hashOf(request, name) ?? []),
        fromElsewhere: isFromElsewhere(request, origin),
      }),
      TE.tapIO((confirmed) => () => (confirmed.answer === 'logout' ? ports.sessionEnded(confirmed) : undefined)),
      TE.match(refused, confirmedResponse(respond, language, names)),
    )()
  }
}

// Only browsers request these, also by links and forms of other sites; scripts of other origins may not read the
// answers.
export const logoutRoutes: Family<'service'> = (settings, ports) => {
  if (settings.logout.path === undefined) return []
  const path = `${baseOf(settings)}${escapePattern(settings.logout.path)}`
  const ask = getOrPostLogout(settings, ports)
  return [
    management('GET', path, ask),
    { ...management('POST', path, ask), takes: 'form' },
    management('GET', `${path}/confirm`, getConfirm(settings, ports)),
    { ...management('POST', `${path}/confirm`, postConfirm(settings, ports)), takes: 'form' },
  ]
}
