// The end-user's answer, from the form of the confirmation page only.
import type { Unavailable } from '@clientele/domain/kernel'
import { type ConfirmationGone, shownApplication, singleValue } from '@clientele/domain/logout'
import { type ConfirmedLogout, confirmLogout } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type CookieNames, clearCookie, cookieNames, hashedCookie } from '../http/cookies.js'
import type { Handler } from '../http/handler.js'
import { fieldsOf } from '../http/request-body.js'
import { isFromElsewhere } from '../http/same-origin.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { ShownApplication } from '../pages/page.js'
import { type PageHeaders, pageResponse } from '../pages/page-response.js'
import type { Language } from '../pages/messages/languages.js'
import { shownApplications } from './shown-applications.js'
import { unavailablePage } from '../pages/unavailable-page.js'

type Respond = ReturnType<typeof pageResponse>

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

export const postConfirm = (settings: HttpSettings, ports: ServicePorts): Handler => {
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
        ? unavailablePage(respond, language, refusal, again)
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
