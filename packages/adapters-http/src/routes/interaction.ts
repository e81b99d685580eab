// What the routes of an interaction share: its language, its addresses and the pages of its end.
import { type ExhaustedBudget, type TooManyRequests, type Unavailable, jsonInOrder } from '@clientele/domain/kernel'
import type { Interaction, InteractionAnswer, InteractionRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../http/handler.js'
import { isFromElsewhere } from '../http/header-fields.js'
import type { HttpRequest } from '../http/request.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { Language } from '../pages/messages/languages.js'
import { type Respond, pageResponse, tooManyPage, unavailablePage } from '../pages/page-response.js'
import type { SignInPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** A request of an interaction that was found. */
export type Visit = { readonly request: HttpRequest; readonly interaction: Interaction; readonly language: Language }

/** RFC 9110 §15.4.4: 303, so that going back does not repeat a form. */
export const seeOther = (location: string, setCookies: ReadonlyArray<string> = []): HttpResponse => {
  const response = emptyResponse(303, { Location: location, 'Referrer-Policy': 'no-referrer' })
  return setCookies.length === 0 ? response : { ...response, setCookies }
}

const browserOf = ({ headers: { cookie } }: HttpRequest) => ({ cookie })

export type InteractionPages = {
  readonly respond: Respond
  readonly addressOf: (interaction: string) => string
  /** The value of a form that only this page has. */
  readonly valueOf: (page: Readonly<Record<string, unknown>>) => string
  readonly gone: (request: HttpRequest, reason?: string) => HttpResponse
  readonly unavailable: (language: Language, failure: Unavailable, again?: string) => HttpResponse
  /** The same for an interaction, whose page is shown again later. */
  readonly failed: (visit: Visit, failure: Unavailable) => HttpResponse
  readonly tooManyLogins: (visit: Visit, exhausted: ExhaustedBudget) => HttpResponse
  /** Answers the interaction, and sends the browser on. */
  readonly finish: (visit: Visit, answer: InteractionAnswer, cookies?: ReadonlyArray<string>) => Promise<HttpResponse>
  /** Finds the interaction of the path; a form must come from its page's site. */
  readonly visiting: (answer: (visit: Visit) => Promise<HttpResponse>) => Handler
}

export const interactionPages = ({ basePath, registration }: HttpSettings, ports: SignInPorts): InteractionPages => {
  const respond = pageResponse(ports.renderPage)
  const { origin } = new URL(registration.issuer)
  const addressOf = (interaction: string): string => `${basePath}/interaction/${encodeURIComponent(interaction)}`
  const valueOf: InteractionPages['valueOf'] = (page) => ports.hashToken(`form ${jsonInOrder(page)}`)
  const gone: InteractionPages['gone'] = ({ headers }, reason = 'interaction_gone') => ({
    ...respond({ kind: 'interaction_gone' }, chooseLanguage(undefined, headers['accept-language'])),
    reason,
  })
  const unavailable: InteractionPages['unavailable'] = (language, failure, again) =>
    unavailablePage(respond({ kind: 'sign_in_unavailable', again }, language), failure)
  const failed: InteractionPages['failed'] = ({ interaction, language }, failure) =>
    unavailable(language, failure, addressOf(interaction.id))
  const tooMany = (language: Language, again: string, refusal: Omit<TooManyRequests, 'error'>): HttpResponse =>
    tooManyPage(respond({ kind: 'too_many_requests', again }, language), refusal)
  const tooManyLogins: InteractionPages['tooManyLogins'] = ({ interaction, language }, exhausted) =>
    tooMany(language, addressOf(interaction.id), { ...exhausted, kind: 'credentials' })
  const refused = (request: HttpRequest, refusal: InteractionRefusal, id: string): HttpResponse => {
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    const again = addressOf(id)
    switch (refusal.error) {
      case 'unavailable':
        return unavailable(language, refusal, again)
      case 'too_many_requests':
        return tooMany(language, again, refusal)
      case 'interaction_gone':
        return gone(request)
    }
  }
  const finish: InteractionPages['finish'] = async ({ request, interaction }, answer, cookies = []) => {
    const answered = await ports.answerInteraction(interaction.id, browserOf(request), answer)()
    return E.isLeft(answered)
      ? refused(request, answered.left, interaction.id)
      : seeOther(answered.right.location, [...answered.right.setCookies, ...cookies])
  }
  const visiting: InteractionPages['visiting'] = (answer) => async (request) => {
    if (request.method === 'POST' && isFromElsewhere(request, origin)) return gone(request, 'cross_site')
    const found = await ports.findInteraction(request.id, browserOf(request))()
    if (E.isLeft(found)) return refused(request, found.left, request.id)
    const interaction = found.right
    const language = chooseLanguage(interaction.uiLocales, request.headers['accept-language'])
    return answer({ request, interaction, language })
  }
  return { respond, addressOf, valueOf, gone, unavailable, failed, tooManyLogins, finish, visiting }
}
