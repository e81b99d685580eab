// GET and POST /consents: the end-user reads and removes consents. OpenID Connect Core §11, RFC 6819 §5.1.5.4.
import type { Unavailable, UnknownSession } from '@clientele/domain/kernel'
import { singleValue } from '@clientele/domain/logout'
import type { ListedConsents } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import { fieldsOf } from '../http/request-body.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { isFromElsewhere } from '../http/same-origin.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { Language } from '../pages/messages/languages.js'
import type { HttpSettings } from '../settings.js'
import { consentValue, consentsAddress, consentsPage, readConsents } from './consents-page.js'
import { interactionPages, seeOther } from './interaction-pages.js'
import type { SignInPorts } from '../ports.js'

const languageOf = ({ query, headers }: HttpRequest): Language =>
  chooseLanguage(singleValue(query, 'ui_locales'), headers['accept-language'])

const refusing = (settings: HttpSettings, ports: SignInPorts) => {
  const pages = interactionPages(settings, ports)
  return (refusal: UnknownSession | Unavailable, language: Language): HttpResponse =>
    refusal.error === 'unavailable'
      ? pages.unavailable(language, refusal, consentsAddress(settings))
      : pages.respond({ kind: 'nobody', form: undefined, back: undefined, notice: undefined }, language)
}

export const getConsents = (settings: HttpSettings, ports: SignInPorts): Handler => {
  const { respond } = interactionPages(settings, ports)
  const refused = refusing(settings, ports)
  const read = readConsents(settings, ports)
  return async (request) => {
    const language = languageOf(request)
    const listed = await read(request)
    if (E.isLeft(listed)) return refused(listed.left, language)
    const revoked = singleValue(request.query, 'revoked') !== undefined
    return respond(await consentsPage(settings, ports, language)(listed.right, revoked), language)
  }
}

const revoke = async (
  ports: SignInPorts,
  { session, consents }: ListedConsents,
  value: string | undefined,
): Promise<E.Either<Unavailable, boolean>> => {
  const found = consents.find(({ consent }) => consentValue(ports, session, consent) === value)
  if (found === undefined) return E.right(false)
  const removed = await ports.removeConsent(session.sub, found.consent.client)()
  return E.isLeft(removed) ? removed : E.right(true)
}

export const postConsents = (settings: HttpSettings, ports: SignInPorts): Handler => {
  const refused = refusing(settings, ports)
  const read = readConsents(settings, ports)
  const { origin } = new URL(settings.registration.issuer)
  const address = consentsAddress(settings)
  return async (request) => {
    if (isFromElsewhere(request, origin)) return { ...seeOther(address), reason: 'cross_site' }
    const language = languageOf(request)
    const listed = await read(request)
    if (E.isLeft(listed)) return refused(listed.left, language)
    const revoked = await revoke(ports, listed.right, singleValue(fieldsOf(request.body), 'value'))
    if (E.isLeft(revoked)) return refused(revoked.left, language)
    return revoked.right ? seeOther(`${address}?revoked=1`) : { ...seeOther(address), reason: 'stale_page' }
  }
}
