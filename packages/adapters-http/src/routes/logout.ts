// The pages of logout, for end-users: OpenID RP-Initiated Logout.
import type { Unavailable } from '@clientele/domain/kernel'
import {
  type LogoutParameters,
  type SessionApplication,
  type ShownApplication,
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
import { clearCookie, cookieNames, hashedCookie, setCookie } from '../http/cookies.js'
import { type HttpRequest, fieldsOf, isFromElsewhere } from '../http/request.js'
import { type HttpResponse, seeOther } from '../http/response.js'
import { type Language, chooseLanguage } from '../pages/messages/languages.js'
import { type Respond, pageResponse, tooManyPage, unavailablePage } from '../pages/page-response.js'
import type { ShownPage } from '../pages/page.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { refusalStatuses } from '../statuses.js'
import { type Family, type Handler, baseOf, escapePattern, route } from './route.js'

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

/** What the handlers share. */
const logoutPages = ({ basePath, logout, registration }: HttpSettings, ports: ServicePorts) => {
  const respond = pageResponse(ports.renderPage)
  const again = `${basePath}${logout.path}`
  return {
    respond,
    again,
    names: cookieNames(registration.issuer),
    hashOf: hashedCookie(ports),
    gone: (language: Language): HttpResponse => respond({ kind: 'gone', again }, language),
    unavailable: (language: Language, failure: Unavailable): HttpResponse =>
      unavailablePage(respond({ kind: 'unavailable', again }, language), failure),
  }
}

type LogoutPages = ReturnType<typeof logoutPages>

const languageOf = (request: HttpRequest, parameters: LogoutParameters = request.query): Language =>
  chooseLanguage(singleValue(parameters, 'ui_locales'), request.headers['accept-language'])

/** GET and POST at the logout path: every request is answered with a confirmation page. */
const getOrPostLogout = (settings: HttpSettings, ports: ServicePorts, pages: LogoutPages): Handler => {
  const ask = requestLogout(settings.logout.policy, ports)
  const { respond, again, names, hashOf } = pages
  const shownUser = findShownUser(ports)
  return (request) => {
    const parameters = parametersOf(request)
    const cookiesWithheld = lacksCookies(request)
    const cookie = cookiesWithheld ? names.unseen : names.confirmation
    const language = languageOf(request, parameters)
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
        (failure) =>
          failure.error === 'exhausted'
            ? tooManyPage(respond({ kind: 'too_many_requests', again }, language), { ...failure, kind: 'logout_pages' })
            : pages.unavailable(language, failure),
        ({ offer, user }): HttpResponse => ({
          ...respond(pageOf(offer, `${again}/confirm`, language, user), language),
          ...(offer.newCookie === undefined ? {} : { setCookies: [setCookie(cookie, offer.newCookie, names)] }),
          ...(E.isLeft(offer.redirect) ? { reason: offer.redirect.left } : {}),
        }),
      ),
    )()
  }
}

/** For a browser that opens this address by GET, for example when it restores tabs: there is no answer to process. */
const getConfirm =
  ({ gone }: LogoutPages): Handler =>
  (request) => {
    const page = gone(languageOf(request))
    return { ...page, status: refusalStatuses.method_not_allowed, headers: { ...page.headers, Allow: 'POST' } }
  }

const hostAlone = (uri: string): ShownApplication => ({ name: undefined, host: new URL(uri).host })

const signedOutPage = (respond: Respond, confirmed: ConfirmedLogout, language: Language): HttpResponse => {
  const { location, client, applications, frames, elsewhere } = confirmed
  const back =
    location === undefined || client === undefined
      ? undefined
      : { application: shownApplication(language)(client, location), uri: location }
  const leaving = elsewhere === undefined ? undefined : { application: hostAlone(elsewhere), uri: elsewhere }
  const page = { kind: 'signed_out' as const, frames: frames.map(({ uri }) => uri), back, elsewhere: leaving }
  return respond({ ...page, ...shownApplications(language)(applications, back && client) }, language, {
    frameOrigins: frames.map(({ origin }) => origin),
    // The end-user chooses first.
    goesOnTo: leaving === undefined ? back?.uri : undefined,
  })
}

const confirmedResponse = (
  { respond, names }: LogoutPages,
  language: Language,
  confirmed: ConfirmedLogout,
): HttpResponse => {
  const { answer, location, frames, elsewhere } = confirmed
  const setCookies = answer === 'logout' ? [clearCookie(names.session, names)] : []
  if (location !== undefined && frames.length === 0 && elsewhere === undefined) return seeOther(location, setCookies)
  return answer === 'logout'
    ? { ...signedOutPage(respond, confirmed, language), setCookies }
    : respond({ kind: 'still_signed_in' }, language)
}

/** The end-user's answer, from the form of the confirmation page only. */
const postConfirm = (settings: HttpSettings, ports: ServicePorts, pages: LogoutPages): Handler => {
  const { logout, registration } = settings
  const confirm = confirmLogout(logout.policy, ports)
  const { names, hashOf } = pages
  const { origin } = new URL(registration.issuer)
  return (request) => {
    const fields = fieldsOf(request.body)
    const language = languageOf(request)
    return pipe(
      confirm({
        value: singleValue(fields, 'value'),
        answer: singleValue(fields, 'answer'),
        sessionCookie: hashOf(request, names.session),
        confirmationCookies: [names.confirmation, names.unseen].flatMap((name) => hashOf(request, name) ?? []),
        fromElsewhere: isFromElsewhere(request, origin),
      }),
      TE.tapIO((confirmed) => () => (confirmed.answer === 'logout' ? ports.sessionEnded(confirmed) : undefined)),
      TE.match(
        (refusal) =>
          refusal.error === 'unavailable'
            ? pages.unavailable(language, refusal)
            : { ...pages.gone(language), reason: refusal.error },
        (confirmed) => confirmedResponse(pages, language, confirmed),
      ),
    )()
  }
}

// Only browsers request these, also by links and forms of other sites; scripts of other origins may not read the
// answers.
export const logoutRoutes: Family<'service'> = (settings, ports) => {
  if (settings.logout.path === undefined) return []
  const path = `${baseOf(settings)}${escapePattern(settings.logout.path)}`
  const pages = logoutPages(settings, ports)
  const ask = getOrPostLogout(settings, ports, pages)
  return [
    route('GET', path, ask),
    route('POST', path, ask, { takes: 'form' }),
    route('GET', `${path}/confirm`, getConfirm(pages)),
    route('POST', `${path}/confirm`, postConfirm(settings, ports, pages), { takes: 'form' }),
  ]
}
