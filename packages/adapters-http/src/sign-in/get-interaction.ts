// GET /interaction/{id}: asks what the authorization server waits for. OpenID Connect Core §3.1.2.3, §3.1.2.4.
import { shownFacts } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpSettings } from '../settings.js'
import { consentPage, readConsent } from './consent-page.js'
import { type Visit, interactionPages } from './interaction-pages.js'
import { loginElsewhere } from './login-elsewhere.js'
import { loginPage } from './login-page.js'
import type { SignInPorts } from '../ports.js'

export const getInteraction = (settings: HttpSettings, ports: SignInPorts): Handler => {
  const pages = interactionPages(settings, ports)
  const { login } = ports
  const read = readConsent(ports, pages)
  const ask = consentPage(pages)
  const consent = async (visit: Visit): Promise<HttpResponse> => {
    const requested = await read(visit)
    if (E.isLeft(requested))
      return requested.left === 'no_end_user'
        ? pages.gone(visit.request, 'no_end_user')
        : pages.unavailable(visit.language, requested.left, pages.addressOf(visit.interaction.id))
    const { decision, facts } = requested.right
    if (decision.kind === 'ask') return ask(visit, requested.right)
    return pages.finish(visit, { answer: 'consented', shown: shownFacts(facts) })
  }
  const begin =
    login.kind === 'elsewhere'
      ? loginElsewhere(settings, pages, login)
      : (visit: Visit) =>
          loginPage(pages, login)(visit, {
            attempt: 1,
            username: visit.interaction.loginHint ?? '',
            refused: false,
          })
  return (request) =>
    pages.visit(request, (visit) => (visit.interaction.prompt === 'login' ? begin(visit) : consent(visit)))
}
