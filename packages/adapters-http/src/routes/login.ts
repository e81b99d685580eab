// The interaction of an end-user with the authorization server, and the sign-in with a password, for development.
import {
  type ExhaustedBudget,
  type TooManyRequests,
  type Unavailable,
  jsonInOrder,
  sourceOf,
} from '@clientele/domain/kernel'
import { shownApplication, singleValue } from '@clientele/domain/logout'
import { claimLoginAttempt, maxLoginAttempts } from '@clientele/domain/operations'
import type { EndUserLogin, Interaction, InteractionAnswer, InteractionRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { type HttpRequest, fieldsOf, isFromElsewhere } from '../http/request.js'
import { type HttpResponse, seeOther } from '../http/response.js'
import { type Language, chooseLanguage } from '../pages/messages/languages.js'
import { type Respond, challengeOfForms, pageResponse, tooManyPage, unavailablePage } from '../pages/page-response.js'
import type { SignInPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import type { Handler } from './route.js'

/** A request of an interaction that was found. */
export type Visit = { readonly request: HttpRequest; readonly interaction: Interaction; readonly language: Language }

const browserOf = ({ headers: { cookie } }: HttpRequest) => ({ cookie })

/** The pages of interactions, and what leads from one to the next. */
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

export const interactionPages = (
  { basePath, registration, signInOpenerPolicy }: HttpSettings,
  ports: SignInPorts,
): InteractionPages => {
  const respond = pageResponse(ports.renderPage, signInOpenerPolicy)
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

type DevelopmentLogin = Extract<EndUserLogin, { kind: 'development' }>

type Requested = { readonly attempt: number; readonly username: string; readonly refused: boolean }

const maxUsername = 255

/** Of the forms with which an end-user signs in, or leaves. */
export const loginValue = ({ valueOf }: InteractionPages, { interaction }: Visit): string =>
  valueOf({ page: 'login', interaction: interaction.id })

const unauthorized = (response: HttpResponse): HttpResponse => ({
  ...response,
  status: 401,
  headers: { ...response.headers, ...challengeOfForms },
})

/** The form, or its end after the last attempt. One text for all refusals: whether a name exists is not told. */
export const loginPage =
  (pages: InteractionPages, { listAccounts }: DevelopmentLogin) =>
  async (visit: Visit, { attempt, username, refused }: Requested): Promise<HttpResponse> => {
    const { interaction, language } = visit
    const form = { action: `${pages.addressOf(interaction.id)}/login`, value: loginValue(pages, visit) }
    if (attempt > maxLoginAttempts) return pages.respond({ kind: 'too_many_attempts', form }, language)
    const accounts = await listAccounts()
    const page = pages.respond(
      {
        kind: 'login',
        form,
        application: shownApplication(language)(interaction.client, interaction.redirectUri),
        attempt,
        username: username.slice(0, maxUsername),
        refused,
        accounts: E.isRight(accounts) ? accounts.right.map((account) => account.username) : [],
      },
      language,
    )
    return refused ? unauthorized(page) : page
  }

type Given = {
  readonly value: string | undefined
  readonly answer: string | undefined
  readonly attempt: number
  readonly username: string
  readonly password: string
}

const givenIn = ({ request }: Visit): Given => {
  const fields = fieldsOf(request.body)
  const attempt = singleValue(fields, 'attempt') ?? ''
  return {
    value: singleValue(fields, 'value'),
    answer: singleValue(fields, 'answer'),
    attempt: /^\d$/.test(attempt) ? Number(attempt) : 0,
    username: singleValue(fields, 'username') ?? '',
    password: singleValue(fields, 'password') ?? '',
  }
}

const checking = (ports: SignInPorts, pages: InteractionPages, login: DevelopmentLogin) => {
  const claim = claimLoginAttempt(ports)
  const page = loginPage(pages, login)
  return async (visit: Visit, { attempt, username, password }: Given): Promise<HttpResponse> => {
    // A password can be guessed, unlike a token: the budget is consumed before it is checked, whatever the result.
    const consumed = await ports.consumeBudget('credentials', sourceOf(visit.request.remoteAddress))()
    if (E.isLeft(consumed)) return pages.tooManyLogins(visit, consumed.left)
    const refused = async (reason: string): Promise<HttpResponse> => ({
      ...(await page(visit, { attempt: attempt + 1, username, refused: true })),
      reason,
    })
    const claimed = await claim({ interaction: visit.interaction.id, attempt })()
    if (E.isLeft(claimed)) return pages.failed(visit, claimed.left)
    if (!claimed.right) return refused('attempt_used')
    const checked = await login.check({ username, password })()
    if (E.isRight(checked)) return pages.finish(visit, { answer: 'signed_in', endUser: checked.right.endUser })
    return checked.left.error === 'unavailable' ? pages.failed(visit, checked.left) : refused(checked.left.reason)
  }
}

/** Takes the form of the development login, and the refusal of the end-user to choose a party. */
export const takingLogin = (ports: SignInPorts, pages: InteractionPages) => {
  const { login } = ports
  return async (visit: Visit): Promise<HttpResponse> => {
    const { interaction } = visit
    const given = givenIn(visit)
    // The interaction went on in another tab: its page asks what is asked now.
    if (interaction.prompt !== 'login') return seeOther(pages.addressOf(interaction.id))
    if (login.kind === 'elsewhere')
      return given.answer === 'cancel' && given.value === loginValue(pages, visit)
        ? pages.finish(visit, { answer: 'denied' })
        : seeOther(pages.addressOf(interaction.id))
    if (given.value !== loginValue(pages, visit))
      return {
        ...(await loginPage(pages, login)(visit, { attempt: 1, username: given.username, refused: false })),
        reason: 'stale_page',
      }
    return given.answer === 'cancel'
      ? pages.finish(visit, { answer: 'denied' })
      : checking(ports, pages, login)(visit, given)
  }
}
