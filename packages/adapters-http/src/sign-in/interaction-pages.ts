// What the handlers of an interaction share: its language, its addresses and the pages of its end.
import { type BudgetKind, type ExhaustedBudget, type Unavailable, jsonInOrder } from '@clientele/domain/kernel'
import type { AnsweredInteraction, Interaction, InteractionAnswer, InteractionRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest } from '../http/request.js'
import { type HttpResponse, emptyResponse } from '../http/response.js'
import { isFromElsewhere } from '../http/same-origin.js'
import { chooseLanguage } from '../pages/choose-language.js'
import type { Language } from '../pages/messages/languages.js'
import { pageResponse } from '../pages/page-response.js'
import { tooManyPage } from '../pages/too-many-page.js'
import type { HttpSettings } from '../settings.js'
import type { SignInPorts } from '../ports.js'

/** A request of an interaction that was found. */
export type Visit = { readonly request: HttpRequest; readonly interaction: Interaction; readonly language: Language }

export type InteractionPages = {
  readonly respond: ReturnType<typeof pageResponse>
  readonly addressOf: (interaction: string) => string
  /** The value of a form that only this page has. */
  readonly valueOf: (page: Readonly<Record<string, unknown>>) => string
  readonly gone: (request: HttpRequest, reason?: string) => HttpResponse
  readonly tooMany: (
    language: Language,
    kind: BudgetKind,
    exhausted: Pick<ExhaustedBudget, 'retryAfter' | 'scope'>,
    again: string,
  ) => HttpResponse
  readonly unavailable: (language: Language, failure: Unavailable, again?: string) => HttpResponse
  /** Answers the interaction, and sends the browser on. */
  readonly finish: (visit: Visit, answer: InteractionAnswer, cookies?: ReadonlyArray<string>) => Promise<HttpResponse>
  /** Finds the interaction of the path; a form must come from its page's site. */
  readonly visit: (request: HttpRequest, then: (visit: Visit) => Promise<HttpResponse>) => Promise<HttpResponse>
}

/** RFC 9110 §15.4.4: 303, so that going back does not repeat a form. */
export const seeOther = (location: string, setCookies: ReadonlyArray<string> = []): HttpResponse => {
  const response = emptyResponse(303, { Location: location, 'Referrer-Policy': 'no-referrer' })
  return setCookies.length === 0 ? response : { ...response, setCookies }
}

const browserOf = ({ headers: { cookie } }: HttpRequest) => ({ cookie })

const endPages = ({ basePath }: HttpSettings, { renderPage }: SignInPorts) => {
  const respond = pageResponse(renderPage)
  const addressOf = (interaction: string): string => `${basePath}/interaction/${encodeURIComponent(interaction)}`
  const gone = ({ headers }: HttpRequest, reason = 'interaction_gone'): HttpResponse => ({
    ...respond({ kind: 'interaction_gone' }, chooseLanguage(undefined, headers['accept-language'])),
    reason,
  })
  const unavailable = (language: Language, { detail }: Unavailable, again?: string): HttpResponse => {
    const response = respond({ kind: 'sign_in_unavailable', again }, language)
    return { ...response, headers: { ...response.headers, 'Retry-After': '1' }, detail }
  }
  const tooMany: InteractionPages['tooMany'] = (language, kind, exhausted, again) =>
    tooManyPage(respond, language, kind, exhausted, again)
  const refused = (request: HttpRequest, refusal: InteractionRefusal, again: string): HttpResponse => {
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    switch (refusal.error) {
      case 'unavailable':
        return unavailable(language, refusal, again)
      case 'too_many_requests':
        return tooMany(language, refusal.kind, refusal, again)
      case 'interaction_gone':
        return gone(request)
    }
  }
  return { respond, addressOf, gone, unavailable, tooMany, refused }
}

export const interactionPages = (settings: HttpSettings, ports: SignInPorts): InteractionPages => {
  const { respond, addressOf, gone, unavailable, tooMany, refused } = endPages(settings, ports)
  const { origin } = new URL(settings.registration.issuer)
  const finish: InteractionPages['finish'] = async ({ request, interaction }, answer, cookies = []) => {
    const answered: E.Either<InteractionRefusal, AnsweredInteraction> = await ports.answerInteraction(
      interaction.id,
      browserOf(request),
      answer,
    )()
    return E.isLeft(answered)
      ? refused(request, answered.left, addressOf(interaction.id))
      : seeOther(answered.right.location, [...answered.right.setCookies, ...cookies])
  }
  const visit: InteractionPages['visit'] = async (request, then) => {
    if (request.method === 'POST' && isFromElsewhere(request, origin)) return gone(request, 'cross_site')
    const found = await ports.findInteraction(request.id, browserOf(request))()
    if (E.isLeft(found)) return refused(request, found.left, addressOf(request.id))
    const interaction = found.right
    return then({
      request,
      interaction,
      language: chooseLanguage(interaction.uiLocales, request.headers['accept-language']),
    })
  }
  const valueOf = (page: Readonly<Record<string, unknown>>): string => ports.hashToken(`form ${jsonInOrder(page)}`)
  return { respond, addressOf, valueOf, gone, unavailable, tooMany, finish, visit }
}
