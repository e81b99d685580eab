// POST /interaction/{id}/consent: the answer of the end-user to exactly the facts that the page showed.
import { singleValue } from '@clientele/domain/logout'
import { shownFacts } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import { fieldsOf } from '../http/request-body.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpSettings } from '../settings.js'
import { consentPage, readConsent } from './consent-page.js'
import { type Visit, interactionPages, seeOther } from './interaction-pages.js'
import type { SignInPorts } from '../ports.js'

export const postConsent = (settings: HttpSettings, ports: SignInPorts): Handler => {
  const pages = interactionPages(settings, ports)
  const read = readConsent(ports, pages)
  const ask = consentPage(pages)
  const answer = async (visit: Visit): Promise<HttpResponse> => {
    const { interaction, request, language } = visit
    if (interaction.prompt !== 'consent') return seeOther(pages.addressOf(interaction.id))
    const requested = await read(visit)
    if (E.isLeft(requested))
      return requested.left === 'no_end_user'
        ? pages.gone(request, 'no_end_user')
        : pages.unavailable(language, requested.left, pages.addressOf(interaction.id))
    const fields = fieldsOf(request.body)
    if (singleValue(fields, 'answer') === 'deny') return pages.finish(visit, { answer: 'denied' })
    // The facts may have changed since they were shown: the end-user consents only to what was on the page.
    const isShown = singleValue(fields, 'value') === requested.right.value
    return isShown && singleValue(fields, 'answer') === 'allow'
      ? pages.finish(visit, { answer: 'consented', shown: shownFacts(requested.right.facts) })
      : { ...ask(visit, requested.right), reason: 'stale_page' }
  }
  return (request) => pages.visit(request, answer)
}
